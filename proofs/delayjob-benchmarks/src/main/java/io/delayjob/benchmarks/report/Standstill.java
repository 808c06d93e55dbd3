package io.delayjob.benchmarks.report;

import java.time.Duration;
import java.util.stream.IntStream;

/** How long the machine suspends threads that only read the clock. Anything measured on it may be late by as much. */
final class Standstill {

    private static final Duration LOOK = Duration.ofSeconds(10);

    private Standstill() {}

    /** The longest, in ms, of one thread for each processor. */
    static double longestMillis() {
        return IntStream.range(0, Runtime.getRuntime().availableProcessors())
                        .parallel()
                        .mapToLong(processor -> longestNanos())
                        .max()
                        .orElseThrow()
                / 1e6;
    }

    private static long longestNanos() {
        long last = System.nanoTime();
        long end = last + LOOK.toNanos();
        long longest = 0;
        while (last < end) {
            long now = System.nanoTime();
            longest = Math.max(longest, now - last);
            last = now;
        }
        return longest;
    }
}
