package io.delayjob.journal.internal.submitting;

import io.delayjob.JobStep;
import io.delayjob.engine.extension.Journal;
import io.delayjob.engine.extension.JournaledJobs;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.LedgerException.Kind;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.Submission;
import io.delayjob.journal.internal.waiting.SqlJournaledJobs;
import io.delayjob.spring.autoconfigure.DelayJobJournalProperties.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

/** Writes submits as rows: of the caller's transaction if there is one, else of a commit of their own. */
public final class SqlJournal implements Journal, AutoCloseable {

    private final Database database;
    private final Modes modes;
    private final @Nullable Long horizonMillis;
    private final CallersTransaction transaction;
    private final GroupCommit commits;
    private final EnlistedShards shards;
    private final SqlJournaledJobs waiting;

    /**
     * Into a database.
     *
     * @param horizon how long before its due time a job comes to Redis; null if at once
     * @param timeout how long a submit may take
     * @param beginLog lets the flow log of a shard go; throws if it cannot
     * @param sources all DataSources by the names of their beans, for messages
     */
    public SqlJournal(
            Database database,
            Modes modes,
            @Nullable Duration horizon,
            Duration timeout,
            Consumer<ShardId> beginLog,
            Supplier<Map<String, DataSource>> sources) {
        this.database = database;
        this.modes = modes;
        this.horizonMillis = horizon == null ? null : horizon.toMillis();
        this.transaction = new CallersTransaction(database, sources);
        this.commits = new GroupCommit(database, timeout);
        this.shards = new EnlistedShards(database, beginLog);
        this.waiting = new SqlJournaledJobs(database, modes::has, horizonMillis == null ? 0 : horizonMillis);
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
        return mode == Mode.ALWAYS || isFar(job.job());
    }

    /** By this node's clock, which need not be right: a job that comes to Redis too early waits there. */
    private boolean isFar(NewJob job) {
        if (horizonMillis == null || job.dedupe() != null) {
            return false;
        }
        long delay = job.due().fromNow() ? job.due().millis() : job.due().millis() - System.currentTimeMillis();
        return delay > horizonMillis;
    }

    @Override
    public Written write(List<Entry> jobs) {
        List<Submission> rows = jobs.stream().map(this::submission).toList();
        if (!CallersTransaction.isActive()) {
            return new Written(false, commits.write(rows).thenApply(added -> fates(rows, added)), () -> true);
        }
        List<Fate> fates = fates(rows, added(rows));
        return new Written(true, CompletableFuture.completedFuture(fates), transaction.commit());
    }

    private List<Fate> fates(List<Submission> jobs, List<Boolean> added) {
        return IntStream.range(0, jobs.size())
                .mapToObj(place -> added.get(place) ? fate(jobs.get(place)) : Fate.EXISTS)
                .toList();
    }

    /** A job whose step would not be logged is left to the relay. */
    private Fate fate(Submission job) {
        return job.aheadMillis() == null && shards.has(job.shard()) ? Fate.SEND : Fate.KEEP;
    }

    /** Makes shards known before the first submit to them. */
    public void prepare(List<ShardId> used) {
        shards.add(used.stream().filter(shard -> modes.has(shard.queue())).toList());
    }

    private List<Boolean> added(List<Submission> rows) {
        try {
            return database.jobs().submit(rows);
        } catch (DataAccessException e) {
            throw new LedgerException(
                    Kind.REFUSED,
                    "the transaction on '" + database.name() + "' could not take it: " + e.getMessage(),
                    e);
        }
    }

    private Submission submission(Entry entry) {
        return new Submission(entry.shard(), entry.job(), entry.newId(), isFar(entry.job()) ? horizonMillis : null);
    }

    @Override
    public JournaledJobs waiting() {
        return waiting;
    }

    @Override
    public CompletableFuture<List<JobStep>> history(String queue, String id, int limit) {
        if (!modes.has(queue)) {
            throw new IllegalStateException(
                    "queue '" + queue + "' has no journal on this node, so it keeps no history of its jobs: set"
                            + " delayjob.queues." + queue + ".journal.mode, or delayjob.journal.mode for all queues");
        }
        return waiting.history(queue, id, limit);
    }

    @Override
    public void close() {
        waiting.close();
        commits.close();
        shards.close();
    }
}
