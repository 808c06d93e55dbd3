package io.delayjob.engine.extension;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Limits how many events of one kind wait for the listeners; events beyond the limit are dropped and counted. Thread-safe. */
final class EventRoom {

    private static final int MOST = 10_000;

    private final AtomicInteger waiting = new AtomicInteger();
    private final LongAdder dropped = new LongAdder();

    /** Admits one more event; false if it is dropped. */
    boolean enter() {
        if (waiting.incrementAndGet() <= MOST) {
            return true;
        }
        leave();
        dropped.increment();
        return false;
    }

    /** One event no longer waits. */
    void leave() {
        waiting.decrementAndGet();
    }

    /** How many events have been dropped so far. */
    long dropped() {
        return dropped.sum();
    }
}
