package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The Java code of docs/testing.md, docs/quick-start.md and the section of docs/guide.md about claims is code of these tests. */
class DocumentationTest {

    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @Test
    void showsCodeThatIsCompiledAndRun() throws IOException {
        assertIsCodeOfTests(Files.readString(Path.of("../../docs/testing.md")));
    }

    @Test
    void showsAFirstApplicationThatIsCompiledAndRun() throws IOException {
        assertIsCodeOfTests(Files.readString(Path.of("../../docs/quick-start.md")));
    }

    @Test
    void showsAWorkerThatIsCompiledAndRun() throws IOException {
        String guide = Files.readString(Path.of("../../docs/guide.md"));
        int from = guide.indexOf("\n## Workers elsewhere: claims\n");
        assertThat(from).isPositive();
        assertIsCodeOfTests(guide.substring(from, guide.indexOf("\n## ", from + 1)));
    }

    private static void assertIsCodeOfTests(String text) throws IOException {
        List<String> sources = sources();
        List<String> snippets = JAVA.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();

        assertThat(snippets)
                .isNotEmpty()
                .allSatisfy(
                        snippet -> assertThat(sources).as(snippet).anyMatch(source -> source.contains(dense(snippet))));
    }

    private static List<String> sources() throws IOException {
        try (Stream<Path> own = Files.walk(Path.of("src/test/java"));
                Stream<Path> journaled =
                        Files.walk(Path.of("../delayjob-journal/tests/src/test/java/io/delayjob/journal/shop"))) {
            return Stream.concat(own, journaled)
                    .filter(Files::isRegularFile)
                    .map(DocumentationTest::read)
                    .toList();
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
