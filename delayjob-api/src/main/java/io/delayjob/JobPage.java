package io.delayjob;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of the jobs that a {@link JobQuery} asks for, in the order of their time: due time, end of the lease, time of death or of
 * the end, shard after shard. A page is what one bounded look found: it may hold fewer jobs than the limit, or none, and still
 * have a next one. Jobs that move between two pages may be seen twice or not at all; those that stay are seen once.
 *
 * @param jobs the jobs
 * @param next the cursor of the next page; null if this is the last
 */
public record JobPage(List<JobSnapshot> jobs, @Nullable String next) {

    /** Copies the list. */
    public JobPage {
        jobs = List.copyOf(jobs);
    }
}
