package io.delayjob.engine.internal.running;

import io.delayjob.engine.ledger.Ledger;
import java.time.Duration;

/**
 * How many jobs a queue may have on this node: one for each worker and, while jobs are short, some that wait here for a worker,
 * so that workers do not wait for Redis. Shared by the queue's shards. Thread-safe.
 */
public final class Slots {

    /**
     * How long workers are to be busy with the jobs that wait here. About as long as a claim takes under load: more would bring
     * nothing, and would keep jobs from other nodes.
     */
    private static final double AHEAD_NANOS = 10e6;

    /** No more wait here, however short they are: some claims, so that workers have jobs while Redis hands out the next. */
    private static final int MOST_AHEAD = 8 * Ledger.MAX_BATCH;

    /** The weight of the last job in the mean. */
    private static final double WEIGHT = 1.0 / 64;

    private final int total;
    private int free;
    private int ahead;
    private int busy;
    private double meanNanos = AHEAD_NANOS;
    private boolean closed;

    public Slots(int total) {
        this.total = total;
        this.free = total;
    }

    /** How many workers there are. */
    public int total() {
        return total;
    }

    /** How many workers are free now. */
    public synchronized int free() {
        return Math.max(0, free);
    }

    /** Takes as many as there are, at most {@code max}; none if it is too early to claim again, or once closed. */
    public synchronized int take(int max) {
        int taken = closed || !worthClaiming() ? 0 : Math.min(free + ahead, max);
        free -= taken;
        return taken;
    }

    /** Jobs ahead are claimed when half of them have gone, or half a claim: one at a time would cost more than the jobs. */
    private boolean worthClaiming() {
        return free > 0 || free + ahead > Math.min(ahead, Ledger.MAX_BATCH) / 2;
    }

    /**
     * Gives some back; a negative count takes more than there are, for jobs that a repeated claim handed out beyond what was
     * asked for.
     */
    public synchronized void giveBack(int count) {
        free += count;
        // Not only when it has become so by this: the room for jobs ahead grows too.
        if (worthClaiming() || free == total) {
            notifyAll();
        }
    }

    /** A worker comes to a job that has a slot; false if jobs that their listeners have yet to settle are for all of them. */
    synchronized boolean begin() {
        boolean begins = busy < total;
        busy += begins ? 1 : 0;
        return begins;
    }

    /** Gives the slot of a job back that a worker came to. */
    synchronized void end() {
        busy--;
        giveBack(1);
    }

    /** The same, after an attempt that kept the worker busy for so long. */
    synchronized void ended(long nanos) {
        meanNanos += (nanos - meanNanos) * WEIGHT;
        ahead = (int) Math.min(((long) (AHEAD_NANOS / meanNanos)) * total, MOST_AHEAD);
        end();
    }

    /** From now on jobs are taken for workers alone, until enough of them were short again. */
    synchronized void takeNoneAhead() {
        meanNanos = 2 * AHEAD_NANOS;
        ahead = 0;
    }

    /** Waits until it is time to claim or this is closed; false if neither came in time. */
    public synchronized boolean awaitFree(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!worthClaiming() && !closed) {
            long millis = (deadline - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                return false;
            }
            wait(millis);
        }
        return true;
    }

    /** Waits until all are free; false if they were not in time. */
    public synchronized boolean awaitAll(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (free < total) {
            long millis = (deadline - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                return false;
            }
            wait(millis);
        }
        return true;
    }

    /** From now on none is taken. */
    public synchronized void close() {
        closed = true;
        notifyAll();
    }
}
