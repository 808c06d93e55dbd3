package io.delayjob.engine.internal.consuming;

import java.time.Duration;

/**
 * A moment by which something must be done.
 *
 * @param nanos the moment, a {@link System#nanoTime}
 */
public record Deadline(long nanos) {

    public static Deadline after(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    Duration left() {
        return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    }

    boolean passed() {
        return nanos - System.nanoTime() <= 0;
    }
}
