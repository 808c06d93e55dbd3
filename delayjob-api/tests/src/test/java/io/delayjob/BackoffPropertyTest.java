package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class BackoffPropertyTest {

    /** A hundred years. */
    private static final long LONG = 3_155_760_000_000L;

    @Property
    void waitsAtLeastAMillisecondAndAtMostItsMaximum(
            @ForAll @LongRange(min = 1, max = LONG) long initial,
            @ForAll @LongRange(max = LONG) long more,
            @ForAll @DoubleRange(min = 1, max = 100) double multiplier,
            @ForAll @DoubleRange(max = 1) double jitter,
            @ForAll @IntRange(min = 1) int attempt,
            @ForAll long seed) {
        Duration max = Duration.ofMillis(initial + more);
        Backoff backoff = new Backoff(Duration.ofMillis(initial), max, multiplier, jitter);
        assertThat(backoff.after(attempt, new Random(seed))).isBetween(Duration.ofMillis(1), max);
    }

    @Property
    void neverGetsShorterFromAttemptToAttemptWithoutJitter(
            @ForAll @LongRange(min = 1, max = LONG) long initial,
            @ForAll @LongRange(max = LONG) long more,
            @ForAll @DoubleRange(min = 1, max = 100) double multiplier,
            @ForAll @IntRange(min = 1, max = Integer.MAX_VALUE - 1) int attempt,
            @ForAll long seed) {
        Backoff backoff = new Backoff(Duration.ofMillis(initial), Duration.ofMillis(initial + more), multiplier, 0);
        Random random = new Random(seed);
        assertThat(backoff.after(1, random)).isEqualTo(Duration.ofMillis(initial));
        assertThat(backoff.after(attempt + 1, random)).isGreaterThanOrEqualTo(backoff.after(attempt, random));
    }

    @Property
    void staysWithinItsJitterOfTheGrownWait(
            @ForAll @LongRange(min = 1, max = 1_000_000) long initial,
            @ForAll @DoubleRange(max = 1) double jitter,
            @ForAll @IntRange(min = 1, max = 8) int attempt,
            @ForAll long seed) {
        double grown = initial * Math.pow(2, attempt - 1);
        Backoff backoff = new Backoff(Duration.ofMillis(initial), Duration.ofMillis(LONG), 2, jitter);
        double wait = backoff.after(attempt, new Random(seed)).toMillis();
        assertThat(wait).isBetween(grown * (1 - jitter) - 1, grown * (1 + jitter) + 1);
    }

    @Property
    void alwaysWaitsTheSameWhenFixed(
            @ForAll @LongRange(min = 1, max = LONG) long wait,
            @ForAll @IntRange(min = 1) int attempt,
            @ForAll long seed) {
        Duration fixed = Duration.ofMillis(wait);
        assertThat(Backoff.fixed(fixed).after(attempt, new Random(seed))).isEqualTo(fixed);
    }
}
