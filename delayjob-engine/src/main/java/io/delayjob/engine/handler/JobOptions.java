package io.delayjob.engine.handler;

import io.delayjob.spi.BackoffPolicy;
import io.delayjob.support.Checks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a bean or listener states for its jobs. Null means the queue's setting.
 *
 * @param maxAttempts how often a job is tried
 * @param backoff the wait between attempts
 * @param timeout how long one attempt may run
 * @param timeToLive how long after its due time a job may begin
 * @param exceptions which exceptions are retried
 */
public record JobOptions(
        @Nullable Integer maxAttempts,
        @Nullable BackoffPolicy backoff,
        @Nullable Duration timeout,
        @Nullable Duration timeToLive,
        ExceptionRules exceptions) {

    /** States nothing. */
    public static final JobOptions NONE = new JobOptions(null, null, null, null, ExceptionRules.NONE);

    /** Checks the values. */
    public JobOptions {
        Checks.ifGiven(maxAttempts, value -> Checks.atLeastOne(value, "maxAttempts"));
        Checks.ifGiven(timeout, value -> Checks.positive(value, "timeout"));
        Checks.ifGiven(timeToLive, value -> Checks.positive(value, "timeToLive"));
    }
}
