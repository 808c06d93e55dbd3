package io.delayjob.server.console.internal.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.JobState;
import io.delayjob.JobStep;
import io.delayjob.server.console.internal.bulk.Run;
import io.delayjob.server.web.Problem;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every text is there in every language, and no template writes anything but text. */
class TextsTest {

    private static final Path TEMPLATES = Path.of("../src/main/resources/io/delayjob/server/console/templates");
    private static final Pattern KEY = Pattern.compile("#\\{([a-zA-Z0-9.-]+)[({}]");

    private static final Pattern REASON = Pattern.compile("BadInput\\.(?:of\\(|in\\(\\s*[^,]+,\\s*)\"([a-z.]+)\"");

    private static Properties language(String suffix) throws IOException {
        Properties texts = new Properties();
        String name = "/" + Texts.BUNDLE.replace('.', '/') + suffix + ".properties";
        try (Reader reader = new InputStreamReader(
                Objects.requireNonNull(TextsTest.class.getResourceAsStream(name), name), StandardCharsets.UTF_8)) {
            texts.load(reader);
        }
        return texts;
    }

    private static String templates() throws IOException {
        try (Stream<Path> files = Files.list(TEMPLATES)) {
            return files.map(TextsTest::read).collect(Collectors.joining());
        }
    }

    /** The ends of the keys of the reasons for which values are refused. */
    private static Set<String> reasons() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("../src/main/java"))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(TextsTest::read)
                    .flatMap(source -> REASON.matcher(source).results())
                    .map(reason -> "bad." + reason.group(1))
                    .collect(Collectors.toSet());
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void areTheSameInAllLanguages() throws IOException {
        Properties english = language("");
        for (Locale language : Texts.LANGUAGES.subList(1, Texts.LANGUAGES.size())) {
            Properties texts = language("_" + language.getLanguage());
            assertThat(new TreeSet<>(texts.stringPropertyNames()))
                    .isEqualTo(new TreeSet<>(english.stringPropertyNames()));
            texts.stringPropertyNames().forEach(key -> {
                assertThat(places(texts.getProperty(key))).as(key).isEqualTo(places(english.getProperty(key)));
                assertThat(Texts.text(language, key, "1", "2", "3", "4"))
                        .as(key)
                        .isNotBlank()
                        .isNotEqualTo(key);
            });
        }
    }

    /** The values that a text has places for. */
    private static Set<String> places(String text) {
        return Pattern.compile("\\{\\d}")
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toSet());
    }

    @Test
    void areThereForAllThatIsShown() throws IOException {
        Set<String> known = language("").stringPropertyNames();
        Set<String> used =
                KEY.matcher(templates()).results().map(key -> key.group(1)).collect(Collectors.toSet());

        assertThat(used).hasSizeGreaterThan(100);
        assertThat(known).containsAll(used);
        assertThat(known).containsAll(named("state.", JobState.values()));
        assertThat(known).containsAll(named("none.", JobState.values()));
        assertThat(known).containsAll(named("none.hint.", JobState.values()));
        assertThat(known).containsAll(named("step.", JobStep.Kind.values()));
        assertThat(known).containsAll(named("run.state.", Run.State.values()));
        assertThat(known).containsAll(named("problem.", Problem.values()));
    }

    @Test
    void areThereForEveryReasonForWhichAValueIsRefused() throws IOException {
        assertThat(language("").stringPropertyNames().stream().filter(key -> key.startsWith("bad.")))
                .hasSizeGreaterThan(20)
                .containsExactlyInAnyOrderElementsOf(reasons());
    }

    private static Set<String> named(String prefix, Enum<?>[] values) {
        return Arrays.stream(values).map(value -> prefix + value.name()).collect(Collectors.toSet());
    }

    @Test
    void areNeverHtml() throws IOException {
        assertThat(templates()).doesNotContain("th:utext", "[(", "[[", "style=\"", "onclick=");
    }
}
