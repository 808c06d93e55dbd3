package io.delayjob.redisson.internal.redis;

import io.delayjob.engine.ledger.Rings;
import io.delayjob.engine.ledger.ShardId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.redisson.api.Entry;
import org.redisson.api.RBlockingQueue;
import org.redisson.api.RedissonClient;

/**
 * Polls Redisson's blocking queues. Each poll occupies a connection while it waits. With a single master, one {@code BLPOP} waits
 * for many lists; on a cluster the lists of two shards are in different slots, so each is polled by itself.
 */
final class RedissonRings implements Rings {

    /** The most lists in one poll; more would cost more than another connection. */
    private static final int TOGETHER = 128;

    private final RedissonClient redisson;
    private final String prefix;
    private final ClientSize size;
    private final Scripts scripts;
    private final Map<ShardId, String> names = new ConcurrentHashMap<>();

    RedissonRings(RedissonClient redisson, String prefix, ClientSize size, Scripts scripts) {
        this.redisson = redisson;
        this.prefix = prefix;
        this.size = size;
        this.scripts = scripts;
    }

    @Override
    public int together() {
        return size.isCluster() ? 1 : TOGETHER;
    }

    /** The share of connections for polls; the others are left for scripts and for the application. */
    @Override
    public int atOnce() {
        int share = size.isCluster() ? size.connections() * size.masters() / 2 : size.connections() / 4;
        return Math.max(1, share);
    }

    @Override
    public String remedy(int shards) {
        int masters = size.isCluster() ? Math.max(1, size.masters()) : 1;
        return size.isCluster()
                ? "On a cluster each wait keeps a connection. Set masterConnectionPoolSize, now %d, to at least %d"
                        .formatted(size.connections(), (2 * shards + masters - 1) / masters)
                : "Set connectionPoolSize (masterConnectionPoolSize), now %d, to at least %d"
                        .formatted(size.connections(), 4 * ((shards + TOGETHER - 1) / TOGETHER));
    }

    @Override
    public CompletableFuture<Optional<ShardId>> next(List<ShardId> shards, Duration atMost) {
        CompletableFuture<Optional<ShardId>> ring = new CompletableFuture<>();
        scripts.connected("doorbell", () -> poll(shards, atMost, ring).toCompletableFuture())
                .thenAccept(ring::complete)
                .exceptionally(failure -> {
                    ring.completeExceptionally(scripts.explain("doorbell", failure));
                    return null;
                });
        return ring;
    }

    private CompletionStage<Optional<ShardId>> poll(
            List<ShardId> shards, Duration atMost, CompletableFuture<Optional<ShardId>> ring) {
        // A codec of texts can read any id, whoever pushed it.
        RBlockingQueue<String> first = redisson.getBlockingQueue(ready(shards.get(0)), HeapTextCodec.INSTANCE);
        if (shards.size() == 1) {
            var poll = first.pollAsync(atMost.toSeconds(), TimeUnit.SECONDS);
            cancelWith(ring, poll);
            return poll.thenApply(id -> Optional.ofNullable(id).map(rung -> shards.get(0)));
        }
        Map<String, ShardId> byName = new HashMap<>();
        shards.forEach(shard -> byName.put(names.computeIfAbsent(shard, this::name), shard));
        String[] others = shards.stream().skip(1).map(this::ready).toArray(String[]::new);
        var poll = first.pollFromAnyWithNameAsync(atMost, others);
        cancelWith(ring, poll);
        return poll.thenApply(
                entry -> Optional.ofNullable(entry).map(Entry::getKey).map(byName::get));
    }

    private static void cancelWith(CompletableFuture<?> ring, Future<?> poll) {
        ring.whenComplete((rung, failure) -> {
            if (ring.isCancelled()) {
                poll.cancel(true);
            }
        });
    }

    private String ready(ShardId shard) {
        return new Keys(prefix, shard).of(Key.READY);
    }

    /** The name of the list in Redis, which an answer contains. */
    private String name(ShardId shard) {
        return redisson.getTopic(ready(shard)).getChannelNames().get(0);
    }
}
