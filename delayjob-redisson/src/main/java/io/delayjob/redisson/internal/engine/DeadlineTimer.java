package io.delayjob.redisson.internal.engine;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks after many deadlines, which are seldom reached, with one task at a time. Guarded by the lock of what it is for. */
final class DeadlineTimer {

    /** Deadlines nearer to each other than that are looked after together. */
    private static final long SLACK_NANOS = 10_000_000;

    private final ScheduledExecutorService scheduler;
    private final Runnable reached;
    private boolean set;
    private long nanos;

    /**
     * A timer that is not set.
     *
     * @param reached runs when a deadline may be over, and also for nothing
     */
    DeadlineTimer(ScheduledExecutorService scheduler, Runnable reached) {
        this.scheduler = scheduler;
        this.reached = reached;
    }

    /** Sets it to a time by {@link System#nanoTime}, unless it is set to an earlier one. Never cancelled. */
    void set(long deadlineNanos) {
        if (set && nanos - deadlineNanos <= 0) {
            return;
        }
        long wait = Math.max(SLACK_NANOS, deadlineNanos - System.nanoTime());
        try {
            scheduler.schedule(reached, wait, TimeUnit.NANOSECONDS);
            set = true;
            nanos = deadlineNanos;
        } catch (RejectedExecutionException e) {
            // The engine is closed, and repeats no call any more: each ends with its try.
        }
    }

    /** The task has run. */
    void unset() {
        set = false;
    }
}
