package io.delayjob.engine.memory;

import io.delayjob.engine.ledger.Rings;
import io.delayjob.engine.ledger.ShardId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Keeps rings until somebody waits for them. Each ring goes to whoever has waited longest. Thread-safe. */
final class MemoryRings implements Rings {

    /** The most rings that are kept, so that unheard rings do not pile up. */
    private static final int MOST = 1000;

    private final Map<ShardId, Integer> unheard = new HashMap<>();
    private final List<Wait> waits = new ArrayList<>();

    /** A waiting caller. Compared by identity. */
    private static final class Wait {

        private final List<ShardId> shards;
        private final CompletableFuture<Optional<ShardId>> ring = new CompletableFuture<>();

        Wait(List<ShardId> shards) {
            this.shards = shards;
        }

        boolean hears(ShardId shard) {
            return shards.contains(shard) && ring.complete(Optional.of(shard));
        }
    }

    @Override
    public CompletableFuture<Optional<ShardId>> next(List<ShardId> shards, Duration atMost) {
        Wait wait = new Wait(shards);
        begin(wait);
        wait.ring
                .completeOnTimeout(Optional.empty(), atMost.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((rung, failure) -> end(wait));
        return wait.ring;
    }

    private synchronized void begin(Wait wait) {
        Optional<ShardId> rung =
                wait.shards.stream().filter(unheard::containsKey).findFirst();
        if (rung.isEmpty()) {
            waits.add(wait);
        } else {
            unheard.computeIfPresent(rung.get(), (shard, count) -> count == 1 ? null : count - 1);
            wait.ring.complete(rung);
        }
    }

    private synchronized void end(Wait wait) {
        waits.remove(wait);
    }

    /** Rings for one waiting caller, or for the next one to come. */
    synchronized void ring(ShardId shard) {
        if (List.copyOf(waits).stream().noneMatch(wait -> wait.hears(shard))) {
            unheard.merge(shard, 1, (count, one) -> Math.min(MOST, count + one));
        }
    }

    @Override
    public int together() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int atOnce() {
        return Integer.MAX_VALUE;
    }

    @Override
    public String remedy(int shards) {
        return "";
    }
}
