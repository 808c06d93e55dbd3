package io.delayjob.engine.memory;

import io.delayjob.Limits.Rate;
import org.jspecify.annotations.Nullable;

/**
 * How far a rate is used up, by the generic cell rate algorithm: each job that begins moves the time from which the bucket is full again by one spacing.
 */
final class Bucket {

    private static final long MICROS = 1000;

    /** So that a permit is not missed because of the last digit of a fraction. */
    private static final double ROUNDING = 1e-6;

    private double fullAtMicros;

    /** How many jobs may begin now. */
    int permits(@Nullable Rate rate, long nowMillis) {
        if (rate == null) {
            return Integer.MAX_VALUE;
        }
        double used = Math.max(0, fullAtMicros - nowMillis * MICROS) / rate.spacingMicros();
        return (int) Math.max(0, Math.floor(rate.burst() + 1.0 - used + ROUNDING));
    }

    /** From when the next job may begin, in milliseconds since 1970. */
    long nextMillis(@Nullable Rate rate) {
        return rate == null
                ? 0
                : (long) Math.ceil((fullAtMicros - rate.burst() * rate.spacingMicros()) / MICROS - ROUNDING);
    }

    void take(@Nullable Rate rate, long nowMillis) {
        if (rate != null) {
            fullAtMicros = Math.max(fullAtMicros, (double) nowMillis * MICROS) + rate.spacingMicros();
        }
    }

    /** Gives back what a job was counted. One spacing later it is too late: others may have begun because of the time that has passed. */
    void giveBack(@Nullable Rate rate, long claimedMillis, long nowMillis) {
        if (rate != null && nowMillis * MICROS < claimedMillis * MICROS + rate.spacingMicros()) {
            fullAtMicros -= rate.spacingMicros();
        }
    }

    /**
     * After limits have changed: holds jobs back for no longer than if as many had just begun as may begin at once. It may have been used up when the rate
     * was slower.
     */
    void cap(@Nullable Rate rate, long nowMillis) {
        if (rate != null) {
            fullAtMicros = Math.min(fullAtMicros, nowMillis * MICROS + (rate.burst() + 1.0) * rate.spacingMicros());
        }
    }

    boolean isFull(long nowMillis) {
        return fullAtMicros <= nowMillis * MICROS;
    }
}
