package io.delayjob.engine.internal.running;

import io.delayjob.JobEvent;
import io.delayjob.RateLimitedException;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.records.ErrorText;
import io.delayjob.engine.ledger.Settlement;
import io.delayjob.engine.settings.AttemptPolicy;
import io.delayjob.support.Checks;
import io.delayjob.support.Logged;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the endings of the runs of one shard, with their log lines and events. */
final class Endings {

    private static final Logger log = LoggerFactory.getLogger(Endings.class);

    private final Shard shard;

    Endings(Shard shard) {
        this.shard = shard;
    }

    /** The attempt succeeded. */
    Ending.Settle complete(Run run) {
        return new Ending.Settle(
                new Settlement.Complete(run.lease(), run.result(), run.recordLength()),
                events -> events.publish(
                        JobEvent.Completed.class,
                        () -> new JobEvent.Completed(
                                queue(), id(run), run.jobName(), attempt(run), Duration.ofNanos(run.elapsedNanos()))));
    }

    /** The attempt failed; another one follows if the policy allows it. */
    Ending.Settle failed(Run run, AttemptPolicy policy, Throwable failure) {
        if (failure instanceof RateLimitedException limited) {
            return slowDown(run, limited.delay());
        }
        return policy.retries(attempt(run), failure)
                ? retry(run, policy, failure, policy.waitMillis(attempt(run), failure))
                : buryAfter(run, policy, failure);
    }

    /** The attempt failed, and the listener chose the wait before the next one. */
    Ending.Settle retryAfter(Run run, AttemptPolicy policy, Throwable failure, long waitMillis) {
        return attempt(run) < policy.attempts()
                ? retry(run, policy, failure, waitMillis)
                : buryAfter(run, policy, failure);
    }

    private Ending.Settle buryAfter(Run run, AttemptPolicy policy, Throwable failure) {
        return bury(run, "attempt " + attempt(run) + " of " + policy.attempts() + " failed", failure);
    }

    private Ending.Settle retry(Run run, AttemptPolicy policy, Throwable failure, long waitMillis) {
        log.warn(
                "job {} ({}) in {} failed attempt {} of {}, next in {} ms: {}",
                id(run),
                run.jobName(),
                shard.id(),
                attempt(run),
                policy.attempts(),
                waitMillis,
                Logged.text(ErrorText.lineOf(failure)));
        return new Ending.Settle(
                new Settlement.Retry(run.lease(), waitMillis, ErrorText.of(failure)),
                events -> events.publish(
                        JobEvent.Retried.class,
                        () -> new JobEvent.Retried(
                                queue(),
                                id(run),
                                run.jobName(),
                                attempt(run),
                                failure,
                                Duration.ofMillis(waitMillis))));
    }

    /** The job is given up. */
    Ending.Settle bury(Run run, String reason, @Nullable Throwable failure) {
        String text = ErrorText.of(reason, failure);
        logDeath(run, text);
        return buried(run, true, text, failure);
    }

    /** The job is given up without an attempt; the attempt that the claim counted is taken back. */
    Ending.Settle refuse(Run run, String reason) {
        logDeath(run, reason);
        return buried(run, false, reason, null);
    }

    /** The job is given up because of its param. The failure may quote the param, so it is stored with the job but not logged. */
    Ending.Settle unbound(Run run, String reason, Throwable failure) {
        logDeath(run, reason + ": " + ErrorText.placeOf(failure));
        return buried(run, true, ErrorText.of(reason, failure), failure);
    }

    private void logDeath(Run run, String why) {
        log.error("job {} ({}) in {} is dead: {}", id(run), run.jobName(), shard.id(), Logged.text(why));
    }

    private Ending.Settle buried(Run run, boolean spent, String text, @Nullable Throwable failure) {
        int lastAttempt = spent ? attempt(run) : attempt(run) - 1;
        return new Ending.Settle(
                new Settlement.Bury(run.lease(), text, spent),
                events -> events.publish(
                        JobEvent.Buried.class,
                        () -> new JobEvent.Buried(
                                queue(), id(run), run.jobName(), lastAttempt, text, failure, run.paramText())));
    }

    /** The job is given back unchanged, and no job with its key begins for some time; without a key, none of its queue. */
    Ending.Settle slowDown(Run run, Duration time) {
        return released(
                run,
                new Settlement.Release(run.lease(), null, null, null, Checks.ceilMillis(time), run.hasBegun()),
                "it was told to slow down for " + time);
    }

    /** The job is given back unchanged. */
    Ending.Settle release(Run run, String reason) {
        return release(run, null, null, reason);
    }

    /**
     * The job is given back as if it had not been claimed.
     *
     * @param leaseEnds when its lease ends, unless it was extended or handed out again, so that it is not given back; null to give it back in
     *     any case
     */
    Ending.Settle releaseUntouched(Run run, @Nullable Instant leaseEnds, String reason) {
        Long ends = leaseEnds == null ? null : leaseEnds.toEpochMilli();
        return released(run, new Settlement.Release(run.lease(), null, null, ends), reason);
    }

    /**
     * The job is given back.
     *
     * @param noHandlerMillis how long it waits, in milliseconds, because this node cannot run it; null to be due as before
     * @param missingHandler the name that this node has no handler for; null if the reason is another one
     */
    Ending.Settle release(Run run, @Nullable Long noHandlerMillis, @Nullable String missingHandler, String reason) {
        return released(
                run,
                new Settlement.Release(run.lease(), noHandlerMillis, missingHandler, null, null, run.hasBegun()),
                reason);
    }

    private Ending.Settle released(Run run, Settlement.Release settlement, String reason) {
        return new Ending.Settle(
                settlement,
                events -> events.publish(
                        JobEvent.Released.class,
                        () -> new JobEvent.Released(queue(), id(run), run.jobName(), attempt(run), reason)));
    }

    private String queue() {
        return shard.id().queue();
    }

    private static String id(Run run) {
        return run.lease().id();
    }

    private static int attempt(Run run) {
        return run.job().attempt().number();
    }
}
