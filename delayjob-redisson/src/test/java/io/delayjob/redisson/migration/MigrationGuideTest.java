package io.delayjob.redisson.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Java code of the guides is code that {@link MigrationIT} runs, or that compiles at least. */
class MigrationGuideTest {

    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Path SOURCES = Path.of("src/test/java/io/delayjob/redisson/migration");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "migrating-from-rdelayedqueue.md",
                "migrating-from-table-polling.md",
                "migrating-from-a-redisson-component.md",
                "migrating-from-a-listener-queue.md"
            })
    void showsCodeThatCompiles(String guide) throws IOException {
        List<String> sources = sources();
        List<String> shown = JAVA.matcher(Files.readString(Path.of("../docs", guide)))
                .results()
                .map((MatchResult match) -> dense(match.group(1)))
                .toList();
        assertThat(shown)
                .hasSizeGreaterThan(1)
                .allSatisfy(snippet -> assertThat(sources).anyMatch(source -> source.contains(snippet)));
    }

    private static List<String> sources() throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            return files.map(MigrationGuideTest::read).toList();
        }
    }

    private static String read(Path file) {
        try {
            return dense(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String dense(String code) {
        return code.replaceAll("\\s+", "");
    }
}
