package io.delayjob.engine.extension;

import io.delayjob.engine.ledger.Listing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of the jobs that have ended.
 *
 * @param jobs the matching jobs; their time is the time of their end, and the due time of their attempt is when they were last due, or died
 * @param examined how many were looked at
 * @param next the cursor to go on with; null if all were looked at
 */
public record EndedJobs(
        List<Listing.Entry> jobs, long examined, @Nullable String next) {

    /**
     * How wanted jobs are told by their records.
     *
     * @param name the JSON that follows the {@code at} field in records of the wanted name; null for all names
     * @param index the mark that they have in the index of their queue, see {@link io.delayjob.engine.ledger.JobContent#marks}; null for any
     */
    public record Marks(@Nullable String name, @Nullable String index) {}
}
