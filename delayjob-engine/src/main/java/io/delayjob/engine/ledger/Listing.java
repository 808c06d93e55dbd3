package io.delayjob.engine.ledger;

import io.delayjob.JobState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A bounded look at the jobs of a shard that are in one state. */
public final class Listing {

    private Listing() {}

    /**
     * Which jobs.
     *
     * @param state their state
     * @param nameMark what the record's JSON has behind its {@code at} field if it is of the wanted name; null for all
     * @param idPrefix what the id begins with; null for all
     * @param after look behind this position; null for from the start
     * @param limit the most jobs, 1 to {@link Ledger#MAX_BATCH}
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
     * @param millis the time
     * @param id the job
     */
    public record Position(long millis, String id) {}

    /**
     * What was found.
     *
     * @param jobs the jobs
     * @param next where the look ended; null if there is nothing behind it
     */
    public record Answer(List<Entry> jobs, @Nullable Position next) {}

    /**
     * One job.
     *
     * @param id its id
     * @param job what is known of it
     */
    public record Entry(String id, StoredJob job) {}
}
