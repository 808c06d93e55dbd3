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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The Java code of the guides is code that {@link MigrationIT} and {@link SchedulersIT} run, or that compiles at least. */
class MigrationGuideTest {

    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern IMPORT = Pattern.compile("(?m)^import .*;$");
    private static final Path SOURCES = Path.of("src/test/java/io/delayjob/redisson/migration");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "migrating-from-rdelayedqueue.md",
                "migrating-from-table-polling.md",
                "migrating-from-a-redisson-component.md",
                "migrating-from-a-listener-queue.md",
                "migrating-from-schedulers.md"
            })
    void showsCodeThatCompiles(String guide) throws IOException {
        List<String> sources = sources();
        List<String> shown = JAVA.matcher(Files.readString(Path.of("../../docs", guide)))
                .results()
                .map((MatchResult match) -> dense(IMPORT.matcher(match.group(1)).replaceAll("")))
                .toList();
        assertThat(shown)
                .hasSizeGreaterThan(1)
                .allSatisfy(snippet -> assertThat(sources).anyMatch(source -> source.contains(snippet)));
    }

    /** The code that people copy compiles as it is shown. */
    @ParameterizedTest
    @CsvSource({
        "migrating-from-rdelayedqueue.md, OldQueueDrain",
        "migrating-from-rdelayedqueue.md, OldMarshallingCodec",
        "migrating-from-a-redisson-component.md, ComponentDrain",
        "migrating-from-a-listener-queue.md, RedisDelayMessageListener",
        "migrating-from-a-listener-queue.md, OldMessagesDrain"
    })
    void showsTheImportsOfAClassThatIsCopied(String guide, String copied) throws IOException {
        String shown = JAVA.matcher(Files.readString(Path.of("../../docs", guide)))
                .results()
                .map(match -> match.group(1))
                .filter(snippet -> Pattern.compile("(class|@interface) " + copied + "\\b")
                        .matcher(snippet)
                        .find())
                .findFirst()
                .orElseThrow();
        assertThat(imports(shown)).isEqualTo(imports(Files.readString(SOURCES.resolve(copied + ".java"))));
    }

    private static List<String> imports(String code) {
        return IMPORT.matcher(code)
                .results()
                .map(MatchResult::group)
                // The guides do not import the classes of the old system: only users know their package.
                .filter(line -> !line.contains(MigrationGuideTest.class.getPackageName()))
                .toList();
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
