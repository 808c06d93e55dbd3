package io.delayjob.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The README shows the burst with the numbers of docs/performance.json. */
class ReadmeNumbersTest {

    private static final Path ROOT = Path.of("../..");
    private static final String UNFINISHED = "did not finish in 30 s";
    private static final int SECOND = 1000;

    private final String readme = Files.readString(ROOT.resolve("README.md")).replaceAll("[ \\n]+", " ");
    private final Results results = Results.read(ROOT.resolve(Path.of("docs", "performance.json")));

    ReadmeNumbersTest() throws IOException {}

    @ParameterizedTest
    @CsvSource(delimiter = ':', textBlock = """
            delayjob                 : delayjob
            BullMQ                   : bullmq
            db-scheduler, PostgreSQL : db-scheduler
            bare `RDelayedQueue`     : delayed-queue
            """)
    void showsWhatWasMeasured(String name, String contender) {
        String lateness = lateness(contender);
        assertThat(readme)
                .contains("| %s | %s | %s | %s |".formatted(name, rate(contender), lateness, busy(contender)));
        assertThat(readme.substring(0, readme.indexOf(" ## ")))
                .as("the first paragraphs")
                .contains(lateness.replace("did not", "does not"));
    }

    private String rate(String contender) {
        return number("%,.0f", results.median("burst", contender, "pending=0", "perSecond"));
    }

    private String lateness(String contender) {
        if (isUnfinished(contender, "pending=0")) {
            return UNFINISHED;
        }
        double millis = results.median("burst", contender, "pending=0", "p99Millis");
        return millis < SECOND ? number("%.0f ms", millis) : number("%.1f s", millis / SECOND);
    }

    /** The rate while many other jobs wait. */
    private String busy(String contender) {
        double rate = results.median("burst", contender, "pending=1000000", "perSecond");
        if (Double.isNaN(rate)) {
            return "not measured";
        }
        String shown = number("%,.0f", rate);
        return isUnfinished(contender, "pending=1000000") ? "%s (%s)".formatted(shown, UNFINISHED) : shown;
    }

    private boolean isUnfinished(String contender, String variant) {
        return results.of("burst").stream()
                .filter(one ->
                        one.contender().equals(contender) && one.variant().equals(variant))
                .flatMap(one -> one.notes().stream())
                .anyMatch(note -> note.startsWith("stopped after 30 s"));
    }

    private static String number(String format, double number) {
        return String.format(Locale.ROOT, format, number);
    }
}
