package io.delayjob.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The README's Java is the demo's, or that of the tests of the testing module and of the journal, so that it compiles and runs. */
class ReadmeTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern JAVA = Pattern.compile("^```java\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

    @Test
    void showsOnlyCodeThatIsInTheTree() throws IOException {
        String tree = code("delayjob-demo-app/src/main/java")
                + code("library/delayjob-test/src/test/java")
                + code("library/delayjob-journal/tests/src/test/java/io/delayjob/journal/shop");
        List<String> shown = JAVA.matcher(Files.readString(ROOT.resolve("README.md")))
                .results()
                .map(result -> withoutSpace(result.group(1)))
                .toList();
        assertThat(shown)
                .hasSizeGreaterThan(3)
                .allSatisfy(block -> assertThat(tree).contains(block));
    }

    private static String code(String folder) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(ReadmeTest::read)
                    .map(ReadmeTest::withoutSpace)
                    .collect(Collectors.joining("\n"));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException(file.toString(), e);
        }
    }

    /** However its lines are broken. */
    private static String withoutSpace(String text) {
        return text.replaceAll("\\s+", "");
    }
}
