package io.delayjob.server.console.internal.jobs;

import io.delayjob.JobSnapshot;
import org.jspecify.annotations.Nullable;

/** How jobs are written to a file. */
interface ExportFormat {

    /** What comes first. */
    String head();

    /**
     * A job.
     *
     * @param source who has it
     */
    String line(JobSnapshot job, String source);

    /**
     * What comes last.
     *
     * @param jobs how many jobs are in the file
     * @param examined how many were looked at
     * @param cutOff why not all jobs are; null if they are
     */
    String end(long jobs, long examined, @Nullable String cutOff);
}
