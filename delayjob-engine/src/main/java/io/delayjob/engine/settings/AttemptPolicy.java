package io.delayjob.engine.settings;

import io.delayjob.Backoff;
import io.delayjob.spi.BackoffPolicy;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a job is tried: how often, how long, and what follows a failure. A request takes precedence over the handler, and that over the queue:
 * null, and exceptions that are not named, leave the question to the next of them. A queue's policy leaves none open.
 *
 * @param maxAttempts how often a job is tried, at least once
 * @param backoff the wait between attempts
 * @param timeout how long one attempt may run; null in the end for as long as it likes
 * @param timeToLive how long after its due time a job may begin; null in the end for as late as it likes
 * @param exceptions which exceptions are retried
 */
public record AttemptPolicy(
        @Nullable Integer maxAttempts,
        @Nullable BackoffPolicy backoff,
        @Nullable Duration timeout,
        @Nullable Duration timeToLive,
        ExceptionRules exceptions) {

    /** Leaves everything open. */
    public static final AttemptPolicy NONE = new AttemptPolicy(null, null, null, null, ExceptionRules.NONE);

    private static final Logger log = LoggerFactory.getLogger(AttemptPolicy.class);

    /** Checks the values. */
    public AttemptPolicy {
        Checks.ifGiven(maxAttempts, value -> Checks.atLeastOne(value, "maxAttempts"));
        Checks.ifGiven(timeout, value -> Checks.positive(value, "timeout"));
        Checks.ifGiven(timeToLive, value -> Checks.positive(value, "timeToLive"));
    }

    /** This policy, and another one for what it leaves open. */
    public AttemptPolicy over(AttemptPolicy next) {
        return new AttemptPolicy(
                maxAttempts == null ? next.maxAttempts : maxAttempts,
                backoff == null ? next.backoff : backoff,
                timeout == null ? next.timeout : timeout,
                timeToLive == null ? next.timeToLive : timeToLive,
                exceptions.over(next.exceptions));
    }

    /** How often a job is tried, by a policy that does not leave that open. */
    public int attempts() {
        return Objects.requireNonNull(maxAttempts, "maxAttempts");
    }

    /** Whether another attempt may follow one that failed. */
    public boolean retries(int attempt, Throwable failure) {
        return attempt < attempts() && exceptions.over(ExceptionRules.BASE).retries(failure);
    }

    /** The wait after a failed attempt, in milliseconds; the default one if the application's policy fails itself. */
    public long waitMillis(int attempt, Throwable failure) {
        BackoffPolicy policy = Objects.requireNonNull(backoff, "backoff");
        try {
            return Checks.ceilMillis(Checks.notNegative(policy.waitAfter(attempt, failure), "backoff"));
        } catch (RuntimeException | Error e) {
            log.warn(
                    "the backoff policy {} failed after attempt {}, the default backoff is used",
                    policy.getClass().getName(),
                    attempt,
                    e);
            return Backoff.DEFAULT.waitAfter(attempt, failure).toMillis();
        }
    }
}
