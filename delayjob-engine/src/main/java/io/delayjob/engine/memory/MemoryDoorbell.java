package io.delayjob.engine.memory;

import io.delayjob.engine.ledger.Doorbell;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.ShardId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Rings one shard, now and when it is time. */
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

    /** Leaves the rings where they are: they are the shard's, and the next holder's may be doubled by them, not lost. */
    @Override
    public void leave() {}
}
