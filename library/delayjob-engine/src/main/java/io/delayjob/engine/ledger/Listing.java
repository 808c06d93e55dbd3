package io.delayjob.engine.ledger;

import io.delayjob.JobState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A bounded search of the jobs of a shard that are in one state. */
public final class Listing {

    private Listing() {}

    /**
     * Which jobs to list.
     *
     * @param state their state
     * @param nameMark the JSON that follows the {@code at} field in records of the wanted name; null for all names
     * @param idPrefix the beginning of the id; null for all ids
     * @param after the position to continue after; null to start at the first job
     * @param limit the most jobs to return, 1 to {@link Ledger#MAX_BATCH}
     */
    public record Request(
            JobState state,
            @Nullable String nameMark,
            @Nullable String idPrefix,
            @Nullable Position after,
            int limit) {}

    /**
     * A place in the order of a state: by time, then by id.
     *
     * @param millis the time, in milliseconds since 1970
     * @param id the job's id; empty is before all jobs of that time
     */
    public record Position(long millis, String id) {

        /** Before all jobs of a time. */
        public static Position atBeginOf(long millis) {
            return new Position(millis, "");
        }
    }

    /**
     * The jobs that were found.
     *
     * @param jobs the jobs
     * @param next the position where the search ended; null if nothing follows it
     */
    public record Answer(List<Entry> jobs, @Nullable Position next) {}

    /**
     * The jobs with a mark in the index.
     *
     * @param jobs the jobs, in no order
     * @param more whether there are others
     */
    public record Indexed(List<Entry> jobs, boolean more) {}

    /**
     * One job.
     *
     * @param id its id
     * @param job its stored data
     */
    public record Entry(String id, StoredJob job) {}
}
