package io.delayjob.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A module that only the profile {@code proofs} has runs all of its tests there, with a tag or without: no other build runs them. */
class LongModulesTest {

    private static final Path ROOT = Path.of("../..");
    private static final Pattern MODULES =
            Pattern.compile("<id>proofs</id>\\s*<modules>(.*?)</modules>", Pattern.DOTALL);
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

    @Test
    void modulesOfTheProfileRunAllOfTheirTests() throws IOException {
        Matcher modules = MODULES.matcher(Files.readString(ROOT.resolve("pom.xml")));
        assertThat(modules.find()).isTrue();
        List<Path> tested = MODULE.matcher(modules.group(1))
                .results()
                .map(module -> ROOT.resolve(module.group(1)))
                .filter(module -> Files.isDirectory(module.resolve("src/test/java")))
                .toList();
        assertThat(tested)
                .isNotEmpty()
                .allSatisfy(module ->
                        assertThat(module.resolve("pom.xml")).content().contains("<tests.groups/>"));
    }
}
