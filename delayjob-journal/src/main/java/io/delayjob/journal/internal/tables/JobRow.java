package io.delayjob.journal.internal.tables;

import io.delayjob.engine.ledger.ShardId;

/**
 * A job as its row has it.
 *
 * @param seq the row's number; 0 of one that is to be added
 * @param shard the shard of the job
 * @param id the job's id
 * @param content what never changes
 * @param createdAt when it was submitted, milliseconds since 1970; by Redis' clock once Redis has it
 * @param status what changes
 */
public record JobRow(long seq, ShardId shard, String id, Content content, long createdAt, Status status) {

    /** With another status. */
    public JobRow with(Status now) {
        return new JobRow(seq, shard, id, content, createdAt, now);
    }

    /** With another content, as a submit that postpones a job gives it. */
    public JobRow with(Content now) {
        return new JobRow(seq, shard, id, now, createdAt, status);
    }
}
