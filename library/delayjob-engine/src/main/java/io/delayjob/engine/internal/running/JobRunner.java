package io.delayjob.engine.internal.running;

import io.delayjob.AckMode;
import io.delayjob.Acknowledgment;
import io.delayjob.JobEvent;
import io.delayjob.RateLimitedException;
import io.delayjob.engine.handler.Handler;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.records.ErrorText;
import io.delayjob.engine.internal.records.JobRecord;
import io.delayjob.engine.internal.records.UnreadableRecordException;
import io.delayjob.engine.internal.running.Run.Interruption;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.settings.AttemptPolicy;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.engine.telemetry.QueueTelemetry;
import io.delayjob.support.Logged;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one attempt at a claimed job, on a worker's thread, and returns how the run ended. */
public final class JobRunner {

    private static final Logger log = LoggerFactory.getLogger(JobRunner.class);

    /** Between two interrupts of an attempt that goes on after its timeout: time for what it has to put in order. */
    private static final Duration INTERRUPTS_APART = Duration.ofSeconds(5);

    private final Shard shard;
    private final Node node;
    private final QueueTelemetry telemetry;
    private final Admission admission;
    private final Endings endings;
    private final JobsWithoutHandler jobsWithoutHandler;

    JobRunner(Shard shard, QueueSettings queue, Node node) {
        this.shard = shard;
        this.node = node;
        this.telemetry = node.hooks().telemetries().of(shard.id().queue());
        this.admission = new Admission(queue);
        this.endings = new Endings(shard);
        this.jobsWithoutHandler =
                new JobsWithoutHandler(shard.id(), node.settings().consuming().noHandlerTimeout(), endings);
    }

    /** Settles a run in the ledger; answers false if its lease was lost. */
    @FunctionalInterface
    interface Settler extends BiFunction<Run, Ending.Settle, CompletableFuture<Boolean>> {}

    /** One attempt while it runs. */
    private record Attempt(Run run, JobRecord record, Handler job, AttemptPolicy policy) {}

    /**
     * Runs the attempt.
     *
     * @param settler settles the run for a listener that acknowledges manually
     */
    Ending run(Run run, Settler settler) {
        LoggedJob logged = new LoggedJob(shard.id().queue(), run);
        try {
            return runLogged(run, settler);
        } finally {
            logged.end();
        }
    }

    private Ending runLogged(Run run, Settler settler) {
        Claimed.Job claimed = run.job();
        JobRecord record;
        try {
            record = admission.read(claimed);
        } catch (UnreadableRecordException e) {
            publishClaimed(run);
            return e.newer() ? jobsWithoutHandler.newer(run, e.reason()) : endings.bury(run, e.reason(), null);
        }
        run.record(record);
        Handler job = node.registry().named(record.job()).orElse(null);
        if (job != null) {
            run.known(job);
        }
        admission.logExpired(shard.id(), claimed, record.job());
        // Without a handler its policy is unknown.
        AttemptPolicy policy = job == null ? null : admission.policy(record, job.attempts());
        String refusal = admission.refusal(claimed, policy);
        if (refusal != null) {
            return endings.refuse(run, refusal);
        }
        publishClaimed(run);
        if (job == null || policy == null) {
            return jobsWithoutHandler.unknown(run, record.job(), node.registry().names());
        }
        return bind(new Attempt(run, record, job, policy), settler);
    }

    private void publishClaimed(Run run) {
        node.hooks()
                .events()
                .publish(JobEvent.Claimed.class, () -> run.claimed(shard.id().queue()));
    }

    private Ending bind(Attempt attempt, Settler settler) {
        Object param;
        try {
            param = node.params().read(attempt.job(), attempt.record().param());
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            // A param class that cannot be initialised, or that needs a missing class, fails with an error, and does so
            // every time.
            return endings.unbound(
                    attempt.run(),
                    "the param does not bind to " + attempt.job().paramType().toCanonical() + " of "
                            + attempt.job().label(),
                    e);
        }
        Execution execution =
                new Execution(shard, node.params(), attempt.run(), attempt.record(), attempt.policy(), param);
        ManualAcknowledgment acknowledgment = new ManualAcknowledgment(
                attempt.run(),
                attempt.policy(),
                endings,
                ending -> settler.apply(attempt.run(), ending),
                shard.id().queue(),
                node.settings().submitting().timeout());
        return attempt(attempt, execution, acknowledgment);
    }

    private Ending attempt(Attempt attempt, Execution execution, ManualAcknowledgment acknowledgment) {
        Run run = attempt.run();
        Duration timeout = attempt.policy().timeout();
        if (run.isOver()) {
            // This node was paused: another node may have begun the job, or even ended it.
            return endings.release(run, "its lease may have ended before the attempt began");
        }
        if (!run.begin()) {
            run.end();
            return interrupted(run);
        }
        telemetry.began(run.lateNanos());
        ScheduledFuture<?> alarm = timeout == null ? null : interruptAfter(run, timeout);
        try {
            execute(attempt.job(), execution, acknowledgment);
            return attempt.job().ackMode() == AckMode.MANUAL ? new Ending.Unacknowledged() : endings.complete(run);
        } catch (Throwable e) {
            return thrown(attempt, acknowledgment, e);
        } finally {
            run.end();
            if (alarm != null) {
                alarm.cancel(false);
            }
        }
    }

    private void execute(Handler job, Execution execution, Acknowledgment acknowledgment) throws Exception {
        node.hooks().interceptors().execute(execution, () -> job.work().execute(execution, acknowledgment));
    }

    private ScheduledFuture<?> interruptAfter(Run run, Duration timeout) {
        return node.scheduler()
                .scheduleWithFixedDelay(
                        () -> run.interrupt(Interruption.TIMEOUT),
                        timeout.toMillis(),
                        INTERRUPTS_APART.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    private Ending thrown(Attempt attempt, ManualAcknowledgment acknowledgment, Throwable failure) {
        Run run = attempt.run();
        if (attempt.job().ackMode() == AckMode.MANUAL && !acknowledgment.close()) {
            log.warn(
                    "job {} in {} threw after its listener had acknowledged, retried or rejected it: {}",
                    run.lease().id(),
                    shard.id(),
                    Logged.text(ErrorText.of(failure)));
            return new Ending.Unacknowledged();
        }
        Interruption interruption = run.interruption();
        if (interruption != null && interruption != Interruption.TIMEOUT) {
            return interrupted(run);
        }
        if (attempt.job().ackMode() == AckMode.ALWAYS) {
            log.warn(
                    "job {} in {} failed, but is completed because its listener has AckMode.ALWAYS: {}",
                    run.lease().id(),
                    shard.id(),
                    Logged.text(ErrorText.of(failure)));
            return endings.complete(run);
        }
        return endings.failed(
                run,
                attempt.policy(),
                interruption == null || failure instanceof RateLimitedException
                        ? failure
                        : late(attempt.policy(), failure));
    }

    private static TimeoutException late(AttemptPolicy policy, Throwable failure) {
        TimeoutException late =
                new TimeoutException("the attempt was interrupted after its timeout of " + policy.timeout());
        late.initCause(failure);
        return late;
    }

    private Ending interrupted(Run run) {
        return run.interruption() == Interruption.SHUTDOWN
                ? endings.release(run, "its node is stopping")
                : new Ending.Lost();
    }
}
