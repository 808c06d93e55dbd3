package io.delayjob.journal.internal.submitting;

import io.delayjob.EndedQuery;
import io.delayjob.JobStep;
import io.delayjob.engine.extension.EndedJobs;
import io.delayjob.engine.extension.Journal;
import io.delayjob.engine.extension.JournaledJobs;
import io.delayjob.engine.ledger.Fence;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.LedgerException.Kind;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.Submission;
import io.delayjob.journal.internal.tables.Submission.Result;
import io.delayjob.journal.internal.tables.SubmitTable;
import io.delayjob.journal.internal.tables.Tags;
import io.delayjob.journal.internal.waiting.SqlJournaledJobs;
import io.delayjob.spring.autoconfigure.DelayJobJournalProperties.Mode;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

/** Writes submits as rows: of the caller's transaction if there is one, else of a commit of their own. */
public final class SqlJournal implements Journal, AutoCloseable {

    /** From one look for shards that are not enlisted to the next. */
    private static final long PAUSE_MILLIS = 5000;

    private final Database database;
    private final Modes modes;
    private final @Nullable Long horizonMillis;
    private final CallersTransaction transaction;
    private final GroupCommit commits;
    private final EnlistedShards shards;
    private final SqlJournaledJobs waiting;
    private final Redis redis;

    /**
     * Into a database.
     *
     * @param horizon how long before its due time a job comes to Redis; null if at once
     * @param timeout how long a submit may take
     * @param redis the calls to Redis
     * @param ofItsQueue all shards of the queue of a shard
     * @param sources all DataSources by the names of their beans, for messages
     */
    public SqlJournal(
            Database database,
            Modes modes,
            @Nullable Duration horizon,
            Duration timeout,
            Redis redis,
            Function<ShardId, List<ShardId>> ofItsQueue,
            Supplier<Map<String, DataSource>> sources) {
        this.database = database;
        this.modes = modes;
        this.horizonMillis = horizon == null ? null : horizon.toMillis();
        this.transaction = new CallersTransaction(database, sources);
        this.commits = new GroupCommit(database, timeout);
        this.shards = new EnlistedShards(database, redis, ofItsQueue, PAUSE_MILLIS);
        this.redis = redis;
        this.waiting = new SqlJournaledJobs(database, modes::has, horizonMillis == null ? 0 : horizonMillis);
    }

    /** In a transaction, the submitting thread waits for the database: the rows are of its connection. */
    @Override
    public @Nullable Executor threadsFor(List<Entry> jobs) {
        return !CallersTransaction.isActive() && jobs.stream().anyMatch(this::mayWait) ? waiting.threads() : null;
    }

    private boolean mayWait(Entry job) {
        return modes.of(job.shard().queue()) != Mode.OFF
                && (shards.mayWaitFor(job.shard()) || (mayMeet(job) && isFar(job.job())));
    }

    @Override
    public boolean takes(Entry job) {
        String queue = job.shard().queue();
        Mode mode = modes.of(queue);
        if (mode == Mode.OFF) {
            return false;
        }
        shards.add(List.of(job.shard()));
        if (CallersTransaction.isActive()) {
            transaction.check(queue);
            return true;
        }
        return mode == Mode.ALWAYS || isFar(job.job()) || mayMeet(job);
    }

    /** Whether a far job may have its id. */
    private boolean mayMeet(Entry job) {
        return horizonMillis != null && !job.newId();
    }

    /** By this node's clock, which need not be right: a job that comes to Redis too early waits there. */
    private boolean isFar(NewJob job) {
        if (horizonMillis == null || job.content().dedupe() != null) {
            return false;
        }
        long delay = job.due().fromNow() ? job.due().millis() : job.due().millis() - System.currentTimeMillis();
        return delay > horizonMillis;
    }

    @Override
    public Written write(List<Entry> jobs) {
        List<Submission> all = jobs.stream().map(this::submission).toList();
        Set<Submission> inRedis = inRedis(all);
        List<Submission> rows =
                all.stream().filter(job -> !inRedis.contains(job)).toList();
        if (!CallersTransaction.isActive()) {
            return new Written(false, commits.write(rows).thenApply(added -> fates(all, rows, added)), () -> true);
        }
        List<Fate> fates = fates(all, rows, taken(() -> database.inside().add(rows)));
        return new Written(true, CompletableFuture.completedFuture(fates), transaction.commit());
    }

