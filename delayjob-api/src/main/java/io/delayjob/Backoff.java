package io.delayjob;

import io.delayjob.spi.BackoffPolicy;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * How long a failed job waits before its next attempt: {@code initial × multiplier^(attempt − 1)}, at most {@code max}. A random
 * share of up to {@code jitter} is added or subtracted, so that jobs that failed together are not retried together.
 *
 * @param initial the wait after the first attempt, at least 1 ms
 * @param max the longest wait, at least {@code initial}
 * @param multiplier the growth per attempt, 1 (fixed) to 100
 * @param jitter the random share, 0 (none) to 1
 */
public record Backoff(Duration initial, Duration max, double multiplier, double jitter) implements BackoffPolicy {

    /** The default: 2 s, 4 s, 8 s … up to 10 minutes, ± 20 %. */
    public static final Backoff DEFAULT = new Backoff(Duration.ofSeconds(2), Duration.ofMinutes(10), 2, 0.2);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a value is out of range; the message names it
     */
    public Backoff {
        Checks.positive(initial, "backoff initial");
        Checks.positive(max, "backoff max");
        if (max.compareTo(initial) < 0) {
            throw new IllegalArgumentException("backoff max must be at least its initial " + initial + ": " + max);
        }
        if (!(multiplier >= 1 && multiplier <= 100)) {
            throw new IllegalArgumentException("backoff multiplier must be 1 to 100: " + multiplier);
        }
        if (!(jitter >= 0 && jitter <= 1)) {
            throw new IllegalArgumentException("backoff jitter must be 0 to 1: " + jitter);
        }
    }

    /**
     * The same wait after every attempt, without jitter.
     *
     * @param wait the wait, at least 1 ms
     * @return the backoff
     */
    public static Backoff fixed(Duration wait) {
        return new Backoff(wait, wait, 1, 0);
    }

    /**
     * A wait that doubles, with 20 % jitter.
     *
     * @param initial the wait after the first attempt, at least 1 ms
     * @param max the longest wait
     * @return the backoff
     */
    public static Backoff exponential(Duration initial, Duration max) {
        return new Backoff(initial, max, 2, 0.2);
    }

    /**
     * The wait after a failed attempt.
     *
     * @param attempt the attempt that failed, from 1
     * @param random the source of the jitter
     * @return at least 1 ms, at most {@code max}
     */
    public Duration after(int attempt, RandomGenerator random) {
        double grown = (double) initial.toMillis() * Math.pow(multiplier, Checks.atLeastOne(attempt, "attempt") - 1);
        double shaken = Math.min(grown, (double) max.toMillis()) * (1 + jitter * (2 * random.nextDouble() - 1));
        return Duration.ofMillis(Math.max(1, Math.min(max.toMillis(), Math.round(shaken))));
    }

    @Override
    public Duration waitAfter(int attempt, Throwable failure) {
        return after(attempt, ThreadLocalRandom.current());
    }
}
