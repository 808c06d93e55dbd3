package io.delayjob.engine.ledger;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The store behind the engine: opens the ledgers and doorbells of shards. */
public interface Backend {

    /**
     * The ledger of a shard.
     *
     * @param retention which finished jobs it keeps
     * @param replication how many replicas must acknowledge submits; ignored by a ledger without replicas
     */
    Ledger ledger(ShardId shard, Retention retention, Replication replication);

    /** Counts the jobs of shards, in their order, as {@link Ledger#tally} does for one, with as few calls as possible. */
    default CompletableFuture<List<Tally>> tallies(List<ShardId> shards) {
        List<CompletableFuture<Tally>> all = shards.stream()
                .map(shard -> ledger(shard, Retention.NONE, Replication.NONE).tally())
                .toList();
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .thenApply(done -> all.stream().map(CompletableFuture::join).toList());
    }

    /** The doorbell of a shard. */
    Doorbell doorbell(ShardId shard);

    /** Waits for the doorbells. */
    Rings rings();

    /**
     * Listens for the notices that the ledgers of all shards send to all nodes. Nothing may depend on a notice, because it can be
     * lost.
     *
     * @param listener receives the notices, on a thread that it must not block
     * @return the subscription, to be closed
     */
    Subscription onNotice(Consumer<Notice> listener);

    /** A message of a ledger to all nodes. */
    sealed interface Notice {

        /** The shard it is about. */
        ShardId shard();
    }

    /**
     * A running job was cancelled. If this notice is lost, the next renewal of the lease is refused.
     *
     * @param shard of which shard
     * @param lease the lease of the cancelled run, so that a later run of the same id is not affected
     */
    record Cancellation(ShardId shard, Lease lease) implements Notice {}

    /**
     * Jobs were passed on to the nodes that have a handler for them. If this notice is lost, those nodes find the jobs with a later
     * claim.
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
     * Records the names of queues that this node submits to or runs, for {@link #queues}. Safe to repeat.
     *
     * @param queues the names, at most 200
     * @return false if this backend records no names
     */
    default CompletableFuture<Boolean> enlist(List<String> queues) {
        return CompletableFuture.completedFuture(false);
    }

    /** The names of queues that nodes have recorded; at most 10,000, those recorded last. */
    default CompletableFuture<Set<String>> queues() {
        return CompletableFuture.completedFuture(Set.of());
    }

    /** The names of all schedules. */
    ScheduleNames scheduleNames();

    /** Identifies where the jobs are stored: backends with equal places hold the same jobs. */
    default Object place() {
        return this;
    }

    /** Delivers notices until it is closed. */
    interface Subscription extends AutoCloseable {

        @Override
        void close();
    }
}