    /** The far jobs whose ids Redis has. It is asked only where the journal thinks so, which learns of the end of a job a moment later. */
    private Set<Submission> inRedis(List<Submission> jobs) {
        if (jobs.stream().noneMatch(job -> job.mayMeet() && job.isFar())) {
            return Set.of();
        }
        Map<ShardId, List<Submission>> doubtful = taken(() -> table().doubtful(jobs)).entrySet().stream()
                .collect(Collectors.groupingBy(
                        Map.Entry::getValue, Collectors.mapping(Map.Entry::getKey, Collectors.toList())));
        Set<Submission> inRedis = Collections.newSetFromMap(new IdentityHashMap<>());
        doubtful.forEach((shard, its) -> {
            Set<String> missing =
                    redis.missing(shard, its.stream().map(job -> job.job().id()).toList());
            its.stream().filter(job -> !missing.contains(job.job().id())).forEach(inRedis::add);
        });
        return inRedis;
    }

    /** In a transaction of this thread, as part of it. */
    private SubmitTable table() {
        return CallersTransaction.isActive() ? database.inside() : database.submits();
    }

    private static List<Fate> fates(List<Submission> all, List<Submission> rows, List<Result> added) {
        IdentityHashMap<Submission, Fate> fates = new IdentityHashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            fates.put(rows.get(i), fate(rows.get(i), added.get(i)));
        }
        return all.stream()
                .map(job -> fates.getOrDefault(job, Fate.Stay.EXISTS))
                .toList();
    }

    /** A job whose step would not be logged is left to the relay. */
    private static Fate fate(Submission job, Result result) {
        return switch (result) {
            case ADDED -> job.mark().permit().isEmpty() ? Fate.Stay.WAITS : new Fate.Send(job.mark());
            case WAITS -> Fate.Stay.WAITS;
            case TAKEN -> Fate.Stay.EXISTS;
        };
    }

    /** Makes shards known before the first submit to them. */
    public void prepare(List<ShardId> used) {
        shards.add(used.stream().filter(shard -> modes.has(shard.queue())).toList());
    }

    /** Notes the fence of a shard, as it was in Redis a moment ago. */
    public void saw(ShardId shard, Fence fence) {
        shards.saw(shard, fence);
    }

    private <T> T taken(Supplier<T> work) {
        try {
            return work.get();
        } catch (DataAccessException e) {
            throw new LedgerException(
                    Kind.REFUSED,
                    "the journal's database '" + database.name() + "' could not take it: " + e.getMessage(),
                    e);
        }
    }

    /** The term is read before the row is written, so it is older than any that a relay begins because of the row. */
    private Submission submission(Entry entry) {
        Long ahead = isFar(entry.job()) ? horizonMillis : null;
        String term = ahead == null ? shards.term(entry.shard()) : null;
        NewJob.Journaled mark = new NewJob.Journaled(term == null ? "" : term, Tags.next());
        return new Submission(entry.shard(), entry.job(), mark, mayMeet(entry), ahead);
    }

    @Override
    public JournaledJobs waiting() {
        return waiting;
    }

    @Override
    public CompletableFuture<List<JobStep>> history(String queue, String id, int limit) {
        requireJournal(queue, "history of its jobs");
        return waiting.history(queue, id, limit);
    }

    @Override
    public CompletableFuture<EndedJobs> ended(EndedQuery query, EndedJobs.Marks marks) {
        requireJournal(query.queue(), "jobs that have ended");
        return waiting.ended(query, marks);
    }

    private void requireJournal(String queue, String kept) {
        if (!modes.has(queue)) {
            throw new IllegalStateException("queue '" + queue + "' has no journal on this node, so it keeps no " + kept
                    + ": set" + " delayjob.queues." + queue + ".journal.mode, or delayjob.journal.mode for all queues");
        }
    }

    @Override
    public void close() {
        waiting.close();
        commits.close();
        shards.close();
    }
}
