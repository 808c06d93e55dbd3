package io.delayjob.engine.internal.running;

import io.delayjob.engine.ledger.Ledger;
import java.time.Duration;

/**
 * Limits how many jobs of a queue this node holds: one slot for each worker and, while jobs are short, some more for jobs that wait
 * here for a worker, so that workers do not wait for Redis. Shared by the queue's shards. Thread-safe.
 */
public final class Slots implements Room {

    /**
     * How long the jobs that wait here should keep the workers busy: about as long as a claim takes under load. A longer time would
     * gain nothing and keep jobs from other nodes.
     */
    private static final double AHEAD_NANOS = 10e6;

    /**
     * The most jobs that wait here, however short they are: those of a few claims, so that workers have jobs while Redis hands out
     * the next.
     */
    private static final int MOST_AHEAD = 8 * Ledger.MAX_BATCH;

    /** The weight of the last job in the moving average. */
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

    /** The number of workers. */
    @Override
    public int total() {
        return total;
    }

    /** The number of workers that are free now. */
    @Override
    public synchronized int free() {
        return Math.max(0, free);
    }

    /** Takes the free slots, at most {@code max}; none if it is too early to claim again, or once closed. */
    public synchronized int take(int max) {
        int taken = closed || !worthClaiming() ? 0 : Math.min(free + ahead, max);
        free -= taken;
        return taken;
    }

    /**
     * Whether a worker is free, or half of the jobs ahead are gone, or enough of them for half a claim: claiming them one at a time
     * would cost more than the jobs.
     */
    private boolean worthClaiming() {
        return free > 0 || free + ahead > Math.min(ahead, Ledger.MAX_BATCH) / 2;
    }

    /**
     * Gives slots back. A negative count takes more slots than are free, for jobs that a repeated claim handed out beyond what was
     * asked for.
     */
    public synchronized void giveBack(int count) {
        free += count;
        // Not only when this call made it so: the room for jobs ahead grows too.
        if (worthClaiming() || free == total) {
            notifyAll();
        }
    }

    /** A worker begins with a job that has a slot; false if unacknowledged jobs occupy all workers. */
    synchronized boolean begin() {
        boolean begins = busy < total;
        busy += begins ? 1 : 0;
        return begins;
    }

    /** Gives back the slot of a job that a worker began with. */
    synchronized void end() {
        busy--;
        giveBack(1);
    }

    /** The same, after an attempt that kept the worker busy for {@code nanos}. */
    synchronized void ended(long nanos) {
        meanNanos += (nanos - meanNanos) * WEIGHT;
        ahead = (int) Math.min(((long) (AHEAD_NANOS / meanNanos)) * total, MOST_AHEAD);
        end();
    }

    /** From now on takes jobs for free workers only, until enough jobs have been short again. */
    synchronized void takeNoneAhead() {
        meanNanos = 2 * AHEAD_NANOS;
        ahead = 0;
    }

    /** Waits until it is time to claim or this is closed; false if neither happened in time. */
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

    /** Waits until all slots are free; false if they were not in time. */
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

    /** From now on no slot is taken. */
    public synchronized void close() {
        closed = true;
        notifyAll();
    }
}
