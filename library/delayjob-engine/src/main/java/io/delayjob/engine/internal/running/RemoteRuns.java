package io.delayjob.engine.internal.running;

import io.delayjob.JobEvent;
import io.delayjob.JobState;
import io.delayjob.Progress;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.records.JobRecord;
import io.delayjob.engine.internal.records.UnreadableRecordException;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.engine.settings.AttemptPolicy;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.engine.telemetry.QueueTelemetry;
import io.delayjob.engine.telemetry.QueueTelemetry.Outcome;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The runs of one shard on workers elsewhere: admits jobs that were claimed for them, and settles their attempts. A job is tried as its
 * request says, or else its queue; a handler that this node may have for it does not count, because other nodes may have none.
 * Thread-safe.
 */
public final class RemoteRuns {

    /** How long a claim can be repeated before what it got, and nobody took, is given back. */
    private static final Duration TIME_TO_REPEAT = Duration.ofMillis(500);

    private final Shard shard;
    private final QueueSettings queue;
    private final Node node;
    private final QueueTelemetry telemetry;
    private final Admission admission;
    private final Endings endings;
    private final JobsWithoutHandler jobsWithoutHandler;
    private final Settlements settlements;

    public RemoteRuns(Shard shard, QueueSettings queue, Node node) {
        this.shard = shard;
        this.queue = queue;
        this.node = node;
        this.telemetry = node.hooks().telemetries().of(shard.id().queue());
        this.admission = new Admission(queue);
        this.endings = new Endings(shard);
        this.jobsWithoutHandler =
                new JobsWithoutHandler(shard.id(), node.settings().consuming().noHandlerTimeout(), endings);
        this.settlements = new Settlements(shard, node);
    }

    /**
     * Admits a claimed job; empty if it must not be handed out, and is settled already.
     *
     * @param askedNanos when the claim was sent, a {@link System#nanoTime}
     */
    public Optional<RemoteRun> admit(Claimed.Job job, long askedNanos) {
        if (job.expired()) {
            telemetry.expired();
        }
        Run run = new Run(job, queue.lease().toMillis(), askedNanos);
        try {
            return admit(run, admission.read(job));
        } catch (UnreadableRecordException e) {
            publishClaimed(run);
            settle(run, e.newer() ? jobsWithoutHandler.newer(run, e.reason()) : endings.bury(run, e.reason(), null));
            return Optional.empty();
        }
    }

    private Optional<RemoteRun> admit(Run run, JobRecord record) {
        run.record(record);
        known(run, record.job());
        admission.logExpired(shard.id(), run.job(), record.job());
        AttemptPolicy policy = admission.policy(record, AttemptPolicy.NONE);
        String refusal = admission.refusal(run.job(), policy);
        if (refusal != null) {
            settle(run, endings.refuse(run, refusal));
            return Optional.empty();
        }
        publishClaimed(run);
        return Optional.of(new RemoteRun(run, record, policy, this));
    }

    private void publishClaimed(Run run) {
        node.hooks()
                .events()
                .publish(JobEvent.Claimed.class, () -> run.claimed(shard.id().queue()));
    }

    private void known(Run run, String name) {
        node.registry().named(name).ifPresent(run::known);
    }

    void begin(Run run, long nanos) {
        run.beginElsewhere(nanos);
        telemetry.began(run.lateNanos());
    }

    void giveBack(Run run, String why) {
        settle(run, endings.releaseUntouched(run, null, why));
    }

