package io.delayjob.journal.internal.relaying;

import io.delayjob.SubmitResult;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.Fence;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Pointer;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.pointing.PointedIds;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.DueRow;
import io.delayjob.journal.internal.tables.JobRow;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings jobs of a shard to Redis: those that their node did not bring, and those whose time has come. */
final class Relay {

    private static final Logger log = LoggerFactory.getLogger(Relay.class);

    /** The most characters of jobs in one call, unless a single job has more, so that no script takes long. */
    private static final int MOST_CHARACTERS = 512 * 1024;

    /** How long the ids of the jobs of a call may take to be pointed to their shard. */
    private static final Duration POINTED_WITHIN = Duration.ofMillis(500);

    private static final Duration SILENT_FOR = Duration.ofSeconds(5);

    /** A shard that has answered for so long is told of anew when it does not. */
    private static final Duration TOLD_AGAIN_AFTER = Duration.ofMinutes(1);

    private final Database database;
    private final Function<ShardId, Ledger> ledgers;
    private final PointedIds ids;
    private final String node;
    private final Duration timeout;
    private final RelayVitals vitals;

    /** The shards that have not answered in time, and when: they are not asked for a while. */
    private final Map<ShardId, Long> silent = new ConcurrentHashMap<>();

    /**
     * Relays from a database.
     *
     * @param ids points the ids of jobs to their shards
     * @param node this node's name
     * @param timeout how long a call to Redis may take
     * @param vitals is told what was relayed
     */
    Relay(
            Database database,
            Function<ShardId, Ledger> ledgers,
            PointedIds ids,
            String node,
            Duration timeout,
            RelayVitals vitals) {
        this.database = database;
        this.ledgers = ledgers;
        this.ids = ids;
        this.node = node;
        this.timeout = timeout;
        this.vitals = vitals;
    }

    /**
     * Relays jobs that are still unconfirmed. The flow log is written to its end, and this thread's transaction has the shard: a job
     * that Redis has, or had at that end, is no longer among them.
     *
     * @param unrelayed has the rows, and knows which of them their own nodes do not bring any more
     * @param fence the fence at the end of the log
     * @return whether there may be more, once the log is read to its end again
     */
    boolean relay(ShardId shard, Unrelayed unrelayed, Fence fence) {
        DatabaseClock clock = DatabaseClock.ask(database);
        long nanos = clock.begunNanos();
        List<DueRow> page = unrelayed.page(shard, clock.begunMillis(), nanos);
        List<DueRow> rows = page.stream()
                .filter(row -> unrelayed.isRipe(shard, row, nanos) && isReachable(shard, row))
                .toList();
        if (rows.stream().anyMatch(row -> fence.term().equals(row.term()))) {
            // Their nodes may still be about to bring them. From now on they are too late, and what came in time is in
            // the log.
            answered(ledgers.apply(shard).raiseFence(Fence.newTerm()));
            return true;
        }
        return !new Series(shard, clock, fence).relay(rows) || (unrelayed.passed(shard, page) && !rows.isEmpty());
    }

    /** Whether the id of a job belongs to its shard, or to one that answers. */
    private boolean isReachable(ShardId shard, DueRow row) {
        return !ids.isAway(shard, row.id()) || !isSilent(ids.home(shard, row.id()));
    }

    private boolean isSilent(ShardId shard) {
        Long since = silent.get(shard);
        return since != null && System.nanoTime() - since < SILENT_FOR.toNanos();
    }

    /** The database's clock, asked once: only spans of time are measured by this node's, from the answer on, so that it is never fast. */
    private record DatabaseClock(long begunMillis, long begunNanos) {

        static DatabaseClock ask(Database database) {
            long millis = database.relays().now();
            return new DatabaseClock(millis, System.nanoTime());
        }

        long nowMillis() {
            return begunMillis + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
        }
    }

    /** The calls for the jobs of one transaction, one after the other. While one is under way, the rows of the next are read. */
    private final class Series {

        private final ShardId shard;
        private final DatabaseClock clock;
        private Fence fence;
        private List<NewJob> jobs = List.of();
        private @Nullable CompletableFuture<List<SubmitResult>> underWay;

        Series(ShardId shard, DatabaseClock clock, Fence fence) {
            this.shard = shard;
            this.clock = clock;
            this.fence = fence;
        }

        /** False if another node has relayed jobs since. What it did is in the log. */
        boolean relay(List<DueRow> due) {
            for (int from = 0; from < due.size(); from += Ledger.MAX_BATCH) {
                List<JobRow> some = read(due.subList(from, Math.min(due.size(), from + Ledger.MAX_BATCH)));
                while (!some.isEmpty()) {
                    List<JobRow> rows = first(some);
                    if (!isStored()) {
                        return false;
                    }
                    send(rows);
                    some = some.subList(rows.size(), some.size());
                }
            }
            return isStored();
        }

        /** Only those that are reachable still: whole records may be long. */
        private List<JobRow> read(List<DueRow> due) {
            return database.relays()
                    .unrelayed(due.stream()
                            .filter(row -> isReachable(shard, row))
                            .map(DueRow::seq)
                            .toList());
        }

