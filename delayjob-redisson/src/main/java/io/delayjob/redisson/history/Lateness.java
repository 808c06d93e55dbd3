package io.delayjob.redisson.history;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * The buckets in which lateness is counted: up to 1 ms, and from there on each reaches to √2 times the one before, up to 4 hours 40 minutes.
 * Counts of the same buckets can be added, whichever node they are from.
 */
public final class Lateness {

    /** How many buckets there are; the last one has no end. */
    public static final int BUCKETS = 50;

    /** Where each bucket ends, in nanoseconds. */
    private static final long[] ENDS = IntStream.range(0, BUCKETS - 1)
            .mapToLong(i -> Math.round(TimeUnit.MILLISECONDS.toNanos(1) * Math.pow(2, i / 2.0)))
            .toArray();

    private Lateness() {}

    /** The bucket of a lateness. */
    public static int bucket(long nanos) {
        int found = Arrays.binarySearch(ENDS, nanos);
        return found >= 0 ? found : -found - 1;
    }

    /**
     * The lateness, in milliseconds, that a share of the attempts did not exceed; -1 if there are none. It is off by less than half of it,
     * because attempts are taken to be spread evenly over their bucket.
     *
     * @param counts how many attempts are in each bucket
     * @param share the share, from 0 to 1
     */
    static double percentile(long[] counts, double share) {
        long all = Arrays.stream(counts).sum();
        if (all == 0) {
            return -1;
        }
        double rank = share * all;
        double before = 0;
        int bucket = 0;
        while (bucket < counts.length - 1 && before + counts[bucket] < rank) {
            before += counts[bucket];
            bucket++;
        }
        double part = counts[bucket] == 0 ? 0 : (rank - before) / counts[bucket];
        double from = millis(bucket - 1);
        return from + part * (millis(bucket) - from);
    }

    private static double millis(int bucket) {
        return bucket < 0 ? 0 : ENDS[Math.min(bucket, ENDS.length - 1)] / 1e6;
    }
}