    /** Gives back a job that nobody got after a while in which its claim can be repeated; whoever has it then keeps it. */
    void giveBackUnlessRepeated(Run run, Instant leaseEnds, String why) {
        try {
            node.scheduler()
                    .schedule(
                            () -> settlements.offer(run, endings.releaseUntouched(run, leaseEnds, why)),
                            TIME_TO_REPEAT.toMillis(),
                            TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // This node is closed: the lease ends by itself.
            return;
        }
    }

    /** Nobody got the job: as {@link RemoteRun#giveBackUnlessRepeated}. */
    public void giveBackUnlessRepeated(RemoteAttempt attempt, Instant leaseEnds, String why) {
        giveBackUnlessRepeated(run(attempt, null), leaseEnds, why);
    }

    /** Nobody got the job: it is given back without spending the attempt. */
    public void giveBack(RemoteAttempt attempt, String why) {
        giveBack(run(attempt, null), why);
    }

    /**
     * The attempt succeeded. Answers, as the following methods do, whether the attempt still held the job.
     *
     * @param result its result as JSON; null for none
     */
    public CompletableFuture<Boolean> complete(RemoteAttempt attempt, @Nullable String result) {
        Run run = run(attempt, null);
        run.result(result);
        return settle(run, endings.complete(run));
    }

    /**
     * The job is given back without spending the attempt, and no job with its key begins for some time, or none of its queue. Reads it first, because its
     * record says whether it has a key.
     */
    public CompletableFuture<Boolean> slowDown(RemoteAttempt attempt, Duration time) {
        return ifHeld(attempt, Outcome.RELEASED, run -> endings.slowDown(run, time));
    }

    /** The job is given back without spending the attempt. Its worker does not say whether it had begun. */
    public CompletableFuture<Boolean> release(RemoteAttempt attempt) {
        Run run = run(attempt, null);
        return settle(run, endings.releaseUntouched(run, null, "its worker gave it back"));
    }

    /**
     * The attempt failed. Reads the job first, because its record says how often it may be tried.
     *
     * @param delay the wait before the next attempt; null for the backoff of the job
     */
    public CompletableFuture<Boolean> retry(RemoteAttempt attempt, @Nullable Duration delay, String error) {
        return ifHeld(attempt, Outcome.RETRIED, run -> retried(run, delay, new WorkerFailedException(error)));
    }

    private Ending.Settle retried(Run run, @Nullable Duration delay, WorkerFailedException failure) {
        JobRecord record = run.record();
        AttemptPolicy policy = record == null ? queue.attempts() : admission.policy(record, AttemptPolicy.NONE);
        long wait = delay == null ? policy.waitMillis(run.job().attempt().number(), failure) : Checks.ceilMillis(delay);
        return endings.retryAfter(run, policy, failure, wait);
    }

    /** The job is given up. Reads it first, because the event of its death has its param. */
    public CompletableFuture<Boolean> bury(RemoteAttempt attempt, String reason) {
        return ifHeld(attempt, Outcome.DEAD, run -> endings.bury(run, reason, null));
    }

    /** The lease lasts at least so long from now. */
    public CompletableFuture<Boolean> extend(RemoteAttempt attempt, Duration lease) {
        Run run = run(attempt, null);
        return shard.extend(new Ledger.Renewal(attempt.lease(), Checks.ceilMillis(lease)))
                .whenComplete((held, failure) -> {
                    if (failure == null && held) {
                        node.hooks()
                                .events()
                                .publish(
                                        JobEvent.Renewed.class,
                                        () -> run.renewal(shard.id().queue(), lease));
                    }
                });
    }

    /** How far the worker is. */
    public CompletableFuture<Boolean> report(RemoteAttempt attempt, Progress progress) {
        return shard.report(new Ledger.Report(attempt.lease(), progress));
    }

    /** Settles an attempt whose job was read and is still reserved for it. Otherwise there is nothing to log or send. */
    private CompletableFuture<Boolean> ifHeld(
            RemoteAttempt attempt, Outcome outcome, Function<Run, Ending.Settle> ending) {
        return shard.ledger().find(attempt.lease().id()).thenCompose(found -> {
            Optional<StoredJob> held = found.filter(
                    job -> job.state() == JobState.RESERVED && job.attempt().number() == attempt.number());
            Run run = run(attempt, held.map(StoredJob::record).orElse(null));
            if (held.isPresent()) {
                return settle(run, ending.apply(run));
            }
            settlements.tooLate(run, outcome);
            return CompletableFuture.completedFuture(false);
        });
    }

    private Run run(RemoteAttempt attempt, @Nullable String record) {
        Run run = Run.elsewhere(attempt, record);
        known(run, attempt.job());
        if (record != null) {
            try {
                run.record(admission.read(run.job()));
            } catch (UnreadableRecordException e) {
                // It was damaged since the claim; the attempt is settled all the same.
                return run;
            }
        }
        return run;
    }

    private CompletableFuture<Boolean> settle(Run run, Ending.Settle ending) {
        boolean unused = run.settle();
        return settlements.store(run, ending, () -> {});
    }
}
