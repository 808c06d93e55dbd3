package io.delayjob.redisson.internal.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobRequest;
import io.delayjob.JobEvent;
import io.delayjob.SubmitResult;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class EventTextTest {

    private static final String SECRET = "4111-5c3r37";
    private static final String TAIL = ",\"node\":\"n\",\"at\":\"2030-01-31T08:00:00Z\"}";

    private final EventText text = new EventText("n", () -> Instant.parse("2030-01-31T08:00:00Z"));

    private String data(JobEvent event) {
        return text.of(event).data();
    }

    @Test
    void saysWhatHappenedToWhichJob() {
        Instant due = Instant.EPOCH;
        assertThat(data(new JobEvent.Submitted(
                        "q",
                        "a",
                        SubmitResult.Outcome.STORED,
                        DelayJobRequest.toTopic("t", SECRET),
                        Duration.ofSeconds(3),
                        null)))
                .isEqualTo("{\"queue\":\"q\",\"id\":\"a\",\"topic\":\"t\",\"outcome\":\"STORED\",\"delay\":\"PT3S\""
                        + TAIL);
        assertThat(data(new JobEvent.Claimed("q", "a", "t", 1, due, due)))
                .isEqualTo(
                        "{\"queue\":\"q\",\"id\":\"a\",\"topic\":\"t\",\"attempt\":1,\"dueAt\":\"1970-01-01T00:00:00Z\""
                                + TAIL);
        assertThat(data(new JobEvent.Completed("q", "a", null, 1, Duration.ofMillis(5))))
                .isEqualTo("{\"queue\":\"q\",\"id\":\"a\",\"attempt\":1,\"duration\":\"PT0.005S\"" + TAIL);
        assertThat(data(new JobEvent.Lost("q", "a", "t", 2, true)))
                .isEqualTo("{\"queue\":\"q\",\"id\":\"a\",\"topic\":\"t\",\"attempt\":2,\"cancelled\":true" + TAIL);
        assertThat(data(new JobEvent.Cancelled("q", "a", false)))
                .isEqualTo("{\"queue\":\"q\",\"id\":\"a\",\"running\":false" + TAIL);
    }

    @Test
    void anErrorIsOneShortLine() {
        IllegalStateException failure = new IllegalStateException("the bank\n is closed");
        assertThat(data(new JobEvent.Retried("q", "a", "t", 1, failure, Duration.ofSeconds(2))))
                .contains("\"error\":\"java.lang.IllegalStateException: the bank\",\"delay\":\"PT2S\"");
        assertThat(data(new JobEvent.Buried(
                        "q", "a", "t", 3, "attempt 3 of 3 failed: java.lang…\n\tat x", failure, SECRET)))
                .contains("\"error\":\"attempt 3 of 3 failed: java.lang.IllegalStateException: the bank\"")
                .doesNotContain(SECRET);
        assertThat(data(new JobEvent.Buried("q", "a", "t", 0, "too late: was due 3 s ago", null, SECRET)))
                .contains("\"error\":\"too late: was due 3 s ago\"");
        assertThat(data(new JobEvent.Retried(
                        "q", "a", "t", 1, new IllegalStateException("x".repeat(9000)), Duration.ofSeconds(2))))
                .hasSizeLessThan(600);
    }

    @Test
    void whatDoesNotFitItsTypeIsNotQuoted() {
        RuntimeException unbound = new RuntimeException(
                "Cannot deserialize " + SECRET, new tools.jackson.core.JacksonException(SECRET) {});
        assertThat(data(new JobEvent.Buried(
                        "q", "a", "t", 1, "the param does not bind to Card of pay: " + unbound, unbound, SECRET)))
                .contains("\"error\":\"the param does not bind to Card of pay: java.lang.RuntimeException\"");
    }

    @Test
    void anExceptionThatHasNoMessageToGiveStopsNothing() {
        RuntimeException broken = new RuntimeException() {
            @Override
            public String getMessage() {
                throw new IllegalStateException("no message");
            }
        };
        assertThat(data(new JobEvent.Retried("q", "a", "t", 1, broken, Duration.ofSeconds(2))))
                .contains("\"error\":\"" + broken.getClass().getName() + "\"");
    }
}
