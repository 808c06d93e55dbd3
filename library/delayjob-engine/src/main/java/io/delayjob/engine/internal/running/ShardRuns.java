package io.delayjob.engine.internal.running;

import io.delayjob.JobEvent;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.records.ErrorText;
import io.delayjob.engine.internal.running.Run.Interruption;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.engine.telemetry.QueueTelemetry;
import io.delayjob.engine.telemetry.QueueTelemetry.Outcome;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes the jobs of one shard through this node, from the claim to the settlement. Thread-safe. */
public final class ShardRuns {

    private static final Logger log = LoggerFactory.getLogger(ShardRuns.class);

    /** How long a job that was claimed ahead waits for a worker before it is given back to other nodes. */
    private static final Duration WORKER_TIMEOUT = Duration.ofMillis(200);

    private final Shard shard;
    private final long leaseMillis;
    private final Slots slots;
    private final Executor workers;
    private final JobRunner runner;
    private final JobEvents events;
    private final QueueTelemetry telemetry;
    private final ScheduledExecutorService scheduler;
    private final Endings endings;
    private final Settlements settlements;
    private final RunningJobs running = new RunningJobs();

    /** Runs whose listener has returned and has yet to acknowledge; each keeps its slot. */
    private final Set<Run> unacknowledged = ConcurrentHashMap.newKeySet();

    private volatile boolean stopping;
    private volatile boolean interrupting;

    public ShardRuns(Shard shard, QueueSettings queue, Slots slots, Executor workers, Node node) {
        this.shard = shard;
        this.leaseMillis = queue.lease().toMillis();
        this.slots = slots;
        this.workers = workers;
        this.runner = new JobRunner(shard, queue, node);
        this.events = node.hooks().events();
        this.telemetry = node.hooks().telemetries().of(shard.id().queue());
        this.scheduler = node.scheduler();
        this.endings = new Endings(shard);
        this.settlements = new Settlements(shard, node);
    }

    /**
     * Runs a claimed job on a worker once it is due; a slot is already taken for it. {@code askedNanos} is when the claim was sent.
     */
    public void dispatch(Claimed.Job job, long askedNanos) {
        if (job.lost() > 0) {
            // This job may have crashed its node. Jobs that wait here would then count as lost too.
            slots.takeNoneAhead();
        }
        if (job.expired()) {
            telemetry.expired();
        }
        Run run = new Run(job, leaseMillis, askedNanos);
        running.add(run);
        if (job.waitMicros() == 0) {
            begin(run);
        } else {
            beginWhenDue(run);
        }
    }

    private void begin(Run run) {
        try {
            workers.execute(() -> work(run));
        } catch (RuntimeException | Error e) {
            noWorker(run, e);
        }
    }

    private void beginWhenDue(Run run) {
        try {
            scheduler.schedule(() -> begin(run), run.job().waitMicros(), TimeUnit.MICROSECONDS);
        } catch (RejectedExecutionException e) {
            noWorker(run, e);
        }
    }

    /**
     * Gives the job back, unless something else did so first: a pool may run a task later although it failed to start a thread for
     * it, and the job may have been given back or cancelled in the meantime.
     */
    private void noWorker(Run run, Throwable failure) {
        if (run.pick()) {
            log.error("no worker could be started for job {} in {}; it is given back", id(run), shard.id(), failure);
            giveBack(run, "no worker could be started: " + ErrorText.lineOf(failure));
        }
    }

    private void work(Run run) {
        if (!run.pick()) {
            return;
        }
        if (!slots.begin()) {
            giveBack(run, "all workers are taken by jobs that are not acknowledged yet");
            return;
        }
        long picked = System.nanoTime();
        boolean kept = false;
        try {
            kept = end(run, stopping ? endings.release(run, "its node is stopping") : runner.run(run, this::settle));
        } catch (RuntimeException | Error e) {
            // Failures of the job itself do not get here. The lease is no longer renewed, so another attempt follows.
            running.remove(run);
            log.error("job {} in {} could not be run; it runs again when its lease ends", id(run), shard.id(), e);
        } finally {
            if (!kept) {
                free(run, System.nanoTime() - picked);
            }
        }
    }

    /** Frees the slot. A run without an attempt says nothing about how long jobs take. */
    private void free(Run run, long nanos) {
        if (run.hasBegun()) {
            slots.ended(nanos);
        } else {
            slots.end();
        }
    }

    /** Handles the end of a run; true if it is left to its listener and keeps its slot. */
    private boolean end(Run run, Ending ending) {
        if (ending instanceof Ending.Settle settle) {
            settle(run, settle);
        } else if (ending instanceof Ending.Lost) {
            running.remove(run);
            interrupted(run);
        } else if (!run.isSettled()) {
            return leaveToListener(run);
        }
        return false;
    }

    /**
     * Leaves a run to its listener, unless the node stops. Its lease is no longer renewed, so an acknowledgment after the lease has ended
     * comes too late. The run is added to {@code unacknowledged} before it is removed from {@code running}, so that a cancel or a stop
     * finds it in one of them.
     */
    private boolean leaveToListener(Run run) {
        unacknowledged.add(run);
        running.remove(run);
        Interruption interruption = run.interruption();
        boolean gone = interruption == Interruption.CANCELLED || interruption == Interruption.LEASE_LOST;
        if (gone && run.settle()) {
            interrupted(run);
        } else if (interrupting) {
            releaseUnacknowledged(run);
        }
        return !run.isSettled() || !unacknowledged.remove(run);
    }

