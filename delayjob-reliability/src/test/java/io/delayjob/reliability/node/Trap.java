package io.delayjob.reliability.node;

import io.delayjob.JobExecution;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Holds a thread for ever when it comes to a point for the n-th time, so that the process can be killed exactly there. Its
 * text is {@code <point>:<n>}; without a text nothing is held.
 */
public final class Trap {

    /** Where an attempt can be held. */
    public enum Point {
        /** The job is claimed, the bean has not begun. */
        CLAIMED,
        /** In the bean. */
        BEGUN,
        /** The bean has returned, nothing has been said to Redis. */
        ENDED
    }

    private final Journal journal;
    private final String text;
    private final AtomicInteger left;

    Trap(Journal journal, String text) {
        this.journal = journal;
        this.text = text;
        this.left = new AtomicInteger(text.isEmpty() ? 0 : Integer.parseInt(text.substring(text.indexOf(':') + 1)));
    }

    void pass(Point point, JobExecution<?> execution) {
        if (text.startsWith(point + ":") && left.decrementAndGet() == 0) {
            journal.write(Journal.Kind.TRAPPED, execution.id(), execution.attempt(), 0);
            hold();
        }
    }

    @SuppressWarnings({"InfiniteLoopStatement", "BusyWait"})
    private static void hold() {
        while (true) {
            try {
                Thread.sleep(Long.MAX_VALUE);
            } catch (InterruptedException e) {
                // Only the death of the process ends it.
            }
        }
    }
}
