package io.delayjob;

import java.util.List;

/**
 * Jobs that the index of a queue has under a value.
 *
 * @param jobs the jobs, in no order
 * @param more whether there are others
 */
public record IndexedJobs(List<JobSnapshot> jobs, boolean more) {

    /** The most jobs in one answer. */
    public static final int MOST = 200;

    /** Copies the list. */
    public IndexedJobs {
        jobs = List.copyOf(jobs);
    }
}
