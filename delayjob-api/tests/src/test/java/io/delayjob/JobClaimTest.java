package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobClaimTest {

    private static final JobClaim CLAIM = JobClaim.of("orders");

    @Test
    void changesOneThingAndKeepsTheOthers() {
        assertThat(CLAIM.withMax(5)
                        .withMaxWait(Duration.ofSeconds(3))
                        .withLease(Duration.ofSeconds(30))
                        .withWorker("php-1")
                        .withId("c"))
                .isEqualTo(new JobClaim(
                        List.of("orders"), 5, Duration.ofSeconds(3), Duration.ofSeconds(30), "php-1", "c"));
        assertThat(JobClaim.of(List.of("a", "b", "a")).queues()).containsExactly("a", "b");
    }

    private static void assertQueueRefused(String queue, String shown) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobClaim.of(List.of("orders", queue)))
                .withMessage(
                        "queue must be 1 to 64 of the characters A-Z a-z 0-9 . _ - (a brace would break the Redis hash tag): "
                                + shown);
    }

    @Test
    void refusesWhatIsOutOfRange() {
        assertQueueRefused("{", "'{'");
        assertQueueRefused("", "''");
        assertQueueRefused("or\nders", "'or\\u000aders'");
        assertQueueRefused("q".repeat(65), "'" + "q".repeat(65) + "'");
        assertQueueRefused("q".repeat(100), "'" + "q".repeat(80) + "… (100 characters)'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobClaim.of(List.of()))
                .withMessage("a claim must name 1 to 100 queues: 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CLAIM.withMax(1001))
                .withMessage("max must be 1 to 1000: 1001");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CLAIM.withMaxWait(Duration.ofSeconds(61)))
                .withMessage("maxWait must be at most PT1M: PT1M1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CLAIM.withMaxWait(Duration.ofMillis(-1)))
                .withMessageStartingWith("maxWait must be");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CLAIM.withLease(Duration.ofMillis(999)))
                .withMessageStartingWith("lease must be");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CLAIM.withWorker("a|b"))
                .withMessage("worker must be 1 to 64 of A-Z a-z 0-9 . _ : @ / -: 'a|b'");
        assertThatIllegalArgumentException().isThrownBy(() -> CLAIM.withId("")).withMessageStartingWith("id must have");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobClaim.of(Collections.nCopies(1, Unchecked.nullInsteadOf("q"))))
                .withMessageStartingWith("queue must be");
    }
}
