package io.delayjob.engine.memory;

import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Doorbell;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.Rings;
import io.delayjob.engine.ledger.ScheduleNames;
import io.delayjob.engine.ledger.ShardId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Ledgers and doorbells in memory. They last as long as this object; all ledgers and doorbells opened on it share their shards. */
public final class MemoryBackend implements Backend {

    private final LongSupplier clock;
    private final boolean leaps;
    private final Map<ShardId, MemoryShard> shards = new ConcurrentHashMap<>();
    private final Set<String> queues = ConcurrentHashMap.newKeySet();
    private final MemoryScheduleNames schedules = new MemoryScheduleNames();
    private final MemoryRings rings = new MemoryRings();
    private final List<Consumer<Notice>> listeners = new CopyOnWriteArrayList<>();

    /**
     * Creates an empty backend.
     *
     * @param clock the clock that all decisions use, in milliseconds since 1970
     */
    public MemoryBackend(LongSupplier clock) {
        this(clock, false);
    }

    /**
     * Creates an empty backend.
     *
     * @param clock the clock that all decisions use, in milliseconds since 1970
     * @param leaps whether the clock is moved by hand: the time that it leaps over is then no silence of the nodes, after which leases
     *     that ran out would be left to their owners for a while
     */
    public MemoryBackend(LongSupplier clock, boolean leaps) {
        this.clock = clock;
        this.leaps = leaps;
    }

    @Override
    public Ledger ledger(ShardId shard, Retention retention, Replication replication) {
        return new MemoryLedger(
                shard,
                shard(shard),
                retention,
                clock,
                notice -> listeners.forEach(listener -> listener.accept(notice)));
    }

    @Override
    public Doorbell doorbell(ShardId shard) {
        return shard(shard).doorbell;
    }

    @Override
    public Rings rings() {
        return rings;
    }

    private MemoryShard shard(ShardId id) {
        return shards.computeIfAbsent(id, unknown -> new MemoryShard(new MemoryDoorbell(id, rings), new Pulse(leaps)));
    }

    @Override
    public CompletableFuture<Boolean> enlist(List<String> names) {
        return CompletableFuture.completedFuture(queues.addAll(names) || queues.containsAll(names));
    }

    @Override
    public CompletableFuture<Set<String>> queues() {
        return CompletableFuture.completedFuture(new TreeSet<>(queues));
    }

    @Override
    public ScheduleNames scheduleNames() {
        return schedules;
    }

    @Override
    public Subscription onNotice(Consumer<Notice> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}
