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
 * How a job is tried: how often, for how long, and what follows a failure. The policy of the request takes precedence over the
 * handler's, and that over the queue's: a null value, and exceptions that no rule names, are left to the next policy. A queue's
 * policy must set {@code maxAttempts} and {@code backoff}.
 *
 * @param maxAttempts how often a job is tried, at least 1; null to leave it to the next policy
 * @param backoff the wait between attempts; null to leave it to the next policy
 * @param timeout how long one attempt may run, at least 1 ms; null to leave it to the next policy, and no limit if none sets it
 * @param timeToLive how long after its due time a job may begin, at least 1 ms; null to leave it to the next policy, and no limit
 *     if none sets it
 * @param exceptions which exceptions are retried
 */
public record AttemptPolicy(
        @Nullable Integer maxAttempts,
        @Nullable BackoffPolicy backoff,
        @Nullable Duration timeout,
        @Nullable Duration timeToLive,
        ExceptionRules exceptions) {

    /** Leaves everything to the next policy. */
    public static final AttemptPolicy NONE = new AttemptPolicy(null, null, null, null, ExceptionRules.NONE);

    private static final Logger log = LoggerFactory.getLogger(AttemptPolicy.class);

    /** Checks the values. */
    public AttemptPolicy {
        Checks.ifGiven(maxAttempts, value -> Checks.atLeastOne(value, "maxAttempts"));
        Checks.ifGiven(timeout, value -> Checks.positive(value, "timeout"));
        Checks.ifGiven(timeToLive, value -> Checks.positive(value, "timeToLive"));
    }

    /** This policy, with the values of another one where this one has none. */
    public AttemptPolicy over(AttemptPolicy next) {
        return new AttemptPolicy(
                maxAttempts == null ? next.maxAttempts : maxAttempts,
                backoff == null ? next.backoff : backoff,
                timeout == null ? next.timeout : timeout,
                timeToLive == null ? next.timeToLive : timeToLive,
                exceptions.over(next.exceptions));
    }

    /** How often a job is tried; this policy must set it. */
    public int attempts() {
        return Objects.requireNonNull(maxAttempts, "maxAttempts");
    }

    /** Whether another attempt may follow one that failed. */
    public boolean retries(int attempt, Throwable failure) {
        return attempt < attempts() && exceptions.over(ExceptionRules.BASE).retries(failure);
    }

    /** The wait after a failed attempt, in milliseconds; that of the default backoff if the application's policy fails. */
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
