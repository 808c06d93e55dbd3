package io.delayjob.journal.internal.waiting;

import io.delayjob.ActionResult;
import io.delayjob.EndedQuery;
import io.delayjob.JobState;
import io.delayjob.JobStep;
import io.delayjob.engine.extension.EndedJobs;
import io.delayjob.engine.extension.JobOnItsWayException;
import io.delayjob.engine.extension.JournaledJobs;
import io.delayjob.engine.ledger.Attempt;
import io.delayjob.engine.ledger.Listing;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.journal.internal.restoring.History;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.EndedPlace;
import io.delayjob.journal.internal.tables.EndedTable;
import io.delayjob.journal.internal.tables.JobRow;
import io.delayjob.journal.internal.tables.LiveJob;
import io.delayjob.journal.internal.tables.Status;
import io.delayjob.journal.internal.tables.WaitingTable;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The jobs that only the database has. */
public final class SqlJournaledJobs implements JournaledJobs, AutoCloseable {

    private final Database database;
    private final WaitingTable waiting;
    private final Predicate<String> journaled;
    private final long aheadMillis;
    private final History history;
    private final EndedTable ended;
    private final DatabaseThreads threads;

    /**
     * The journaled jobs of a database.
     *
     * @param journaled whether a queue has a journal
     * @param aheadMillis how long before its due time a job comes to Redis; 0 if jobs do not wait here
     */
    public SqlJournaledJobs(Database database, Predicate<String> journaled, long aheadMillis) {
        this.database = database;
        this.waiting = new WaitingTable(database.limited(), database.dialect());
        this.journaled = journaled;
        this.aheadMillis = aheadMillis;
        this.history = new History(database.flow());
        this.ended = new EndedTable(database.limited());
        this.threads = new DatabaseThreads(database.name());
    }

    /** The threads that wait for the database on behalf of callers that must not; they may reject work. */
    public Executor threads() {
        return threads;
    }

    @Override
    public boolean mayBeOf(String queue) {
        return journaled.test(queue);
    }

    @Override
    public CompletableFuture<Optional<StoredJob>> find(String queue, String id) {
        return threads.ask(() -> database.jobs().unfinished(queue, List.of(id)).stream()
                .filter(row -> row.status().relayAt() != null)
                .findFirst()
                .map(SqlJournaledJobs::stored));
    }

    @Override
    public CompletableFuture<Optional<StoredJob>> findFar(String queue, String id) {
        return threads.ask(() -> waiting.far(queue, id)
                .flatMap(row -> database.relays().unrelayed(List.of(row)).stream()
                        .findFirst()
                        .map(SqlJournaledJobs::stored)));
    }

    private static StoredJob stored(JobRow row) {
        return new StoredJob(
                JobState.DELAYED, row.status().dueAt(), row.stored().record(), Attempt.NONE, null, null, null, null);
    }

    @Override
    public CompletableFuture<Listing.Answer> list(ShardId shard, Listing.Request request) {
        return threads.ask(() -> listed(shard, request));
    }

    private Listing.Answer listed(ShardId shard, Listing.Request request) {
        List<LiveJob> page = waiting.page(shard, begin(request.after()), request.limit());
        List<Long> rows = page.stream()
                .filter(job -> request.idPrefix() == null || job.id().startsWith(request.idPrefix()))
                .map(LiveJob::seq)
                .toList();
        List<Listing.Entry> jobs = database.relays().unrelayed(rows).stream()
                .sorted(Comparator.comparing(row -> rows.indexOf(row.seq())))
                .filter(row ->
                        request.nameMark() == null || row.content().record().startsWith(request.nameMark()))
                .map(row -> new Listing.Entry(row.id(), stored(row)))
                .toList();
        return new Listing.Answer(jobs, page.size() < request.limit() ? null : position(page.get(page.size() - 1)));
    }

    /** Turns the due time at which a page begins into the time at which such jobs come to Redis, by which they are sorted here. */
    private Listing.@Nullable Position begin(Listing.@Nullable Position after) {
        return after == null || !after.id().isEmpty()
                ? after
                : Listing.Position.atBeginOf(after.millis() - aheadMillis);
    }

    private static Listing.@Nullable Position position(LiveJob job) {
        return job.relayAt() == null ? null : new Listing.Position(job.relayAt(), job.id());
    }

    @Override
    public CompletableFuture<Listing.Indexed> indexed(String queue, String mark, int limit) {
        return threads.ask(() -> {
            List<Long> rows = waiting.marked(queue, mark, EndedTable.EXAMINED);
            List<Listing.Entry> jobs = database.relays().unrelayed(rows).stream()
                    .filter(row -> row.content().marks().contains(mark))
                    .map(row -> new Listing.Entry(row.id(), stored(row)))
                    .toList();
            return new Listing.Indexed(
                    jobs.subList(0, Math.min(limit, jobs.size())),
                    jobs.size() > limit || rows.size() == EndedTable.EXAMINED);
        });
    }

    @Override
    public CompletableFuture<Long> count(String queue) {
        return threads.ask(() -> waiting.count(queue));
    }

    @Override
    public CompletableFuture<ActionResult> cancel(String queue, String id) {
        return threads.ask(() -> acted(waiting.cancel(queue, id), queue, id));
    }

    @Override
    public CompletableFuture<ActionResult> reschedule(String queue, String id, long delayMillis) {
        return threads.ask(() -> acted(waiting.reschedule(queue, id, delayMillis, aheadMillis), queue, id));
    }

    /** The last steps of a job that came to the ledger, in order. */
    public CompletableFuture<List<JobStep>> history(String queue, String id, int limit) {
        return threads.ask(() -> history.of(queue, id, limit));
    }

    /** Some of the jobs that have ended. */
    public CompletableFuture<EndedJobs> ended(EndedQuery query, EndedJobs.Marks marks) {
        EndedPlace after = EndedPlace.of(query.cursor(), EndedTable.isById(query));
        return threads.ask(() -> answer(ended.page(query, marks, after)));
    }

    private static EndedJobs answer(EndedTable.Page page) {
        List<Listing.Entry> jobs = page.jobs().stream()
                .map(row -> new Listing.Entry(row.id(), ended(row)))
                .toList();
        return new EndedJobs(
                jobs, page.examined(), page.next() == null ? null : page.next().toString());
    }

    private static StoredJob ended(JobRow row) {
        Status status = row.status();
        return new StoredJob(
                status.state(),
                Objects.requireNonNull(status.finishedAt()),
                row.stored().record(),
                new Attempt(status.attempt(), status.dueAt(), null, null),
                status.node(),
                status.error(),
                null,
                status.result());
    }

    private ActionResult acted(boolean done, String queue, String id) {
        if (!done && waiting.isOnItsWay(queue, id)) {
            throw new JobOnItsWayException(queue, id);
        }
        return done ? ActionResult.done(JobState.DELAYED) : ActionResult.NO_SUCH_JOB;
    }

    @Override
    public void close() {
        threads.close();
    }
}
