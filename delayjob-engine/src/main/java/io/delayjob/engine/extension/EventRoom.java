package io.delayjob.engine.extension;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** The events of one kind that wait for the listeners: so many at most, the others are dropped and counted. Thread-safe. */
final class EventRoom {

    private static final int MOST = 10_000;

    private final AtomicInteger waiting = new AtomicInteger();
    private final LongAdder dropped = new LongAdder();

    /** Whether one more may wait; one that may not is dropped. */
    boolean enter() {
        if (waiting.incrementAndGet() <= MOST) {
            return true;
        }
        leave();
        dropped.increment();
        return false;
    }

    /** One waits no more. */
    void leave() {
        waiting.decrementAndGet();
    }

    /** How many were dropped so far. */
    long dropped() {
        return dropped.sum();
    }
}
