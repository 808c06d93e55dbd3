package io.delayjob.redisson.internal.ledger;

import java.util.function.Consumer;

/** Opens the ledgers and doorbells of the shards. */
public interface Backend {

    /**
     * The ledger of a shard.
     *
     * @param retention what it keeps of finished jobs
     * @param replication which replicas acknowledge submits; a ledger without replicas leaves it alone
     */
    Ledger ledger(ShardId shard, Retention retention, Replication replication);

    /** The doorbell of a shard. */
    Doorbell doorbell(ShardId shard);

    /**
     * Hears, on this node, of running jobs of any shard that are cancelled on any node. No promise rests on it: a notice may be
     * lost, and the run's lease is found gone at its next renewal.
     *
     * @param listener called on a thread that must not be blocked
     * @return ends it
     */
    Subscription onCancelled(Consumer<Cancellation> listener);

    /**
     * A running job was cancelled.
     *
     * @param shard of which shard
     * @param lease what its claim gave, so that a later run of the same id is not meant
     */
    record Cancellation(ShardId shard, Lease lease) {}

    /** Where the jobs are: backends of equal places hold the same jobs. */
    default Object place() {
        return this;
    }

    /** Something that is heard until it is closed. */
    interface Subscription extends AutoCloseable {

        @Override
        void close();
    }
}
