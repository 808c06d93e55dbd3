package io.delayjob.test;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** The current time of a test, in milliseconds since 1970. Thread-safe. */
final class VirtualTime {

    private final AtomicLong millis = new AtomicLong(System.currentTimeMillis());

    long millis() {
        return millis.get();
    }

    Instant now() {
        return Instant.ofEpochMilli(millis());
    }

    void set(long newMillis) {
        millis.set(newMillis);
    }
}
