package io.delayjob.redisson.internal.ledger;

/** Opens the ledgers and doorbells of the shards. */
public interface Backend {

    /** The ledger of a shard. */
    Ledger ledger(ShardId shard);

    /** The doorbell of a shard. */
    Doorbell doorbell(ShardId shard);
}
