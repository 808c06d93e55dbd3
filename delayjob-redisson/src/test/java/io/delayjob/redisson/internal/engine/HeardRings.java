package io.delayjob.redisson.internal.engine;

import io.delayjob.redisson.internal.ledger.Backend;
import io.delayjob.redisson.internal.ledger.Doorbell;
import io.delayjob.redisson.internal.ledger.Feed;
import io.delayjob.redisson.internal.ledger.Ledger;
import io.delayjob.redisson.internal.ledger.Replication;
import io.delayjob.redisson.internal.ledger.Retention;
import io.delayjob.redisson.internal.ledger.ShardId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A backend that counts the rings which its node hears. */
final class HeardRings implements Backend {

    private final Backend backend;
    private final AtomicLong heard = new AtomicLong();

    HeardRings(Backend backend) {
        this.backend = backend;
    }

    long heard() {
        return heard.get();
    }

    @Override
    public Ledger ledger(ShardId shard, Retention retention, Replication replication) {
        return backend.ledger(shard, retention, replication);
    }

    @Override
    public Doorbell doorbell(ShardId shard) {
        return new Counted(backend.doorbell(shard), heard);
    }

    @Override
    public CompletableFuture<Boolean> enlist(List<String> queues) {
        return backend.enlist(queues);
    }

    @Override
    public CompletableFuture<Set<String>> queues() {
        return backend.queues();
    }

    @Override
    public Subscription onNotice(Consumer<Notice> listener) {
        return backend.onNotice(listener);
    }

    private record Counted(Doorbell doorbell, AtomicLong heard) implements Doorbell {

        @Override
        public boolean awaitRing(Duration atMost) {
            boolean rung = doorbell.awaitRing(atMost);
            if (rung) {
                heard.incrementAndGet();
            }
            return rung;
        }

        @Override
        public void ring() {
            doorbell.ring();
        }

        @Override
        public void arrange(List<Feed.Ring> rings) {
            doorbell.arrange(rings);
        }

        @Override
        public void leave() {
            doorbell.leave();
        }
    }
}
