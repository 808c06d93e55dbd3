package io.delayjob.journal.internal.restoring;

import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.ShardId;
import java.util.List;

/**
 * A shard of a queue that has a journal.
 *
 * @param id the shard
 * @param ledger the ledger of the shard
 * @param shards how many shards its queue has
 */
public record JournaledShard(ShardId id, Ledger ledger, int shards) {

    /** The last position of its flow log now. */
    String last() {
        return Answers.repeated(() -> ledger.missing(List.of())).last();
    }
}