        /** Rows whose ids cannot be pointed now, because a master is away, are left for later: the others need not wait for it. */
        private void send(List<JobRow> rows) {
            Map<String, Optional<Pointer>> pointers = pointed(rows.stream()
                    .map(JobRow::id)
                    .filter(id -> ids.isAway(shard, id) && !isSilent(ids.home(shard, id)))
                    .distinct()
                    .collect(Collectors.toMap(id -> id, id -> ids.point(shard, id))));
            long now = clock.nowMillis();
            sendJobs(rows.stream()
                    .filter(row -> pointers.containsKey(row.id()) || !ids.isAway(shard, row.id()))
                    .map(row -> shown(job(row, now), pointers.get(row.id())))
                    .toList());
        }

        /** The pointers that were answered in time. */
        private Map<String, Optional<Pointer>> pointed(Map<String, CompletableFuture<Optional<Pointer>>> pointing) {
            CompletableFuture.allOf(pointing.values().toArray(CompletableFuture[]::new))
                    .completeOnTimeout(null, POINTED_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                    .exceptionally(failure -> null)
                    .join();
            Map<String, Optional<Pointer>> pointers = new HashMap<>();
            pointing.forEach((id, pointer) -> {
                if (pointer.isDone() && !pointer.isCompletedExceptionally()) {
                    pointers.put(id, pointer.join());
                } else {
                    silent(ids.home(shard, id), pointer);
                }
            });
            return pointers;
        }

        private void silent(ShardId home, CompletableFuture<?> pointer) {
            long now = System.nanoTime();
            Long before = silent.put(home, now);
            if (before == null || now - before > TOLD_AGAIN_AFTER.toNanos()) {
                Throwable failure = pointer.handle((answer, failed) -> failed)
                        .getNow(new TimeoutException("no answer within " + POINTED_WITHIN.toMillis() + " ms"));
                log.warn(
                        "jobs of {} wait, and are tried again, because {} has their ids: {}",
                        shard,
                        home,
                        failure,
                        failure);
            }
        }

        /** The job with its pointer, which is null if it needs none, and empty if another shard has a job of its id. */
        private NewJob shown(NewJob job, @Nullable Optional<Pointer> pointer) {
            if (pointer == null) {
                return job;
            }
            return pointer.map(its -> ids.isAway(shard, job.id()) ? job.with(its) : job)
                    .orElseGet(job::elsewhere);
        }

        private void sendJobs(List<NewJob> all) {
            if (all.isEmpty()) {
                return;
            }
            jobs = all.stream()
                    .map(job -> job.with(new NewJob.Journaled(
                            fence.ofRelay(),
                            Checks.notNull(job.journaled(), "mark").tag())))
                    .toList();
            underWay = ledgers.apply(shard).submit(call(), jobs);
            fence = fence.afterRelay();
        }

        /**
         * Waits for the call that is under way, and sends the jobs once more whose ids pointed elsewhere; those that still do are left for later. Answers whether it
         * came in time; true if there is none.
         */
        private boolean isStored() {
            List<NewJob> refused = answer();
            if (refused != null && !refused.isEmpty()) {
                Map<String, Optional<Pointer>> pointers = pointed(
                        refused.stream().collect(Collectors.toMap(NewJob::id, this::pointAnew, (one, other) -> one)));
                sendJobs(refused.stream()
                        .filter(job -> pointers.containsKey(job.id()))
                        .map(job -> shown(job, pointers.get(job.id())))
                        .toList());
                refused = answer();
            }
            return refused != null;
        }

        private CompletableFuture<Optional<Pointer>> pointAnew(NewJob job) {
            Pointer shown = job.pointer();
            return shown == null ? ids.point(shard, job.id()) : ids.replace(shard, shown);
        }

        /** The jobs that were not stored because of their pointers; null if all came too late. */
        private @Nullable List<NewJob> answer() {
            if (underWay == null) {
                return List.of();
            }
            List<SubmitResult> results = answered(underWay);
            underWay = null;
            boolean late = results.get(0).outcome() == SubmitResult.Outcome.JOURNALED;
            List<NewJob> refused = IntStream.range(0, jobs.size())
                    .filter(i -> results.get(i).outcome() == SubmitResult.Outcome.UNCONFIRMED)
                    .mapToObj(jobs::get)
                    .toList();
            log.debug("relayed {} jobs to {}, the first: {}", jobs.size(), shard, results.get(0));
            vitals.relayed(shard, late ? 0 : jobs.size() - refused.size());
            return late ? null : refused;
        }
    }

    private static NewJob.Journaled mark(JobRow row) {
        return Checks.notNull(row.mark(), "mark of a job that is to be relayed");
    }

    /** The first ones, as many as one call may have. */
    static List<JobRow> first(List<JobRow> rows) {
        long characters = 0;
        for (int i = 0; i < rows.size(); i++) {
            characters += rows.get(i).content().record().length();
            if (i > 0 && characters > MOST_CHARACTERS) {
                return rows.subList(0, i);
            }
        }
        return rows;
    }

    /** The rest of a delay counts by the database's clock until Redis has the job. A job that comes too late is due since then. */
    private static NewJob job(JobRow row, long now) {
        long dueAt = row.status().dueAt();
        NewJob.Due due = row.status().fromNow() ? new NewJob.Due(dueAt - now, true) : new NewJob.Due(dueAt, false);
        return new NewJob(row.id(), due, row.content()).with(mark(row));
    }

    /** Each call has a lane of its own: it is rare, and another node may make the next one. It is never repeated. */
    private Call call() {
        return new Call(node + ":relay:" + UUID.randomUUID(), 1);
    }

    private <T> T answered(CompletableFuture<T> answer) {
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("Redis did not take jobs of the journal: " + e, e);
        }
    }
}
