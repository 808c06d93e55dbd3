package io.delayjob.engine.internal.calls;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** Looks after many deadlines, which are seldom reached, and wakes for the first of them only. Guarded by the lock of what it is for. */
final class DeadlineTimer {

    /** Deadlines nearer to each other than that are looked after together. */
    private static final long SLACK_NANOS = 10_000_000;

    private final ScheduledExecutorService scheduler;
    private final LongConsumer reached;
    private boolean set;
    private long nanos;

    /**
     * A timer that is not set.
     *
     * @param reached called with each deadline that was set, once it is over; it calls {@link #unset} first, and does nothing more if
     *     that is false
     */
    DeadlineTimer(ScheduledExecutorService scheduler, LongConsumer reached) {
        this.scheduler = scheduler;
        this.reached = reached;
    }

    /** Sets it to a time by {@link System#nanoTime}, unless it is set to an earlier one. */
    void set(long deadlineNanos) {
        if (set && nanos - deadlineNanos <= 0) {
            return;
        }
        long wait = Math.max(SLACK_NANOS, deadlineNanos - System.nanoTime());
        try {
            scheduler.schedule(() -> reached.accept(deadlineNanos), wait, TimeUnit.NANOSECONDS);
            set = true;
            nanos = deadlineNanos;
        } catch (RejectedExecutionException e) {
            // The engine is closed, and repeats no call any more: each ends with its try.
        }
    }

    /** A deadline that was set is over; false if the timer has been set to an earlier one since. */
    boolean unset(long deadlineNanos) {
        boolean current = set && nanos == deadlineNanos;
        set = set && !current;
        return current;
    }
}
