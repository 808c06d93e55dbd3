package io.delayjob.redisson.internal.engine;

import java.time.Duration;

/** The free workers of a queue on this node, shared by its shards. Thread-safe. */
final class Slots {

    private final int total;
    private int free;
    private boolean closed;

    Slots(int total) {
        this.total = total;
        this.free = total;
    }

    int total() {
        return total;
    }

    /** How many are free now. */
    synchronized int free() {
        return Math.max(0, free);
    }

    /** Takes as many as are free, at most {@code max}; none once closed. */
    synchronized int take(int max) {
        int taken = closed ? 0 : Math.max(0, Math.min(free, max));
        free -= taken;
        return taken;
    }

    /**
     * Gives some back; a negative count takes more than are free, for jobs that a repeated claim handed out beyond what was
     * asked for.
     */
    synchronized void giveBack(int count) {
        boolean none = free <= 0;
        free += count;
        if ((none && free > 0) || free == total) {
            notifyAll();
        }
    }

    /** Waits until one is free or this is closed; false if neither came in time. */
    synchronized boolean awaitFree(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (free <= 0 && !closed) {
            long millis = (deadline - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                return false;
            }
            wait(millis);
        }
        return true;
    }

    /** Waits until all are free; false if they were not in time. */
    synchronized boolean awaitAll(Duration atMost) throws InterruptedException {
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
    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
