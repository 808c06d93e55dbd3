package io.delayjob.journal.internal.tables;

import io.delayjob.engine.ledger.FlowPosition;
import io.delayjob.engine.ledger.ShardId;
import org.jspecify.annotations.Nullable;

/**
 * How far a shard is written.
 *
 * @param id the shard
 * @param written the position of the entry that was written last
 * @param again up to this position, steps may be written already, because the log is read once more from its beginning
 * @param adopted whether the jobs that Redis has and its log says nothing of have rows
 * @param lost the loss that was not restored since; null if none
 */
public record ShardRow(
        ShardId id,
        FlowPosition written,
        FlowPosition again,
        boolean adopted,
        @Nullable Lost lost) {

    /**
     * A loss.
     *
     * @param loss the kind of the loss
     * @param atMillis when that was found, by the database's clock, milliseconds since 1970
     */
    public record Lost(Loss loss, long atMillis) {}
}
