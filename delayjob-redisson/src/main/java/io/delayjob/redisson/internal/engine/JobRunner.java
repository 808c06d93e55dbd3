package io.delayjob.redisson.internal.engine;

import io.delayjob.Backoff;
import io.delayjob.DelayJob;
import io.delayjob.JobExecution;
import io.delayjob.NonRetryableException;
import io.delayjob.redisson.internal.engine.Run.Interruption;
import io.delayjob.redisson.internal.ledger.Claimed;
import io.delayjob.redisson.internal.ledger.Settlement;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does one attempt at a claimed job, on a worker's thread, and says how the claim ends. */
final class JobRunner {

    private static final Logger log = LoggerFactory.getLogger(JobRunner.class);

    private final Shard shard;
    private final QueueSettings settings;
    private final JobRegistry registry;
    private final ParamCodec params;
    private final UnableJobs unable;
    private final ScheduledExecutorService scheduler;
    private final RecordCodec records = new RecordCodec();

    JobRunner(
            Shard shard,
            QueueSettings settings,
            JobRegistry registry,
            ParamCodec params,
            UnableJobs unable,
            ScheduledExecutorService scheduler) {
        this.shard = shard;
        this.settings = settings;
        this.registry = registry;
        this.params = params;
        this.unable = unable;
        this.scheduler = scheduler;
    }

    /** How the claim ends; null if it was lost, so that there is nothing to say. */
    @Nullable Settlement run(Run run) {
        Claimed.Job job = run.job();
        JobRecord record;
        try {
            record = records.read(job.record());
        } catch (UnreadableRecordException e) {
            return e.newer() ? unable.settle(job, e.reason()) : bury(run, e.reason(), null);
        }
        if (job.attempt() > maxAttempts(record)) {
            return bury(
                    run,
                    "attempt " + (job.attempt() - 1) + " of " + maxAttempts(record)
                            + " never ended: its node died, or lost its lease",
                    null);
        }
        RegisteredJob bean = registry.named(record.job()).orElse(null);
        if (bean == null) {
            return unable.settle(
                    job, "no DelayJob bean is named '" + record.job() + "'; this node has " + registry.names());
        }
        return bind(run, record, bean);
    }

    private @Nullable Settlement bind(Run run, JobRecord record, RegisteredJob bean) {
        Object param;
        try {
            param = params.read(bean, record.param());
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            // A param class that cannot be initialised, or lacks another, fails with an error, and does so every time.
            return bury(
                    run,
                    "the param does not bind to " + bean.paramType().toCanonical() + " of "
                            + bean.jobClass().getName(),
                    e);
        }
        return attempt(run, record, bean, param);
    }

    private @Nullable Settlement attempt(Run run, JobRecord record, RegisteredJob bean, @Nullable Object param) {
        Duration timeout = record.timeout() == null ? settings.timeout() : record.timeout();
        if (!run.begin()) {
            run.end();
            return interrupted(run);
        }
        ScheduledFuture<?> alarm = timeout == null ? null : interruptAfter(run, timeout);
        try {
            execute(bean, new Execution(shard, run, record, param));
            return new Settlement.Complete(run.lease());
        } catch (Throwable e) {
            return failed(run, record, timeout, e);
        } finally {
            run.end();
            if (alarm != null) {
                alarm.cancel(false);
            }
        }
    }

    /** The registry binds a bean to its own param type, which the compiler cannot see. */
    @SuppressWarnings("unchecked")
    private static void execute(RegisteredJob bean, JobExecution<Object> execution) throws Exception {
        ((DelayJob<Object>) bean.bean().get()).execute(execution);
    }

    private ScheduledFuture<?> interruptAfter(Run run, Duration timeout) {
        return scheduler.schedule(() -> run.interrupt(Interruption.TIMEOUT), timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    private @Nullable Settlement failed(Run run, JobRecord record, @Nullable Duration timeout, Throwable failure) {
        Interruption interruption = run.interruption();
        if (interruption == Interruption.TIMEOUT) {
            TimeoutException late = new TimeoutException("the attempt was interrupted after its timeout of " + timeout);
            late.initCause(failure);
            return failed(run, record, late);
        }
        return interruption == null ? failed(run, record, failure) : interrupted(run);
    }

    private @Nullable Settlement interrupted(Run run) {
        return run.interruption() == Interruption.SHUTDOWN ? new Settlement.Release(run.lease(), null) : null;
    }

    private Settlement failed(Run run, JobRecord record, Throwable failure) {
        int attempt = run.job().attempt();
        if (failure instanceof NonRetryableException || attempt >= maxAttempts(record)) {
            return bury(run, "attempt " + attempt + " of " + maxAttempts(record) + " failed", failure);
        }
        Backoff backoff = record.backoff() == null ? settings.backoff() : record.backoff();
        Duration wait = backoff.after(attempt, ThreadLocalRandom.current());
        log.warn(
                "job {} ({}) in {} failed attempt {} of {}, next in {} ms: {}",
                run.lease().id(),
                record.job(),
                shard.id(),
                attempt,
                maxAttempts(record),
                wait.toMillis(),
                failure.toString());
        return new Settlement.Retry(run.lease(), wait.toMillis(), ErrorText.of(failure));
    }

    private Settlement bury(Run run, String reason, @Nullable Throwable failure) {
        log.error("job {} in {} is dead: {}", run.lease().id(), shard.id(), reason, failure);
        return new Settlement.Bury(run.lease(), ErrorText.of(reason, failure));
    }

    private int maxAttempts(JobRecord record) {
        return record.maxAttempts() == null ? settings.maxAttempts() : record.maxAttempts();
    }
}
