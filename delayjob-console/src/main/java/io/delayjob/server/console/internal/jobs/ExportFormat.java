package io.delayjob.server.console.internal.jobs;

import io.delayjob.JobSnapshot;
import org.jspecify.annotations.Nullable;

/** How jobs are written to a file. */
interface ExportFormat {

    /** The start of the file, before the first job. */
    String head();

    /**
     * The text of one job.
     *
     * @param source the store that has the job: {@code redis} or {@code journal}
     */
    String line(JobSnapshot job, String source);

    /**
     * The end of the file, after the last job.
     *
     * @param jobs how many jobs are in the file
     * @param examined how many were looked at
     * @param cutOff why some jobs are missing from the file; null if it is complete
     */
    String end(long jobs, long examined, @Nullable String cutOff);
}
