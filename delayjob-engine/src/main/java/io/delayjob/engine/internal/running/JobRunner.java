package io.delayjob.engine.internal.running;

import io.delayjob.AckMode;
import io.delayjob.Acknowledgment;
import io.delayjob.JobEvent;
import io.delayjob.engine.extension.Interceptors;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.handler.JobRegistry;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.engine.handler.RegisteredJob;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.records.ErrorText;
import io.delayjob.engine.internal.records.JobRecord;
import io.delayjob.engine.internal.records.RecordCodec;
import io.delayjob.engine.internal.records.UnreadableRecordException;
import io.delayjob.engine.internal.running.Run.Interruption;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.engine.telemetry.QueueTelemetry;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does one attempt at a claimed job, on a worker's thread, and says how the run ends. */
public final class JobRunner {

    private static final Logger log = LoggerFactory.getLogger(JobRunner.class);

    private final Shard shard;
    private final QueueSettings settings;
    private final JobRegistry registry;
    private final ParamCodec params;
    private final Interceptors interceptors;
    private final JobEvents events;
    private final QueueTelemetry telemetry;
    private final ScheduledExecutorService scheduler;
    private final Duration patience;
    private final Endings endings;
    private final UnableJobs unable;
    private final RecordCodec records = new RecordCodec();

    public JobRunner(
            Shard shard,
            QueueSettings settings,
            EngineSettings engine,
            JobRegistry registry,
            ParamCodec params,
            Interceptors interceptors,
            JobEvents events,
            QueueTelemetry telemetry,
            ScheduledExecutorService scheduler) {
        this.shard = shard;
        this.settings = settings;
        this.registry = registry;
        this.params = params;
        this.interceptors = interceptors;
        this.events = events;
        this.telemetry = telemetry;
        this.scheduler = scheduler;
        this.patience = engine.submitTimeout();
        this.endings = new Endings(shard);
        this.unable = new UnableJobs(shard.id(), engine.unableTimeout(), endings);
    }

    /** Tells the ledger how a run ended; false if its lease was lost. */
    @FunctionalInterface
    interface Settler extends BiFunction<Run, Ending.Settle, CompletableFuture<Boolean>> {}

    /** One attempt, while it is made. */
    private record Attempt(Run run, JobRecord record, RegisteredJob job, JobPolicy policy) {}

    /**
     * Does the attempt.
     *
     * @param settler for a listener that says itself how the attempt ended
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
            record = records.read(claimed.record());
        } catch (UnreadableRecordException e) {
            publishClaimed(run);
            return e.newer() ? unable.newer(run, e.reason()) : endings.bury(run, e.reason(), null);
        }
        run.record(record);
        RegisteredJob job = registry.named(record.job()).orElse(null);
        if (job != null) {
            run.known(job);
        }
        if (claimed.expired()) {
            log.warn(
                    "attempt {} of job {} ({}) in {} never ended: its lease ran out",
                    claimed.attempt() - 1,
                    claimed.lease().id(),
                    record.job(),
                    shard.id());
        }
        // What the bean states for its jobs is not known where it is not.
        JobPolicy policy = job == null ? null : JobPolicy.of(record, job.options(), settings);
        String refusal = refusal(claimed, policy);
        if (refusal != null) {
            return endings.refuse(run, refusal);
        }
        publishClaimed(run);
        if (job == null || policy == null) {
            return unable.withoutHandler(run, record.job(), registry.names());
        }
        return bind(new Attempt(run, record, job, policy), settler);
    }

    private static String quarantined(Claimed.Job job) {
        return "quarantined: " + job.lost() + " attempts in a row never ended, their nodes died or lost the lease,"
                + " or nobody acknowledged";
    }

    private void publishClaimed(Run run) {
        Claimed.Job job = run.job();
        events.publish(
                JobEvent.Claimed.class,
                () -> new JobEvent.Claimed(
                        shard.id().queue(),
                        job.lease().id(),
                        run.jobName(),
                        job.attempt(),
                        Instant.ofEpochMilli(job.dueMillis()),
                        Instant.ofEpochMilli(job.beginsMillis())));
    }

    /** Why the job is not to be tried again, or null. */
    private @Nullable String refusal(Claimed.Job job, @Nullable JobPolicy policy) {
        String refusal = policy == null ? null : refusalBy(policy, job);
        return refusal == null && job.lost() >= settings.quarantineAfter() ? quarantined(job) : refusal;
    }

