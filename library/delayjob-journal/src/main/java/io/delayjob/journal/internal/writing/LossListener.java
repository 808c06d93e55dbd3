package io.delayjob.journal.internal.writing;

import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.Loss;

/** Is told on the node that found it that something of a shard was lost, after that was written. */
@FunctionalInterface
public interface LossListener {

    /**
     * Something was lost. Called on a thread of the writer, which it must not block.
     *
     * @param lostAtMillis when that was found, by the database's clock; identifies the loss
     */
    void lost(ShardId shard, Loss loss, long lostAtMillis);
}
