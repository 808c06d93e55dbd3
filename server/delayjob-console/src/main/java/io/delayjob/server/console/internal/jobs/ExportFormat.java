package io.delayjob.server.console.internal.jobs;

import io.delayjob.JobSnapshot;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How jobs are written to a file. */
interface ExportFormat {

    /** The fields with which a job begins in each format, in order. */
    List<Field> FIELDS = List.of(
            new Field("queue", JobSnapshot::queue),
            new Field("id", JobSnapshot::id),
            new Field("topic", JobSnapshot::job),
            new Field("state", JobSnapshot::state),
            new Field("attempt", JobSnapshot::attempt),
            new Field("dueAt", JobSnapshot::dueAt),
            new Field("submittedAt", JobSnapshot::submittedAt),
            new Field("startedAt", JobSnapshot::startedAt),
            new Field("diedAt", JobSnapshot::diedAt),
            new Field("finishedAt", JobSnapshot::finishedAt),
            new Field("node", JobSnapshot::node),
            new Field("lastError", JobSnapshot::lastError));

    /**
     * A field of a job.
     *
     * @param name its name in the file
     * @param value gets its value; null if the job has none
     */
    record Field(String name, Function<JobSnapshot, @Nullable Object> value) {}

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
