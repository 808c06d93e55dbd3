package io.delayjob.engine.ledger;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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

    /** What hears the doorbells. */
    Rings rings();

    /**
     * Hears, on this node, what the ledgers of all shards tell all nodes. No promise rests on it: a notice may be lost.
     *
     * @param listener called on a thread that must not be blocked
     * @return ends it
     */
    Subscription onNotice(Consumer<Notice> listener);

    /** What a ledger tells all nodes. */
    sealed interface Notice {

        /** Of which shard. */
        ShardId shard();
    }

    /**
     * A running job was cancelled. Where this is not heard, the lease is found gone at its next renewal.
     *
     * @param shard of which shard
     * @param lease what its claim gave, so that a later run of the same id is not meant
     */
    record Cancellation(ShardId shard, Lease lease) implements Notice {}

    /**
     * Jobs were left to the nodes that have a handler for them. Where this is not heard, those find the jobs when they look.
     *
     * @param shard of which shard
     * @param names the jobs' names
     */
    record PassedOn(ShardId shard, List<String> names) implements Notice {

        /** Copies the names. */
        public PassedOn {
            names = List.copyOf(names);
        }
    }

    /**
     * Keeps the names of queues that this node submits to or runs, for {@link #queues}. Safe to repeat.
     *
     * @param queues at most 250
     * @return false if it keeps none
     */
    default CompletableFuture<Boolean> enlist(List<String> queues) {
        return CompletableFuture.completedFuture(false);
    }

    /** The queues that nodes have named, by name; at most 10,000, those named last. */
    default CompletableFuture<Set<String>> queues() {
        return CompletableFuture.completedFuture(Set.of());
    }

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
