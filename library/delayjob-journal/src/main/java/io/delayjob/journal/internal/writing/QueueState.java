package io.delayjob.journal.internal.writing;

import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.ShardRow;
import java.util.List;

/**
 * How far a queue is written.
 *
 * @param lagMillis for how long the oldest entry that is not written has been in the flow log of a shard; 0 if all are written
 * @param relayLagMillis for how long a job has waited to be brought to Redis since its time for that came; 0 if none waits
 * @param entries how many entries the longest flow log of its shards has; one that is written always stays
 * @param bound how many it may have
 * @param lost the shards of which something was lost and not restored since
 */
public record QueueState(long lagMillis, long relayLagMillis, long entries, long bound, List<LostShard> lost) {

    /**
     * A shard of which something was lost.
     *
     * @param shard the shard
     * @param lost the loss
     */
    public record LostShard(ShardId shard, ShardRow.Lost lost) {}

    /** Copies the list. */
    public QueueState {
        lost = List.copyOf(lost);
    }

    /** Whether the flow log of a shard is full, so that its jobs wait. */
    public boolean isFull() {
        return entries >= bound;
    }
}
