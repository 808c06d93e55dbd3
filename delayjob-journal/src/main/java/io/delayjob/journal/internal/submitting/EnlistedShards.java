package io.delayjob.journal.internal.submitting;

import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.Database;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that the database knows every shard with jobs, so that any node can relay them, and that the flow log of the shard goes,
 * before this node brings the first job to it: a job of which the log says nothing would be relayed again. On a connection of its own:
 * as part of a caller's transaction, the first submit to a queue would lock out all others until it commits.
 */
final class EnlistedShards implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EnlistedShards.class);

    /** A caller may hold the pool's last connection, so it waits no longer. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** From one attempt to the next. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Database database;
    private final Consumer<ShardId> beginLog;
    private final Set<ShardId> known = ConcurrentHashMap.newKeySet();
    private final Map<ShardId, Attempt> attempts = new ConcurrentHashMap<>();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread one = new Thread(work, "delayjob-journal-shards");
        one.setDaemon(true);
        return one;
    });

    /**
     * Of a database.
     *
     * @param beginLog lets the flow log of a shard go; throws if it cannot
     */
    EnlistedShards(Database database, Consumer<ShardId> beginLog) {
        this.beginLog = beginLog;
        this.database = database;
    }

    /** Enlists shards that this node has not enlisted yet. Waits during the first second of each attempt, and not between attempts. */
    void add(List<ShardId> shards) {
        List<ShardId> unknown =
                shards.stream().filter(shard -> !known.contains(shard)).toList();
        if (unknown.isEmpty()) {
            return;
        }
        try {
            for (Attempt attempt : unknown.stream().map(this::attempt).toList()) {
                attempt.await();
            }
        } catch (TimeoutException | ExecutionException | RejectedExecutionException e) {
            log.debug("shards {} are not enlisted yet", unknown, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The running or the last attempt at a shard, or a next one if it is time for that. */
    private Attempt attempt(ShardId shard) {
        return attempts.compute(
                shard,
                (id, last) -> last != null && !last.mayBeRepeated()
                        ? last
                        : new Attempt(thread.submit(() -> enlist(id)), System.nanoTime()));
    }

    /** An attempt to enlist a shard, shared by all who submit to it. */
    private record Attempt(Future<?> done, long begunNanos) {

        /** Not while it runs, and not soon after: it takes the thread up to ten seconds if Redis does not answer. */
        boolean mayBeRepeated() {
            return done.isDone() && System.nanoTime() - begunNanos > PAUSE_NANOS;
        }

        void await() throws InterruptedException, ExecutionException, TimeoutException {
            long left = PATIENCE_NANOS - (System.nanoTime() - begunNanos);
            done.get(Math.max(0, left), TimeUnit.NANOSECONDS);
        }
    }

    /** Whether the flow log of a shard goes. */
    boolean has(ShardId shard) {
        return known.contains(shard);
    }

    private void enlist(ShardId shard) {
        if (!known.contains(shard)) {
            database.shards().enlist(shard);
            beginLog.accept(shard);
            known.add(shard);
            attempts.remove(shard);
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
