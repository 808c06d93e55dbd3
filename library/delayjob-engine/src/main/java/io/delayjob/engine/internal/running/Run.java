package io.delayjob.engine.internal.running;

import io.delayjob.JobEvent;
import io.delayjob.engine.handler.Handler;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.records.JobRecord;
import io.delayjob.engine.ledger.Attempt;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.telemetry.Telemetry;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One claimed job on this node, from the claim until the ledger has confirmed its settlement. Thread-safe. */
final class Run {

    /** Why a run is interrupted. */
    enum Interruption {
        /** The attempt took longer than its timeout. */
        TIMEOUT,
        /** The lease was lost: another node may have the job. */
        LEASE_LOST,
        /** The job was cancelled. */
        CANCELLED,
        /** The node stops. */
        SHUTDOWN
    }

    private final Claimed.Job job;
    private final long leaseMillis;
    private @Nullable Thread thread;
    private @Nullable Interruption interruption;
    private volatile long renewAtNanos;
    private volatile long leaseEndNanos;
    private final AtomicBoolean picked = new AtomicBoolean();
    private volatile boolean settled;
    private final AtomicBoolean measured = new AtomicBoolean();
    private volatile @Nullable JobRecord record;
    private volatile @Nullable String jobName;
    private volatile String knownName = Telemetry.OTHER;
    private final long claimedNanos = System.nanoTime();
    private volatile long begunNanos = claimedNanos;
    private volatile boolean begun;
    private volatile long settledNanos;
    private volatile @Nullable String result;

    /**
     * A run.
     *
     * @param askedNanos when the claim was sent, a {@link System#nanoTime}; the lease counts from then
     */
    Run(Claimed.Job job, long queueLeaseMillis, long askedNanos) {
        this.job = job;
        this.leaseMillis = job.leaseMillis() == null ? queueLeaseMillis : job.leaseMillis();
        renewed(askedNanos);
    }

    /**
     * A run on a worker elsewhere, which began some time ago.
     *
     * @param record the record of its job; null if it was not read
     */
    static Run elsewhere(RemoteAttempt attempt, @Nullable String record) {
        Attempt known = new Attempt(attempt.number(), null, null, null);
        Run run = new Run(
                new Claimed.Job(attempt.lease(), record, known, null, 0, false, false, 0), 0, System.nanoTime());
        run.jobName = attempt.job();
        run.beginElsewhere(System.nanoTime() - attempt.elapsed().toNanos());
        return run;
    }

    Claimed.Job job() {
        return job;
    }

    Lease lease() {
        return job.lease();
    }

    long leaseMillis() {
        return leaseMillis;
    }

    /**
     * The lease was given or renewed by a call that was sent at {@code askedNanos}; the next renewal is due after a third of it.
     */
    void renewed(long askedNanos) {
        renewAtNanos = askedNanos + leaseMillis * 1_000_000 / 3;
        lasts(askedNanos + TimeUnit.MILLISECONDS.toNanos(leaseMillis));
    }

    boolean needsRenewal() {
        return renewAtNanos - System.nanoTime() <= 0;
    }

    /** When the lease ends, as far as this node knows; a {@link System#nanoTime}. */
    long leaseEndNanos() {
        return leaseEndNanos;
    }

    /** The event of its claim. */
    JobEvent.Claimed claimed(String queue) {
        return new JobEvent.Claimed(
                queue,
                job.lease().id(),
                jobName(),
                job.attempt().number(),
                Instant.ofEpochMilli(job.dueMillis()),
                Instant.ofEpochMilli(job.beginsMillis()));
    }

    /** The event of an extension of its lease. */
    JobEvent.Renewed renewal(String queue, Duration lease) {
        return new JobEvent.Renewed(
                queue, job.lease().id(), jobName(), job.attempt().number(), lease);
    }

    /** Takes this run for a worker, or to give it back before a worker has; false if it is already taken. */
    boolean pick() {
        return picked.compareAndSet(false, true);
    }

    /** Whether it has waited for a worker for longer than the timeout. */
    boolean waits(Duration timeout) {
        return !picked.get() && System.nanoTime() - claimedNanos > timeout.toNanos();
    }