    private static @Nullable String refusalBy(JobPolicy policy, Claimed.Job job) {
        if (job.attempt() > policy.maxAttempts()) {
            String last = "attempt " + (job.attempt() - 1) + " of " + policy.maxAttempts();
            return job.lost() == 0
                    ? last + " was one too many: another node allowed more"
                    : last + " never ended: its node died or lost the lease, or nobody acknowledged";
        }
        Duration timeToLive = policy.timeToLive();
        long late = job.nowMillis() - job.dueMillis();
        if (timeToLive != null && job.attempt() == 1 && late > timeToLive.toMillis()) {
            return "not begun within its time to live of " + timeToLive + ": " + late + " ms after its due time";
        }
        return null;
    }

    private Ending bind(Attempt attempt, Settler settler) {
        Object param;
        try {
            param = params.read(attempt.job(), attempt.record().param());
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            // A param class that cannot be initialised, or lacks another, fails with an error, and does so every time.
            return endings.unbound(
                    attempt.run(),
                    "the param does not bind to " + attempt.job().paramType().toCanonical() + " of "
                            + attempt.job().label(),
                    e);
        }
        Execution execution = new Execution(
                shard, params, attempt.run(), attempt.record(), attempt.policy().maxAttempts(), param);
        ManualAcknowledgment acknowledgment = new ManualAcknowledgment(
                attempt.run(),
                attempt.policy(),
                endings,
                ending -> settler.apply(attempt.run(), ending),
                shard.id().queue(),
                patience);
        return attempt(attempt, execution, acknowledgment);
    }

    private Ending attempt(Attempt attempt, Execution execution, ManualAcknowledgment acknowledgment) {
        Run run = attempt.run();
        Duration timeout = attempt.policy().timeout();
        if (run.isOver()) {
            // This node stood still: another one may have begun, or even ended.
            return endings.release(run, "its lease may have ended before it began");
        }
        if (!run.begin()) {
            run.end();
            return interrupted(run);
        }
        telemetry.began(run.lateNanos());
        ScheduledFuture<?> alarm = timeout == null ? null : interruptAfter(run, timeout);
        try {
            execute(attempt.job(), execution, acknowledgment);
            return attempt.job().ackMode() == AckMode.MANUAL ? new Ending.Left() : endings.complete(run);
        } catch (Throwable e) {
            return thrown(attempt, acknowledgment, e);
        } finally {
            run.end();
            if (alarm != null) {
                alarm.cancel(false);
            }
        }
    }

    private void execute(RegisteredJob job, Execution execution, Acknowledgment acknowledgment) throws Exception {
        interceptors.execute(execution, () -> job.work().execute(execution, acknowledgment));
    }

    private ScheduledFuture<?> interruptAfter(Run run, Duration timeout) {
        return scheduler.schedule(() -> run.interrupt(Interruption.TIMEOUT), timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    private Ending thrown(Attempt attempt, ManualAcknowledgment acknowledgment, Throwable failure) {
        Run run = attempt.run();
        if (attempt.job().ackMode() == AckMode.MANUAL && !acknowledgment.close()) {
            log.warn(
                    "job {} in {} threw after its listener had said how it ended: {}",
                    run.lease().id(),
                    shard.id(),
                    ErrorText.of(failure));
            return new Ending.Left();
        }
        Interruption interruption = run.interruption();
        if (interruption != null && interruption != Interruption.TIMEOUT) {
            return interrupted(run);
        }
        if (attempt.job().ackMode() == AckMode.ALWAYS) {
            log.warn(
                    "job {} in {} failed and is completed all the same: {}",
                    run.lease().id(),
                    shard.id(),
                    ErrorText.of(failure));
            return endings.complete(run);
        }
        return endings.failed(run, attempt.policy(), interruption == null ? failure : late(attempt.policy(), failure));
    }

    private static TimeoutException late(JobPolicy policy, Throwable failure) {
        TimeoutException late =
                new TimeoutException("the attempt was interrupted after its timeout of " + policy.timeout());
        late.initCause(failure);
        return late;
    }

    private Ending interrupted(Run run) {
        return run.interruption() == Interruption.SHUTDOWN ? endings.release(run, "its node stops") : new Ending.Lost();
    }
}
