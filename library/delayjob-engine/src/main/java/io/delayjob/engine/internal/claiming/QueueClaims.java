package io.delayjob.engine.internal.claiming;

import io.delayjob.engine.internal.claiming.Waiter.Turn;
import io.delayjob.engine.internal.consuming.NodeActors;
import io.delayjob.engine.internal.running.Node;
import io.delayjob.engine.internal.running.Room;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.settings.QueueSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Stream;

/**
 * The claims for jobs of one queue, in the order in which they came. A waiting claim takes no thread: when a job is due, the first one
 * asks the ledger for it. As long as claims wait, each shard with due jobs is being asked, or is in {@code overdue} until a claim can
 * ask it. Thread-safe.
 */
final class QueueClaims implements Room {

    private final String name;
    private final Duration lease;
    private final Node node;
    private final ScheduledExecutorService scheduler;
    private final List<ShardClaims> shards;
    private final Set<Waiter> waiting = new LinkedHashSet<>();
    /** Shards of which jobs became due while no claim could ask for them. */
    private final Set<ShardClaims> overdue = new HashSet<>();

    private long usedNanos = System.nanoTime();

    /**
     * The claims for jobs of a queue, none so far.
     *
     * @param name the name of this node as one that claims for others
     */
    QueueClaims(String queue, String name, QueueSettings settings, Node node) {
        this.name = name;
        this.lease = settings.lease();
        this.node = node;
        this.scheduler = node.scheduler();
        this.shards = node.queues().shards(queue).stream()
                .map(shard -> new ShardClaims(shard, name, settings, node))
                .toList();
    }

    List<ShardClaims> shards() {
        return shards;
    }

    /** Watches for due jobs from now on. */
    void start(NodeActors actors) {
        for (ShardClaims shard : shards) {
            ShardWatch watch = new ShardWatch(shard.shard(), name, lease, this, () -> due(shard), node);
            shard.watch(watch);
            watch.start(actors);
        }
    }

    /** Ends the waits, and watches no longer. Claims that ask just now are answered when the ledger answers. */
    void stop(NodeActors actors) {
        watches().forEach(watch -> watch.stop(actors));
        waiting().forEach(Waiter::end);
    }

    /** Removes the node from the fleet. Does not block. */
    void leave() {
        watches().forEach(ShardWatch::leave);
    }

    /** Jobs of a shard were passed on to nodes that can take them. */
    void passedOn(ShardId shard) {
        shards.stream()
                .filter(one -> one.id().equals(shard))
                .flatMap(one -> Stream.ofNullable(one.watch()))
                .forEach(ShardWatch::passedOn);
    }

    /** Faults that prevent this node from learning of due jobs, one sentence each. */
    Stream<String> faults() {
        return watches().flatMap(ShardWatch::faults);
    }

    private Stream<ShardWatch> watches() {
        return shards.stream().map(ShardClaims::watch).filter(Objects::nonNull);
    }

    /** The number of claims that are not answered. */
    @Override
    public synchronized int total() {
        return waiting.size();
    }

    /** The number of claims that wait and are not asking the ledger just now. */
    @Override
    public synchronized int free() {
        return (int) waiting.stream().filter(Waiter::isParked).count();
    }

    /** Whether every claim is answered, and what was given back is settled. */
    boolean isIdle() {
        return total() == 0 && shards.stream().allMatch(shard -> shard.shard().settled());
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

    /**
     * Removes a claim. The others ask for jobs that became due meanwhile; if there are no others, these jobs are left to other nodes. In the
     * same step the others get the due jobs of the shards that it leaves: a claim that came while it was in the line has not asked by itself.
     *
     * @param leaves the shards that it leaves to the others
     * @param due the shards among {@code leaves} that certainly have due jobs
     */
    void remove(Waiter waiter, List<ShardClaims> leaves, List<ShardClaims> due) {
        List<ShardClaims> missed = List.of();
        boolean othersAsk;
        synchronized (this) {
            usedNanos = System.nanoTime();
            waiting.remove(waiter);
            if (!waiting.isEmpty()) {
                overdue.addAll(leaves);
            }
            othersAsk = !waiting.isEmpty() && !overdue.isEmpty();
            if (waiting.isEmpty()) {
                missed = List.copyOf(overdue);
                overdue.clear();
            }
        }
        missed.forEach(ShardClaims::ringAnother);
        if (!othersAsk) {
            due.forEach(ShardClaims::leftDue);
        }
        if (othersAsk) {
            catchUpSoon();
        }
    }

    /** Not at once, because one claim would follow the other by recursion. */
    private void catchUpSoon() {
        try {
            scheduler.execute(this::catchUp);
        } catch (RejectedExecutionException e) {
            // The engine is closed, and all waits are over.
            return;
        }
    }

    /** The claims that are not answered, in their order. */
    synchronized List<Waiter> waiting() {
        return List.copyOf(waiting);
    }

    /** Lets claims ask for jobs that became due while none could. If meanwhile the last one was answered, they are left to other nodes. */
    void catchUp() {
        List<ShardClaims> missed;
        synchronized (this) {
            missed = List.copyOf(overdue);
            overdue.clear();
        }
        missed.stream().filter(shard -> !due(shard)).forEach(ShardClaims::ringAnother);
    }

    /**
     * Lets the first claims that wait ask for the due jobs of a shard, as many at once as the shard bears; false if there is no claim.
     * If as many as that ask just now, their answers are awaited.
     */
    boolean due(ShardClaims shard) {
        List<Waiter> asking = new ArrayList<>();
        synchronized (this) {
            if (waiting.isEmpty()) {
                return false;
            }
            Iterator<Waiter> line = waiting.iterator();
            int left = shard.atOnce();
            while (left > 0 && line.hasNext()) {
                Waiter next = line.next();
                Turn turn = next.turn(shard);
                left -= turn == Turn.PASSES ? 0 : 1;
                if (turn == Turn.ASKS_NOW) {
                    asking.add(next);
                }
            }
            if (asking.isEmpty()) {
                overdue.add(shard);
            }
        }
        // Without the lock, because an answer that comes at once takes the locks of other queues.
        asking.forEach(waiter -> waiter.ask(this, shard));
        return true;
    }
}
