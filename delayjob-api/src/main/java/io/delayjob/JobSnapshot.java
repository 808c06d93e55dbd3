package io.delayjob;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What Redis knew of an unfinished job at one moment. Times are Redis' clock.
 *
 * @param queue the job's queue
 * @param id the job's id
 * @param job the name of what runs: the bean class, or its {@link DelayJobName}; null if the record cannot be read
 * @param state where the job stands
 * @param attempt how many attempts have begun, 0 before the first
 * @param dueAt when it is or was due; null for a dead job
 * @param submittedAt when it was submitted; null if the record cannot be read
 * @param leaseExpiresAt when its lease ends unless renewed; null unless {@link JobState#RESERVED}
 * @param node the node that runs it; null unless {@link JobState#RESERVED}
 * @param diedAt when it was given up; null unless {@link JobState#DEAD}
 * @param lastError why the last attempt failed or the job was given up, with stack trace; null if nothing failed
 * @param headers the headers given at submit
 * @param param the parameter as JSON; the whole raw record if it cannot be read
 */
public record JobSnapshot(
        String queue,
        String id,
        @Nullable String job,
        JobState state,
        int attempt,
        @Nullable Instant dueAt,
        @Nullable Instant submittedAt,
        @Nullable Instant leaseExpiresAt,
        @Nullable String node,
        @Nullable Instant diedAt,
        @Nullable String lastError,
        Map<String, String> headers,
        String param) {

    /** Copies the headers. */
    public JobSnapshot {
        headers = Map.copyOf(headers);
    }
}
