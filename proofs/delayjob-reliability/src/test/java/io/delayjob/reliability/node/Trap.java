package io.delayjob.reliability.node;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Holds a thread when it comes to a point for the n-th time, so that the process can be killed or frozen exactly there. Its text is
 * {@code <point>:<n>}, which holds it for ever, or {@code <point>:<n>:<millis>}; without a text nothing is held.
 */
public final class Trap {

    private static final int PARTS = 3;

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
    private final String point;
    private final AtomicInteger left;
    private final Duration time;

    Trap(Journal journal, String text) {
        String[] parts = text.split(":", PARTS);
        this.journal = journal;
        this.point = parts[0];
        this.left = new AtomicInteger(parts.length > 1 ? Integer.parseInt(parts[1]) : 0);
        this.time = parts.length == PARTS ? Duration.ofMillis(Long.parseLong(parts[2])) : Duration.ofDays(1);
    }

    /** Passes a point on behalf of an attempt at a job; or of none, whose number is 0. */
    void pass(Enum<?> here, String id, int attempt) {
        if (point.equals(here.name()) && left.decrementAndGet() == 0) {
            journal.write(Journal.Kind.TRAPPED, id, attempt, 0);
            hold();
        }
    }

    private void hold() {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toMillis(); left > 0; left = (end - System.nanoTime()) / 1_000_000) {
            try {
                Thread.sleep(left);
            } catch (InterruptedException e) {
                // Only the end of the time, or of the process, ends it.
            }
        }
    }
}
