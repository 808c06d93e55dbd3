package io.delayjob.journal.internal.submitting;

import io.delayjob.engine.ledger.Fence;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.Database;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that the database knows every shard of the queues that this node uses, so that any node can write their flow logs and relay
 * their jobs, and that the flow log of a shard goes, before this node brings the first job to it: a job of which the log says nothing
 * would be relayed again. On a connection of its own: as part of a caller's transaction, the first submit to a queue would lock out all
 * others until it commits. What fails is tried again every few seconds, also where nobody submits, and a shard that the database forgets,
 * because a backup was put back, is enlisted once more.
 */
final class EnlistedShards implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EnlistedShards.class);

    /** A caller may hold the pool's last connection, so it waits no longer. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Database database;
    private final Redis redis;
    private final Function<ShardId, List<ShardId>> ofItsQueue;
    private final Set<ShardId> used = ConcurrentHashMap.newKeySet();
    private final Set<ShardId> rows = ConcurrentHashMap.newKeySet();
    private final Map<ShardId, String> terms = new ConcurrentHashMap<>();
    private final Map<ShardId, Attempt> attempts = new ConcurrentHashMap<>();
    private final long pauseNanos;
    private final ScheduledExecutorService thread = new ScheduledThreadPoolExecutor(1, work -> {
        Thread one = new Thread(work, "delayjob-journal-shards");
        one.setDaemon(true);
        return one;
    });

    /**
     * Of a database.
     *
     * @param ofItsQueue all shards of the queue of a shard
     * @param pauseMillis from one look at what is missing to the next, and from one attempt at a shard to the next
     */
    EnlistedShards(Database database, Redis redis, Function<ShardId, List<ShardId>> ofItsQueue, long pauseMillis) {
        this.database = database;
        this.redis = redis;
        this.ofItsQueue = ofItsQueue;
        this.pauseNanos = TimeUnit.MILLISECONDS.toNanos(pauseMillis);
        var unused = thread.scheduleWithFixedDelay(this::look, pauseMillis, pauseMillis, TimeUnit.MILLISECONDS);
    }

    /**
     * Enlists shards that this node has not enlisted yet, and the others of their queues, for which it does not wait. Waits during the
     * first second of each attempt, and not between attempts.
     */
    void add(List<ShardId> shards) {
        List<ShardId> unknown =
                shards.stream().filter(shard -> !terms.containsKey(shard)).toList();
        if (unknown.isEmpty()) {
            return;
        }
        try {
            List<Attempt> begun = unknown.stream().map(this::attempt).toList();
            unknown.stream()
                    .flatMap(shard -> ofItsQueue.apply(shard).stream())
                    .filter(shard -> used.add(shard) && !terms.containsKey(shard))
                    .forEach(this::attempt);
            for (Attempt attempt : begun) {
                attempt.await();
            }
        } catch (TimeoutException | ExecutionException | RejectedExecutionException e) {
            log.debug("shards {} are not enlisted yet", unknown, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether {@link #add} may wait for a shard. */
    boolean mayWaitFor(ShardId shard) {
        return !terms.containsKey(shard);
    }

    /** The running or the last attempt at a shard, or a next one if it is time for that. */
    private Attempt attempt(ShardId shard) {
        return attempts.compute(
                shard,
                (id, last) -> last != null && !last.mayBeRepeated(pauseNanos)
                        ? last
                        : new Attempt(thread.submit(() -> enlist(id)), System.nanoTime()));
    }

    /** An attempt to enlist a shard, shared by all who submit to it. */
    private record Attempt(Future<?> done, long begunNanos) {

        /** Not while it runs, and not soon after: it takes the thread up to ten seconds if Redis does not answer. */
        boolean mayBeRepeated(long pauseNanos) {
            return done.isDone() && System.nanoTime() - begunNanos > pauseNanos;
        }

        void await() throws InterruptedException, ExecutionException, TimeoutException {
            long left = PATIENCE_NANOS - (System.nanoTime() - begunNanos);
            done.get(Math.max(0, left), TimeUnit.NANOSECONDS);
        }
    }

    /** The term of the fence of a shard, which may have ended since; null while its flow log is not known to go. */
    @Nullable String term(ShardId shard) {
        return terms.get(shard);
    }

    /** Notes the fence of a shard, as it was a moment ago. */
    void saw(ShardId shard, Fence fence) {
        terms.computeIfPresent(shard, (id, before) -> fence.term());
    }

    private void look() {
        try {
            if (!used.isEmpty()) {
                Set<ShardId> enlisted = new HashSet<>(database.shards().all());
                used.stream()
                        .filter(shard -> !enlisted.contains(shard) || !terms.containsKey(shard))
                        .forEach(this::enlist);
            }
        } catch (RuntimeException e) {
            log.debug("not all shards are enlisted yet", e);
        }
    }

    /** All shards of the queue get their rows first: by these, other nodes know how many there are. */
    private void enlist(ShardId shard) {
        database.shards().enlist(shard);
        rows.add(shard);
        for (ShardId other : ofItsQueue.apply(shard)) {
            if (!rows.contains(other)) {
                database.shards().enlist(other);
                rows.add(other);
            }
        }
        terms.put(shard, redis.beginLog(shard).term());
        attempts.remove(shard);
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
