package io.delayjob.engine.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.Backoff;
import io.delayjob.engine.TestSettings;
import io.delayjob.spi.BackoffPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AttemptPolicyTest {

    private static final AttemptPolicy STATED = new AttemptPolicy(
            4,
            Backoff.fixed(Duration.ofSeconds(4)),
            Duration.ofSeconds(40),
            Duration.ofSeconds(400),
            ExceptionRules.NONE);

    @Test
    void leavesWhatIsOpenToTheQueue() {
        AttemptPolicy policy = policy(AttemptPolicy.NONE, AttemptPolicy.NONE);
        assertThat(policy.maxAttempts()).isEqualTo(3);
        assertThat(policy.timeout()).isNull();
        assertThat(policy.timeToLive()).isNull();
        assertThat(policy.waitMillis(1, new IllegalStateException())).isEqualTo(50);
    }

    @Test
    void theHandlerTakesPrecedenceOverTheQueue() {
        AttemptPolicy policy = policy(AttemptPolicy.NONE, STATED);
        assertThat(policy.maxAttempts()).isEqualTo(4);
        assertThat(policy.timeout()).isEqualTo(Duration.ofSeconds(40));
        assertThat(policy.timeToLive()).isEqualTo(Duration.ofSeconds(400));
        assertThat(policy.waitMillis(1, new IllegalStateException())).isEqualTo(4000);
    }

    @Test
    void theRequestTakesPrecedenceOverTheHandler() {
        AttemptPolicy policy =
                policy(new AttemptPolicy(5, null, null, Duration.ofSeconds(5), ExceptionRules.NONE), STATED);
        assertThat(policy.maxAttempts()).isEqualTo(5);
        assertThat(policy.timeToLive()).isEqualTo(Duration.ofSeconds(5));
        assertThat(policy.timeout()).isEqualTo(Duration.ofSeconds(40));
    }

    @Test
    void usesTheDefaultBackoffWhereTheApplicationsFails() {
        assertThat(backoff((attempt, failure) -> Duration.ofSeconds(attempt)).waitMillis(7, new Error()))
                .isEqualTo(7000);
        assertThat(backoff((attempt, failure) -> Duration.ofSeconds(-1)).waitMillis(1, new Error()))
                .isBetween(1600L, 2400L);
        assertThat(backoff((attempt, failure) -> {
                            throw new IllegalStateException("broken");
                        })
                        .waitMillis(1, new Error()))
                .isBetween(1600L, 2400L);
    }

    private static AttemptPolicy backoff(BackoffPolicy backoff) {
        return policy(AttemptPolicy.NONE, new AttemptPolicy(null, backoff, null, null, ExceptionRules.NONE));
    }

    private static AttemptPolicy policy(AttemptPolicy request, AttemptPolicy handler) {
        return request.over(handler).over(TestSettings.defaults().attempts());
    }
}
