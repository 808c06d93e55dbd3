package io.delayjob.redisson.node;

import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Doorbell;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.Rings;
import io.delayjob.engine.ledger.ScheduleNames;
import io.delayjob.engine.ledger.ShardId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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
        return backend.doorbell(shard);
    }

    @Override
    public Rings rings() {
        return new Counted(backend.rings(), heard);
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
    public ScheduleNames scheduleNames() {
        return backend.scheduleNames();
    }

    @Override
    public Subscription onNotice(Consumer<Notice> listener) {
        return backend.onNotice(listener);
    }

    private record Counted(Rings rings, AtomicLong heard) implements Rings {

        @Override
        public CompletableFuture<Optional<ShardId>> next(List<ShardId> shards, Duration atMost) {
            CompletableFuture<Optional<ShardId>> next = rings.next(shards, atMost);
            next.thenAccept(rung -> rung.ifPresent(shard -> heard.incrementAndGet()));
            return next;
        }

        @Override
        public int together() {
            return rings.together();
        }

        @Override
        public int atOnce() {
            return rings.atOnce();
        }

        @Override
        public String remedy(int shards) {
            return rings.remedy(shards);
        }
    }
}
