package io.delayjob;

import java.time.Instant;
import java.util.Map;

/**
 * A job that was handed out by {@link DelayJobClaims#claim}. Times are by Redis' clock.
 *
 * @param queue the job's queue
 * @param id the job's id
 * @param topic the name of what is to run: the topic of the submit, or the stored name of a {@link DelayJob}
 * @param param the parameter as JSON
 * @param headers the headers given at the submit
 * @param attempt the number of this attempt, from 1
 * @param dueAt when this attempt was due
 * @param submittedAt when the job was submitted
 * @param leaseEndsAt until when nobody else gets the job, unless it is extended
 * @param options how the job is tried: as its request says, or else its queue. The backoff is null if it is computed by a bean of the node that handed it out
 * @param handle names this attempt in {@link JobSettlement}s; opaque text of {@code A-Z a-z 0-9 - _ .}
 */
public record ClaimedJob(
        String queue,
        String id,
        String topic,
        String param,
        Map<String, String> headers,
        int attempt,
        Instant dueAt,
        Instant submittedAt,
        Instant leaseEndsAt,
        JobOptions options,
        String handle) {

    /** Copies the headers. */
    public ClaimedJob {
        headers = Map.copyOf(headers);
    }

    /** The job without its param and headers, which may be secret, and without its handle, which gives the right to settle it. */
    @Override
    public String toString() {
        return "ClaimedJob[queue=" + queue + ", id=" + id + ", topic=" + topic + ", attempt=" + attempt + ", dueAt="
                + dueAt + ", leaseEndsAt=" + leaseEndsAt + "]";
    }
}
