package io.delayjob;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job as it was in Redis at one moment: an unfinished job, or a finished one that its queue retains. Times are by Redis' clock.
 *
 * @param queue the job's queue
 * @param id the job's id
 * @param job the name of what runs: the bean class, or its {@link DelayJobName}; null if the record cannot be read
 * @param state the job's state
 * @param attempt how many attempts have begun, 0 before the first
 * @param dueAt when it is or was due; null for a dead job, and for one cancelled before its first attempt
 * @param submittedAt when it was submitted; null if the record cannot be read
 * @param startedAt when the running attempt was handed out, or its due time if it was handed out before that; null unless {@link
 *     JobState#RESERVED}
 * @param leaseExpiresAt when its lease ends unless renewed; null unless {@link JobState#RESERVED}
 * @param node the node that runs it, or the worker elsewhere that claimed it, {@code <node>~claims} if the claim named none; of a job that is dead or
 *     waits to be retried, the one whose attempt failed, as far as that is known; of {@link DelayJobAdmin#ended}, the one that had it last; null for others
 * @param diedAt when it was given up; null unless {@link JobState#DEAD}
 * @param finishedAt when it ended; null unless {@link JobState#COMPLETED} or {@link JobState#CANCELLED}, or a dead job that was deleted
 * @param lastError why the last attempt failed or the job was given up, with the stack trace if there is one; null if nothing
 *     failed
 * @param progress the progress it last reported; null if none
 * @param result the result it left, as JSON; null if none
 * @param options the job's own, as they were submitted; those that are null are its queue's
 * @param headers the headers given at submit
 * @param param the parameter as JSON; the raw record if that cannot be read
 */
public record JobSnapshot(
        String queue,
        String id,
        @Nullable String job,
        JobState state,
        int attempt,
        @Nullable Instant dueAt,
        @Nullable Instant submittedAt,
        @Nullable Instant startedAt,
        @Nullable Instant leaseExpiresAt,
        @Nullable String node,
        @Nullable Instant diedAt,
        @Nullable Instant finishedAt,
        @Nullable String lastError,
        @Nullable Progress progress,
        @Nullable String result,
        JobOptions options,
        Map<String, String> headers,
        String param) {

    /** Copies the headers. */
    public JobSnapshot {
        headers = Map.copyOf(headers);
    }

    /** The job without its error, result, headers and param, which may be secret. */
    @Override
    public String toString() {
        return "JobSnapshot[queue=" + queue + ", id=" + id + ", job=" + job + ", state=" + state + ", attempt="
                + attempt + ", dueAt=" + dueAt + ", node=" + node + "]";
    }
}
