package io.delayjob.journal.internal.pointing;

import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Pointer;
import io.delayjob.engine.ledger.Pointers;
import io.delayjob.engine.ledger.Pointers.Wanted;
import io.delayjob.engine.ledger.Pointing;
import io.delayjob.engine.ledger.ShardId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/** Points ids to the shards of their jobs, before the jobs are brought there. */
public final class PointedIds {

    private final Function<ShardId, Ledger> ledgers;
    private final ToIntFunction<String> shards;

    /**
     * Of all queues.
     *
     * @param ledgers opens the ledger of a shard
     * @param shards the number of shards of a queue
     */
    public PointedIds(Function<ShardId, Ledger> ledgers, ToIntFunction<String> shards) {
        this.ledgers = ledgers;
        this.shards = shards;
    }

    /** Whether the id of a job of a shard belongs to another one. */
    public boolean isAway(ShardId shard, String id) {
        return !home(shard, id).equals(shard);
    }

    /** The shard that the id of a job of a shard belongs to. */
    public ShardId home(ShardId shard, String id) {
        return ShardId.of(shard.queue(), id, shards.applyAsInt(shard.queue()));
    }

    /** Whether the shard that an id belongs to has no job of it. */
    public CompletableFuture<Boolean> isFree(ShardId home, String id) {
        Wanted none = new Wanted(id, home.number(), UUID.randomUUID().toString(), null);
        return new Calls(home.queue()).point(home.number(), none).thenApply(Optional::isPresent);
    }

    /** Points an id to the shard of its job, see {@link Pointing#point()}. */
    public CompletableFuture<Optional<Pointer>> point(ShardId shard, String id) {
        return pointing(shard, id).point();
    }

    /** Points anew, see {@link Pointing#replace}. */
    public CompletableFuture<Optional<Pointer>> replace(ShardId shard, Pointer pointer) {
        return pointing(shard, pointer.id()).replace(pointer);
    }

    private Pointing pointing(ShardId shard, String id) {
        return new Pointing(id, home(shard, id).number(), shard.number(), new Calls(shard.queue()));
    }

    /** Calls to the shards of a queue, for one id each. */
    private final class Calls implements Pointing.Calls {

        private final String queue;

        Calls(String queue) {
            this.queue = queue;
        }

        @Override
        public CompletableFuture<Optional<Pointer>> point(int home, Wanted wanted) {
            return one(() -> pointers(home).point(List.of(wanted)));
        }

        @Override
        public CompletableFuture<Boolean> revoke(Pointer pointer) {
            return one(() -> pointers(pointer.shard()).revoke(List.of(pointer)));
        }

        private <A> CompletableFuture<A> one(Supplier<CompletableFuture<List<A>>> call) {
            try {
                return call.get().thenApply(answers -> answers.get(0));
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        private Pointers pointers(int shard) {
            return ledgers.apply(new ShardId(queue, shard)).pointers();
        }
    }
}
