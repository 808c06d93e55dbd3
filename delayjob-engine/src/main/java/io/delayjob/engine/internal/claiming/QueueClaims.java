package io.delayjob.engine.internal.claiming;

import io.delayjob.engine.internal.consuming.NodeActors;
import io.delayjob.engine.internal.running.Node;
import io.delayjob.engine.internal.running.Room;
import io.delayjob.engine.settings.QueueSettings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The claims that wait for jobs of one queue, in the order in which they came. A waiting claim takes no thread: when a job is due, the
 * first one asks the ledger for it. Started once and stopped once. Thread-safe.
 */
final class QueueClaims implements Room {

    private final List<ShardClaims> shards;
    private final Set<Waiter> waiting = new LinkedHashSet<>();
    /** Shards of which jobs became due while nobody could ask for them. */
    private final Set<ShardClaims> overdue = new HashSet<>();

    private long usedNanos = System.nanoTime();

    QueueClaims(String queue, String name, QueueSettings settings, Node node) {
        this.shards = node.queues().shards(queue).stream()
                .map(shard -> new ShardClaims(shard, name, settings, this, this::due, node))
                .toList();
    }

    List<ShardClaims> shards() {
        return shards;
    }

    void start(NodeActors actors) {
        shards.forEach(shard -> shard.start(actors));
    }

    void stop(NodeActors actors) {
        shards.forEach(shard -> shard.stop(actors));
    }

    void leave() {
        shards.forEach(ShardClaims::leave);
    }

    /** The number of claims that wait. */
    @Override
    public synchronized int total() {
        return waiting.size();
    }

    /** The number of claims that wait and are not asking the ledger just now. */
    @Override
    public synchronized int free() {
        return (int) waiting.stream().filter(Waiter::isParked).count();
    }

    /** When a claim last came or went, or now if one waits; a {@link System#nanoTime}. */
    synchronized long usedNanos() {
        return waiting.isEmpty() ? usedNanos : System.nanoTime();
    }

    /** Adds a claim at the end of the line; true if it is the first. */
    synchronized boolean add(Waiter waiter) {
        waiting.add(waiter);
        return waiting.size() == 1;
    }

    synchronized void remove(Waiter waiter) {
        waiting.remove(waiter);
        usedNanos = System.nanoTime();
    }

    synchronized List<Waiter> waiting() {
        return List.copyOf(waiting);
    }

    /** Lets claims that have begun to wait ask for jobs that became due while nobody could. */
    void catchUp() {
        List<ShardClaims> missed;
        synchronized (this) {
            missed = new ArrayList<>(overdue);
            overdue.clear();
        }
        missed.forEach(this::due);
    }

    /** Lets the first claim that can ask for the due jobs of a shard. */
    void due(ShardClaims shard) {
        Waiter first = wakeFirst(shard);
        // Without the lock, because an answer that comes at once takes the locks of other queues.
        if (first != null) {
            first.ask(shard);
        }
    }

    private synchronized @Nullable Waiter wakeFirst(ShardClaims shard) {
        Waiter first = waiting.stream().filter(Waiter::wake).findFirst().orElse(null);
        if (first == null) {
            overdue.add(shard);
        }
        return first;
    }
}
