package io.delayjob.journal.internal.tables;

import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ShardId;
import org.jspecify.annotations.Nullable;

/**
 * A job as its row has it.
 *
 * @param seq the row's number; 0 of one that is to be added
 * @param shard the shard of the job
 * @param id the job's id
 * @param content its content as it was submitted
 * @param createdAt when it was submitted, milliseconds since 1970; by Redis' clock once Redis has it
 * @param status the part that changes
 * @param mark tells the submit from others of the id, and holds the permit with which its own node may bring it to Redis; the permit is
 *     empty if only a relay may, and the mark is null if the job was not written here first
 */
public record JobRow(
        long seq,
        ShardId shard,
        String id,
        JobContent content,
        long createdAt,
        Status status,
        NewJob.@Nullable Journaled mark) {

    /** Its content as a ledger stores it, with the time of its submit. */
    public JobContent stored() {
        return content.storedAt(createdAt);
    }

    /** With another status. */
    public JobRow with(Status now) {
        return new JobRow(seq, shard, id, content, createdAt, now, mark);
    }

    /** Whether Redis has had the job, and it was submitted after a time, by Redis' clock. */
    public boolean isSubmittedToRedisAfter(long millis) {
        return status.relayAt() == null && createdAt > millis;
    }

    /** Whether it is the row of a submit. */
    public boolean isOf(@Nullable Long tag) {
        return mark != null && tag != null && mark.tag() == tag;
    }

    /** With another content, as a submit that postpones a job gives it. */
    public JobRow with(JobContent now) {
        return new JobRow(seq, shard, id, now, createdAt, status, mark);
    }
}
