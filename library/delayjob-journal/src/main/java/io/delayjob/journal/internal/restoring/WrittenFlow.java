package io.delayjob.journal.internal.restoring;

import io.delayjob.engine.ledger.ShardId;

/** Waits until the journal has what the ledger has logged. */
@FunctionalInterface
public interface WrittenFlow {

    /**
     * Waits until some node has written the flow log of a shard up to a position.
     *
     * @throws io.delayjob.DelayJobException if that takes too long; the message says what is missing
     */
    void await(ShardId shard, String position);
}