    /**
     * Marks the run as being settled: from now on a refused renewal does not mean that its lease was lost. False if it was marked
     * before.
     */
    synchronized boolean settle() {
        boolean first = !settled;
        if (first) {
            settledNanos = System.nanoTime();
            settled = true;
        }
        return first;
    }

    /** Marks the run as measured; false if it was marked before. */
    boolean measure() {
        return measured.compareAndSet(false, true);
    }

    boolean isSettled() {
        return settled;
    }

    /** Whether the lease may have run out, as far as this node knows. */
    boolean isOver() {
        return leaseEndNanos - System.nanoTime() <= 0;
    }

    /** The lease lasts at least {@code millis} from the time of the call. */
    void extended(long millis, long askedNanos) {
        lasts(askedNanos + TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private synchronized void lasts(long end) {
        if (leaseEndNanos == 0 || end - leaseEndNanos > 0) {
            leaseEndNanos = end;
        }
    }

    /** Whether the current thread runs the attempt. */
    synchronized boolean isOfThisThread() {
        return thread == Thread.currentThread();
    }

    /** Sets the record once it is read. */
    void record(JobRecord read) {
        record = read;
        jobName = read.job();
    }

    /** The record; null if it was not read. */
    @Nullable JobRecord record() {
        return record;
    }

    /** Whether its job is known to have no key. */
    boolean hasNoKey() {
        JobRecord read = record;
        return read != null && read.options().key() == null;
    }

    /** The name of what runs; null if that is unknown, because the record was not read. */
    @Nullable String jobName() {
        return jobName;
    }

    /** The length of the record in characters, or what it is assumed to be if it is unknown. */
    int recordLength() {
        String text = job.record();
        return text == null ? Shard.ASSUMED_RECORD : text.length();
    }

    /** The param as JSON; the raw record if that was not read. */
    String paramText() {
        JobRecord read = record;
        return read == null ? String.valueOf(job.record()) : read.param();
    }

    /** Sets the handler that runs the job on this node. */
    void known(Handler found) {
        knownName = found.name();
    }

    /** The name under which the job is measured. */
    String knownName() {
        return knownName;
    }

    /** Whether the attempt began. */
    boolean hasBegun() {
        return begun;
    }

    /** How late the attempt began: by the ledger's clock until the claim, by this node's from then on. */
    long lateNanos() {
        return TimeUnit.MICROSECONDS.toNanos(job.nowMicros() - job.dueMillis() * 1000) + begunNanos - claimedNanos;
    }

    /** How long the attempt took until it was settled, or has taken so far. */
    long elapsedNanos() {
        return (settled ? settledNanos : System.nanoTime()) - begunNanos;
    }

    /** Sets the result of the job, as JSON. */
    void result(@Nullable String json) {
        result = json;
    }

    @Nullable String result() {
        return result;
    }

    /** Begins the attempt on the current thread; false if the run was interrupted before. */
    synchronized boolean begin() {
        thread = Thread.currentThread();
        begunNanos = System.nanoTime();
        begun = interruption == null;
        return begun;
    }

    /** The attempt began at this {@link System#nanoTime} on a worker elsewhere. */
    void beginElsewhere(long nanos) {
        begunNanos = nanos;
        begun = true;
    }

    /** Ends the attempt: the thread must no longer be interrupted. */
    synchronized void end() {
        thread = null;
        // Also clears an interrupt that the job set itself, so that the thread's next work does not see it.
        boolean unused = Thread.interrupted();
    }

    /**
     * Interrupts the attempt, unless it is settled or was interrupted before. A timeout interrupts anew each time, because the attempt may
     * have swallowed its interrupt, or have been acknowledged and go on. Only the first reason is kept.
     */
    synchronized void interrupt(Interruption reason) {
        boolean interrupts = reason == Interruption.TIMEOUT || interruption == null && !settled;
        interruption = interruption == null ? reason : interruption;
        if (thread != null && interrupts) {
            thread.interrupt();
        }
    }

    /** Why the run was interrupted; null if it was not. */
    synchronized @Nullable Interruption interruption() {
        return interruption;
    }
}
