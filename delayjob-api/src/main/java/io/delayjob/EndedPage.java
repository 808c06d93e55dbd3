package io.delayjob;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of the jobs that have ended and match an {@link EndedQuery}: the last ones that ended first; those of the index, the last ones that were submitted first; or, if the beginning of their ids is asked for, in the order of
 * their ids, and the last job of an id first. A page looks at 2,000 jobs at most, so it may contain few jobs, or none, and still have a next page. A job that was
 * there when the first page was read and is not removed meanwhile is seen once.
 *
 * @param jobs the jobs; {@link JobSnapshot#finishedAt} is when they ended, and {@link JobSnapshot#node} who had them last
 * @param examined how many jobs were looked at for this page
 * @param next the cursor of the next page; null if this is the last
 */
public record EndedPage(
        List<JobSnapshot> jobs, long examined, @Nullable String next) {

    /** Copies the list. */
    public EndedPage {
        jobs = List.copyOf(jobs);
    }
}