    /**
     * Gives back jobs that were claimed ahead and have waited too long for a worker, because the workers became slow or the node is
     * stopping.
     */
    public void giveBackWaiting() {
        Duration timeout = stopping ? Duration.ZERO : WORKER_TIMEOUT;
        running.all()
                .filter(run -> run.waits(timeout) && run.pick())
                .forEach(run -> giveBack(run, "no worker was free in time"));
    }

    private void giveBack(Run run, String why) {
        slots.takeNoneAhead();
        slots.giveBack(1);
        settle(run, endings.release(run, why));
    }

    /** Gives up runs that were not acknowledged before their leases ended. An acknowledgment still counts until the job is handed out. */
    public void forgetOver() {
        unacknowledged.stream().filter(run -> run.isOver() && !run.isSettled()).forEach(run -> {
            if (forget(run)) {
                settlements.ended(run, Outcome.UNACKNOWLEDGED);
                log.warn(
                        "job {} in {} was not acknowledged in attempt {} before its lease ended: it is handed out again, unless an"
                                + " acknowledgment comes first",
                        id(run),
                        shard.id(),
                        attempt(run));
            }
        });
    }

    private boolean forget(Run run) {
        boolean was = unacknowledged.remove(run);
        if (was) {
            slots.end();
        }
        return was;
    }

    /** Settles a run in the ledger; answers false if its lease was lost. */
    private CompletableFuture<Boolean> settle(Run run, Ending.Settle ending) {
        if (!run.settle()) {
            return CompletableFuture.completedFuture(false);
        }
        forget(run);
        return settlements.store(run, ending, () -> running.remove(run)).whenComplete((held, failure) -> {
            if (failure == null && !held) {
                lost(run);
            }
        });
    }

    /** The run has lost its job, by a cancel or with its lease, and cannot settle it any more. */
    private void interrupted(Run run) {
        settlements.ended(run, isCancelled(run) ? Outcome.CANCELLED : Outcome.LOST);
        lost(run);
    }

    private static boolean isCancelled(Run run) {
        return run.interruption() == Interruption.CANCELLED;
    }

    private void lost(Run run) {
        boolean cancelled = isCancelled(run);
        if (cancelled) {
            log.info("job {} in {} was cancelled in attempt {}", id(run), shard.id(), attempt(run));
        } else {
            telemetry.lost(run.knownName());
            log.warn(
                    "job {} in {} lost its lease in attempt {}: the outcome of this attempt is ignored, and another attempt"
                            + " follows unless the job was cancelled",
                    id(run),
                    shard.id(),
                    attempt(run));
        }
        events.publish(
                JobEvent.Lost.class,
                () -> new JobEvent.Lost(shard.id().queue(), id(run), run.jobName(), attempt(run), cancelled));
    }

    /** The job of this lease was cancelled. */
    public void cancelled(Lease lease) {
        Run run = running.remove(lease);
        if (run != null) {
            lose(run, Interruption.CANCELLED);
        }
        unacknowledged.stream().filter(waiting -> waiting.lease().equals(lease)).forEach(this::cancelledUnacknowledged);
    }

    /** The run has lost its lease: its attempt is interrupted, or not begun. */
    void lose(Run run, Interruption reason) {
        running.remove(run);
        run.interrupt(reason);
        if (run.pick()) {
            slots.giveBack(1);
            lost(run);
        }
    }

    /** A job was cancelled whose listener had returned without acknowledging it. */
    private void cancelledUnacknowledged(Run run) {
        run.interrupt(Interruption.CANCELLED);
        if (run.settle()) {
            forget(run);
            interrupted(run);
        }
    }

    /** Whether the current thread runs one of the jobs. */
    public boolean isOfThisThread() {
        return running.all().anyMatch(Run::isOfThisThread);
    }

    /** Gives back jobs that listeners have not acknowledged. */
    public void releaseUnacknowledged() {
        unacknowledged.forEach(this::releaseUnacknowledged);
    }

    private void releaseUnacknowledged(Run run) {
        settle(run, endings.release(run, "its node is stopping, and it was not acknowledged"));
    }

    RunningJobs running() {
        return running;
    }

    /** Whether no job runs, waits for a worker, or waits for an acknowledgment. */
    public boolean isIdle() {
        return running.isEmpty() && unacknowledged.isEmpty();
    }

    /** From now on, jobs that have not begun are released. */
    public void stop() {
        stopping = true;
    }

    /** Interrupts running jobs, which are released when they throw, or return without an acknowledgment that they need. */
    public void interrupt() {
        interrupting = true;
        running.all().forEach(run -> run.interrupt(Interruption.SHUTDOWN));
    }

    private static String id(Run run) {
        return run.lease().id();
    }

    private static int attempt(Run run) {
        return run.job().attempt().number();
    }
}
