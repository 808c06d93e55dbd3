package io.delayjob.engine.memory;

import io.delayjob.engine.ledger.Doorbell;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.ShardId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The doorbell of one shard. */
record MemoryDoorbell(ShardId shard, MemoryRings rings) implements Doorbell {

    @Override
    public void ring() {
        rings.ring(shard);
    }

    @Override
    public void arrange(Feed.@Nullable Ring ring) {
        if (ring != null) {
            CompletableFuture.delayedExecutor(ring.delayMillis(), TimeUnit.MILLISECONDS, Runnable::run)
                    .execute(this::ring);
        }
    }

    /** Keeps the rings, which belong to the shard: they may double those of the next holder, but none is lost. */
    @Override
    public void leave() {}
}
