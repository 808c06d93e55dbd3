package io.delayjob.spi;

import io.delayjob.Backoff;
import java.time.Duration;

/**
 * Decides how long a failed job waits before its next attempt. A bean of this type is used where {@code delayjob.backoff.policy},
 * {@code delayjob.queues.<name>.backoff.policy} or {@link io.delayjob.JobBackoff#policy} names it. Must be thread-safe.
 */
@FunctionalInterface
public interface BackoffPolicy {

    /**
     * The wait after a failed attempt.
     *
     * @param attempt the attempt that failed, from 1
     * @param failure the exception that the attempt threw
     * @return the wait, zero or more; a negative one, null or an exception is logged, and {@link Backoff#DEFAULT} is used
     */
    Duration waitAfter(int attempt, Throwable failure);
}
