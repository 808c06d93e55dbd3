package io.delayjob;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The instants of a schedule that a {@linkplain DelayJobSchedules#backfill backfill} makes up for.
 *
 * @param instants how many there are
 * @param first the first; null if there is none
 * @param last the last; null if there is none
 * @param stored how many of their occurrences were stored, the others having a job already that is not finished; 0 of a dry run
 */
public record ScheduleBackfill(
        long instants, @Nullable Instant first, @Nullable Instant last, long stored) {

    /** The most instants of one backfill that is no dry run. */
    public static final int MOST = 100_000;

    /** The most instants that a dry run counts. */
    public static final int MOST_COUNTED = 1_000_000;
}
