package io.delayjob.engine.internal.running;

import io.delayjob.Backoff;
import io.delayjob.engine.handler.ExceptionRules;
import io.delayjob.engine.handler.JobOptions;
import io.delayjob.engine.internal.records.JobRecord;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.spi.BackoffPolicy;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of one job's attempts: what its request says, else its bean or listener, else its queue. The one place where these
 * meet.
 *
 * @param maxAttempts how often it is tried
 * @param backoff the wait between attempts
 * @param timeout how long one attempt may run; null for as long as it likes
 * @param timeToLive how long after its due time it may begin; null for as late as it likes
 * @param stated which exceptions are retried, by its bean or listener
 * @param queues which exceptions are retried, by its queue
 */
record JobPolicy(
        int maxAttempts,
        BackoffPolicy backoff,
        @Nullable Duration timeout,
        @Nullable Duration timeToLive,
        ExceptionRules stated,
        ExceptionRules queues) {

    private static final Logger log = LoggerFactory.getLogger(JobPolicy.class);

    static JobPolicy of(JobRecord record, JobOptions options, QueueSettings settings) {
        return new JobPolicy(
                first(record.maxAttempts(), options.maxAttempts()).orElse(settings.maxAttempts()),
                first(record.backoff(), options.backoff()).orElse(settings.backoff()),
                first(record.timeout(), options.timeout()).orElse(settings.timeout()),
                first(record.timeToLive(), options.timeToLive()).orElse(settings.timeToLive()),
                options.exceptions(),
                settings.exceptions());
    }

    private static <V> Optional<V> first(@Nullable V one, @Nullable V other) {
        return Optional.ofNullable(one == null ? other : one);
    }

    /** Whether another attempt may follow. */
    boolean retries(int attempt, Throwable failure) {
        return attempt < maxAttempts
                && stated.over(queues).over(ExceptionRules.BASE).retries(failure);
    }

    /** The wait after a failed attempt, in milliseconds. A policy of the application's that fails is no reason to lose a job. */
    long waitMillis(int attempt, Throwable failure) {
        try {
            return Checks.ceilMillis(Checks.notNegative(backoff.waitAfter(attempt, failure), "backoff"));
        } catch (RuntimeException | Error e) {
            log.warn(
                    "the backoff policy {} failed after attempt {}, the default backoff is used",
                    backoff.getClass().getName(),
                    attempt,
                    e);
            return Backoff.DEFAULT.waitAfter(attempt, failure).toMillis();
        }
    }
}
