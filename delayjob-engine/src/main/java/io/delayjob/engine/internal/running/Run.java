package io.delayjob.engine.internal.running;

import io.delayjob.engine.handler.Handler;
import io.delayjob.engine.internal.records.JobRecord;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.telemetry.Telemetry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One claimed job on this node, from the claim until the ledger has confirmed how it ended. Thread-safe. */
final class Run {

    /** Why a run is interrupted. */
    enum Interruption {
        /** The attempt took longer than its timeout. */
        TIMEOUT,
        /** Another node may have the job. */
        LEASE_LOST,
        /** The job was called off. */
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
    private final AtomicBoolean settled = new AtomicBoolean();
    private volatile @Nullable JobRecord record;
    private volatile String knownName = Telemetry.OTHER;
    private final long claimedNanos = System.nanoTime();
    private volatile long begunNanos = claimedNanos;
    private volatile boolean begun;
    private volatile long settledNanos;
    private volatile @Nullable String result;

    /**
     * A run.
     *
     * @param askedNanos when the claim was sent: the lease lasts at least from then
     */
    Run(Claimed.Job job, long queueLeaseMillis, long askedNanos) {
        this.job = job;
        this.leaseMillis = job.leaseMillis() == null ? queueLeaseMillis : job.leaseMillis();
        renewed(askedNanos);
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

    /** The lease was given or renewed by a call that was sent then: the next renewal is due after a third of it. */
    void renewed(long askedNanos) {
        renewAtNanos = askedNanos + leaseMillis * 1_000_000 / 3;
        lasts(askedNanos + TimeUnit.MILLISECONDS.toNanos(leaseMillis));
    }

    boolean needsRenewal() {
        return renewAtNanos - System.nanoTime() <= 0;
    }

    /** When its lease ends, as far as this node knows: a {@link System#nanoTime}. */
    long leaseEndNanos() {
        return leaseEndNanos;
    }

    /** A worker has come to it, or it is given back before one has; false if either happened before. */
    boolean pick() {
        return picked.compareAndSet(false, true);
    }

    /** Whether it has waited for a worker for longer than that. */
    boolean waits(Duration timeout) {
        return !picked.get() && System.nanoTime() - claimedNanos > timeout.toNanos();
    }

    /** Its settlement is being reported: the ledger may know no lease of it any more, which is then no loss. False if it was before. */
    boolean settle() {
        boolean first = settled.compareAndSet(false, true);
        if (first) {
            settledNanos = System.nanoTime();
        }
        return first;
    }

    boolean isSettled() {
        return settled.get();
    }

    /** Whether its lease may have run out, as far as this node knows. */
    boolean isOver() {
        return leaseEndNanos - System.nanoTime() <= 0;
    }

    /** The lease lasts at least so long from when that was asked for. */
    void extended(long millis, long askedNanos) {
        lasts(askedNanos + TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private synchronized void lasts(long end) {
        if (leaseEndNanos == 0 || end - leaseEndNanos > 0) {
            leaseEndNanos = end;
        }
    }

    /** Whether this thread makes the attempt. */
    synchronized boolean isOfThisThread() {
        return thread == Thread.currentThread();
    }

    /** Its record, once that was read. */
    void record(JobRecord read) {
        record = read;
    }

    /** The name in its record; null if that was not read. */
    @Nullable String jobName() {
        JobRecord read = record;
        return read == null ? null : read.job();
    }

    /** Its param as JSON; the raw record if that was not read. */
    String paramText() {
        JobRecord read = record;
        return read == null ? String.valueOf(job.record()) : read.param();
    }

    /** What runs it on this node, once that is known. */
    void known(Handler found) {
        knownName = found.name();
    }

    /** The name by which it is measured. */
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
        return (settled.get() ? settledNanos : System.nanoTime()) - begunNanos;
    }

    /** What the job leaves behind, as JSON. */
    void result(@Nullable String json) {
        result = json;
    }

    @Nullable String result() {
        return result;
    }

    /** This thread begins the attempt; false if the run was interrupted before. */
    synchronized boolean begin() {
        thread = Thread.currentThread();
        begunNanos = System.nanoTime();
        begun = interruption == null;
        return begun;
    }

    /** The attempt is over: the thread is nobody's to interrupt any more. */
    synchronized void end() {
        thread = null;
        // Also one that the job set itself: the thread's next work must not find it.
        boolean unused = Thread.interrupted();
    }

    /** Interrupts the attempt; the first reason counts. */
    synchronized void interrupt(Interruption reason) {
        if (interruption == null) {
            interruption = reason;
            if (thread != null) {
                thread.interrupt();
            }
        }
    }

    /** Why the run was interrupted, or null. */
    synchronized @Nullable Interruption interruption() {
        return interruption;
    }
}
