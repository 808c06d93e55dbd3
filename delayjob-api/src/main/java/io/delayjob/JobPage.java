package io.delayjob;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of the jobs that match a {@link JobQuery}, shard by shard, ordered by the time that belongs to their state: due time, end of
 * the lease, time of death or time of the end. Each page examines a bounded number of jobs, so it may contain fewer jobs than the
 * limit, or none, and still have a next page. A job that changes while pages are read may be seen twice or not at all; a job that
 * does not is seen once.
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
