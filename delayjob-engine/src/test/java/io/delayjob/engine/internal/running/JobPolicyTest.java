package io.delayjob.engine.internal.running;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.Backoff;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.handler.ExceptionRules;
import io.delayjob.engine.handler.JobOptions;
import io.delayjob.engine.internal.records.JobRecord;
import io.delayjob.spi.BackoffPolicy;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobPolicyTest {

    private static final JobOptions STATED = new JobOptions(
            4,
            Backoff.fixed(Duration.ofSeconds(4)),
            Duration.ofSeconds(40),
            Duration.ofSeconds(400),
            ExceptionRules.NONE);

    @Test
    void takesTheQueuesSettingsWhereNothingElseIsSaid() {
        JobPolicy policy = JobPolicy.of(record(null, null), JobOptions.NONE, TestSettings.defaults());
        assertThat(policy.maxAttempts()).isEqualTo(3);
        assertThat(policy.timeout()).isNull();
        assertThat(policy.timeToLive()).isNull();
        assertThat(policy.waitMillis(1, new IllegalStateException())).isEqualTo(50);
    }

    @Test
    void putsTheBeanBeforeTheQueue() {
        JobPolicy policy = JobPolicy.of(record(null, null), STATED, TestSettings.defaults());
        assertThat(policy.maxAttempts()).isEqualTo(4);
        assertThat(policy.timeout()).isEqualTo(Duration.ofSeconds(40));
        assertThat(policy.timeToLive()).isEqualTo(Duration.ofSeconds(400));
        assertThat(policy.waitMillis(1, new IllegalStateException())).isEqualTo(4000);
    }

    @Test
    void putsTheRequestBeforeTheBean() {
        JobPolicy policy = JobPolicy.of(record(5, Duration.ofSeconds(5)), STATED, TestSettings.defaults());
        assertThat(policy.maxAttempts()).isEqualTo(5);
        assertThat(policy.timeToLive()).isEqualTo(Duration.ofSeconds(5));
        assertThat(policy.timeout()).isEqualTo(Duration.ofSeconds(40));
    }

    @Test
    void asksTheApplicationsBackoffAndGoesOnWithoutItWhereItFails() {
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

    private static JobPolicy backoff(BackoffPolicy backoff) {
        return JobPolicy.of(
                record(null, null),
                new JobOptions(null, backoff, null, null, ExceptionRules.NONE),
                TestSettings.defaults());
    }

    private static JobRecord record(@Nullable Integer maxAttempts, @Nullable Duration timeToLive) {
        return new JobRecord("job", 0, maxAttempts, null, null, timeToLive, Map.of(), "null");
    }
}
