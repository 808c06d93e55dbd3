package io.delayjob.redisson.internal.engine;

import java.time.Duration;

/**
 * A moment by which something must be done.
 *
 * @param nanos a {@link System#nanoTime}
 */
record Deadline(long nanos) {

    static Deadline after(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    Duration left() {
        return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    }

    boolean passed() {
        return nanos - System.nanoTime() <= 0;
    }
}
