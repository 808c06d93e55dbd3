package io.delayjob.redisson.internal.engine;

import io.delayjob.redisson.internal.ledger.Claimed;
import io.delayjob.redisson.internal.ledger.Lease;
import org.jspecify.annotations.Nullable;

/** One claimed job on this node, from the claim until the ledger has confirmed how it ended. Thread-safe. */
final class Run {

    /** Why a run is interrupted. */
    enum Interruption {
        /** The attempt took longer than its timeout. */
        TIMEOUT,
        /** Another node may have the job. */
        LEASE_LOST,
        /** The node stops. */
        SHUTDOWN
    }

    private final Claimed.Job job;
    private final long leaseMillis;
    private @Nullable Thread thread;
    private @Nullable Interruption interruption;
    private volatile long renewAtNanos;

    Run(Claimed.Job job, long queueLeaseMillis) {
        this.job = job;
        this.leaseMillis = job.leaseMillis() == null ? queueLeaseMillis : job.leaseMillis();
        renewed();
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

    /** The lease was just given or renewed: the next renewal is due after a third of it, which leaves two more tries. */
    void renewed() {
        renewAtNanos = System.nanoTime() + leaseMillis * 1_000_000 / 3;
    }

    boolean needsRenewal() {
        return renewAtNanos - System.nanoTime() <= 0;
    }

    /** This thread begins the attempt; false if the run was interrupted before. */
    synchronized boolean begin() {
        thread = Thread.currentThread();
        return interruption == null;
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
