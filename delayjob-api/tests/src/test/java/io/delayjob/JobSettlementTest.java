package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobSettlementTest {

    private static final String SECRET = "s3cret";
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void printsNothingSecret() {
        assertThat(List.of(
                        new JobSettlement.Complete(SECRET, SECRET),
                        new JobSettlement.Retry(SECRET, MINUTE, SECRET),
                        new JobSettlement.Bury(SECRET, SECRET),
                        new JobSettlement.Release(SECRET),
                        new JobSettlement.Extend(SECRET, MINUTE),
                        new JobSettlement.Report(SECRET, new Progress(40, "half way"))))
                .extracting(Object::toString)
                .containsExactly(
                        "Complete[]",
                        "Retry[delay=PT1M]",
                        "Bury[]",
                        "Release[]",
                        "Extend[lease=PT1M]",
                        "Report[progress=Progress[percent=40, text=half way]]");
        assertThat(new ClaimedJob(
                        "q",
                        "a",
                        "resize",
                        SECRET,
                        Map.of("h", SECRET),
                        1,
                        Instant.EPOCH,
                        Instant.EPOCH,
                        Instant.EPOCH,
                        JobOptions.NONE,
                        SECRET))
                .hasToString("ClaimedJob[queue=q, id=a, topic=resize, attempt=1, dueAt=1970-01-01T00:00:00Z,"
                        + " leaseEndsAt=1970-01-01T00:00:00Z]");
    }

    @Test
    void refusesWhatIsMissingOrOutOfRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JobSettlement.Complete(Unchecked.nullInsteadOf("h"), null))
                .withMessage("handle must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JobSettlement.Retry("h", Duration.ofMillis(-1), "busy"))
                .withMessage("delay must not be negative: PT-0.001S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JobSettlement.Extend("h", Duration.ofMillis(999)))
                .withMessage("lease must be at least PT1S: PT0.999S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JobSettlement.Release("h", Duration.ofNanos(999_999)))
                .withMessage("slowKey must be positive, at least 1 ms and at most 8000 years: PT0.000999999S");
    }
}
