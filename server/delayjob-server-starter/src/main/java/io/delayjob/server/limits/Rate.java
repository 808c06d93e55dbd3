package io.delayjob.server.limits;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;

/** So many of something in a period, and for a while more of them at once. Thread-safe. */
public final class Rate {

    private static final long NANOS = Duration.ofSeconds(1).toNanos();

    private final Bucket bucket;

    /**
     * A rate of which nothing has been used.
     *
     * @param count how many in a period
     * @param period the period
     * @param burst how many at once, at least 1
     * @param clock the clock of the period
     */
    public Rate(long count, Duration period, long burst, TimeMeter clock) {
        bucket = Bucket.builder()
                .withCustomTimePrecision(clock)
                .addLimit(Bandwidth.builder()
                        .capacity(Math.max(1, burst))
                        .refillGreedy(count, period)
                        .build())
                .build();
    }

    /**
     * Uses one.
     *
     * @return 0, or, if none is left, in how many seconds there will be one: at least 1
     */
    public long use() {
        return seconds(bucket.tryConsumeAndReturnRemaining(1).getNanosToWaitForRefill());
    }

    /**
     * The answer that {@link #use} would give; uses none.
     *
     * @return 0, or a number of seconds
     */
    public long look() {
        return seconds(bucket.estimateAbilityToConsume(1).getNanosToWaitForRefill());
    }

    /**
     * Uses some, though it be more than are left: they are owed.
     *
     * @param some how many
     * @return how long it takes until no more is owed
     */
    public Duration used(long some) {
        return some > 0 ? Duration.ofNanos(bucket.consumeIgnoringRateLimits(some)) : Duration.ZERO;
    }

    private static long seconds(long nanos) {
        return (nanos + NANOS - 1) / NANOS;
    }
}
