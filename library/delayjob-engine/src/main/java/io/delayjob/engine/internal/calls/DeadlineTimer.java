package io.delayjob.engine.internal.calls;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** Watches many deadlines, which are rarely reached, with one timer for the first of them. Guarded by its owner's lock. */
final class DeadlineTimer {

    /** Deadlines that are closer together than this are handled together. */
    private static final long SLACK_NANOS = 10_000_000;

    private final ScheduledExecutorService scheduler;
    private final LongConsumer reached;
    private boolean set;
    private long nanos;

    /**
     * Creates a timer that is not set.
     *
     * @param reached called with each deadline that was set, after it has passed; must call {@link #unset} first and return if that
     *     is false
     */
    DeadlineTimer(ScheduledExecutorService scheduler, LongConsumer reached) {
        this.scheduler = scheduler;
        this.reached = reached;
    }

    /** Sets the timer to a {@link System#nanoTime}, unless it is set to an earlier one. */
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
            // The engine is closed and repeats no more calls: each ends with its current try.
        }
    }

    /** Clears the timer after a deadline has passed; false if the timer has since been set to an earlier one. */
    boolean unset(long deadlineNanos) {
        boolean current = set && nanos == deadlineNanos;
        set = set && !current;
        return current;
    }
}
