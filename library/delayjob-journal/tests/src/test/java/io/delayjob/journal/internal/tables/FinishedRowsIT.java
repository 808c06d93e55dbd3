package io.delayjob.journal.internal.tables;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.EndedQuery;
import io.delayjob.IndexedValue;
import io.delayjob.TimeRange;
import io.delayjob.engine.extension.EndedJobs;
import io.delayjob.engine.ledger.FlowPosition;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.database.Submissions;
import io.delayjob.journal.database.TestDatabase;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** However many jobs have finished, no query reads their rows: PostgreSQL counts what each reads. */
@Tag("proof")
class FinishedRowsIT {

    private static final ShardId SHARD = new ShardId("orders", 0);
    private static final int FINISHED = 20_000;
    private static final int WAITING = 200;

    private HikariDataSource source;
    private JdbcTemplate jdbc;
    private Database database;

    @BeforeEach
    void open() {
        source = TestDatabase.POSTGRESQL.prepared();
        // The database counts the reads of a connection once it is idle. A single connection can be asked to flush its
        // own counts.
        source.setMaximumPoolSize(1);
        jdbc = new JdbcTemplate(source);
        database = Database.of(source, "test");
        database.shards().enlist(SHARD);
        jdbc.update("INSERT INTO delayjob_job (queue, shard, id, body, state, attempt, due_at, from_now, created_at,"
                + " changed_at, finished_at) SELECT 'orders', 0, 'done-' || n, '}', 'COMPLETED', 1, 0, 0, 0, 0, n"
                + " FROM generate_series(1, " + FINISHED + ") n");
        jdbc.update(
                "INSERT INTO delayjob_job (queue, shard, id, live, body, state, attempt, due_at, from_now, relay_at,"
                        + " created_at, changed_at) SELECT 'orders', 0, 'waits-' || n, 1, '}', 'DELAYED', 0, 0, 0,"
                        + " CASE WHEN n % 2 = 0 THEN 4000000000000 END, 0, 0 FROM generate_series(1, " + WAITING
                        + ") n");
        jdbc.update("INSERT INTO delayjob_flow (queue, id, entry_ms, entry_no, item, kind, at, attempt)"
                + " SELECT 'orders', 'done-' || n, n, 0, 0, 'COMPLETE', n, 1 FROM generate_series(1, " + FINISHED
                + ") n");
        jdbc.execute("ANALYZE");
    }

    @AfterEach
    void close() {
        source.close();
    }

    private Map<String, Runnable> queries() {
        JobTable jobs = database.jobs();
        RelayTable relays = database.relays();
        SubmitTable submits = database.submits();
        FlowTable flow = database.flow();
        WaitingTable waiting = new WaitingTable(source, database.dialect());
        NewJob near = new NewJob("new", new NewJob.Due(0, true), JobContent.of("}"));
        NewJob far = new NewJob("far", new NewJob.Due(100_000_000, true), JobContent.of("}"));
        Map<String, Runnable> queries = new LinkedHashMap<>();
        queries.put("submit", () -> submits.add(List.of(Submissions.of(SHARD, near, null))));
        queries.put("submit far", () -> submits.add(List.of(Submissions.of(SHARD, far, 3_600_000L))));
        queries.put("doubtful", () -> submits.doubtful(List.of(Submissions.of(SHARD, far, 3_600_000L))));
        queries.put("due", () -> relays.due(SHARD, jobs.now(), 2000));
        queries.put("unrelayed", () -> relays.unrelayed(List.of(FINISHED + 1L)));
        queries.put("waiting without id", () -> relays.waitingWithoutId(SHARD));
        queries.put("held", () -> relays.held(SHARD, null, 200));
        queries.put("held one", () -> relays.held(SHARD, "waits-1"));
        queries.put("with due", () -> database.shards().withDue(jobs.now()));
        queries.put("unfinished", () -> jobs.unfinished("orders", List.of("waits-1", "done-1", "nobody")));
        queries.put("find", () -> jobs.find("orders", "done-7"));
        queries.put("live", () -> jobs.liveIds(SHARD, 0, 200));
        queries.put("live after", () -> jobs.liveIds(SHARD, FINISHED + 100L, 200));
        queries.put("live one", () -> jobs.liveIds(SHARD, "waits-1"));
        queries.put("live rows", () -> jobs.live(List.of(1L, FINISHED + 1L)));
        queries.put("waiting", () -> waiting.page(SHARD, null, 100));
        queries.put("waiting count", () -> waiting.count("orders"));
        queries.put("waiting one", () -> waiting.far("orders", "waits-2"));
        queries.put("on its way", () -> waiting.isOnItsWay("orders", "waits-1"));
        queries.put("reschedule", () -> waiting.reschedule("orders", "waits-2", 900_000_000, 3_600_000));
        queries.put("cancel", () -> waiting.cancel("orders", "waits-4"));
        queries.put("cancel lost", () -> jobs.cancelLost(List.of(FINISHED + 1L)));
        queries.put("history", () -> flow.history("orders", "done-9", 100));
        queries.put(
                "between",
                () -> flow.between("orders", "done-9", new FlowPosition(1, 0), new FlowPosition(FINISHED, 0)));
        queries.put("sweep, nothing old", () -> jobs.removeFinished(0, 1000));
        queries.put("sweep, no old steps", () -> flow.removeOld(0, 1000));
        queries.put("sweep", () -> jobs.removeFinished(FINISHED, 50));
        queries.put("sweep steps", () -> flow.removeOld(FINISHED, 50));
        queries.put("cancel what waits", () -> relays.cancelJournaled("orders"));
        return queries;
    }

    /** Each row of the index and of the table counts, so twice the waiting ones is fair. */
    @Test
    void noQueryReadsThem() {
        queries().forEach((name, query) -> {
            long before = read();
            query.run();
            assertThat(read() - before).as("rows read by: " + name).isLessThanOrEqualTo(4 * WAITING);
        });
    }

    private static EndedJobs.Marks marks(EndedQuery query) {
        return new EndedJobs.Marks(null, query.indexed() == null ? null : "0123456789_");
    }

    /** Each row that is looked at counts in the index, in the table, and when it is read. */
    @Test
    void aSearchForEndedJobsReadsAPartOfThem() {
        EndedTable ended = new EndedTable(source);
        EndedQuery all = EndedQuery.of("orders").withText("nowhere");
        new JdbcTemplate(source)
                .update(
                        "INSERT INTO delayjob_mark (seq, queue, mark) SELECT seq, queue, '0123456789_' FROM delayjob_job");
        Map<String, EndedQuery> searches = Map.of(
                "of a mark", all.withIndexed(new IndexedValue("word", "value")),
                "last first", all,
                "within a range", all.withEnded(new TimeRange(null, Instant.ofEpochMilli(FINISHED / 2))),
                "by id", all.withIdPrefix("done-"));
        searches.forEach((name, query) -> {
            long before = read();
            assertThat(ended.page(query, marks(query), null).examined())
                    .isBetween(EndedTable.EXAMINED - 1L, (long) EndedTable.EXAMINED);
            assertThat(read() - before).as("rows read by: " + name).isLessThanOrEqualTo(5 * EndedTable.EXAMINED);
        });
        long before = read();
        ended.page(EndedQuery.of("orders").withIdPrefix("done-17"), new EndedJobs.Marks(null, null), null);
        assertThat(read() - before).as("rows read by: ids that begin so").isLessThanOrEqualTo(6 * 1111);
        assertThat(jdbc.queryForObject(
                        "SELECT collation_name FROM information_schema.columns WHERE table_name = 'delayjob_job' AND"
                                + " column_name = 'id'",
                        String.class))
                .isEqualTo("C");
    }

    @Test
    void aQueryThatReadsThemIsNoticed() {
        long before = read();
        jdbc.queryForObject("SELECT COUNT(*) FROM delayjob_job WHERE state = 'COMPLETED'", Long.class);
        assertThat(read() - before).isGreaterThanOrEqualTo(FINISHED);
    }

    private long read() {
        jdbc.execute("SELECT pg_stat_force_next_flush()");
        Long rows = jdbc.queryForObject(
                "SELECT (SELECT SUM(seq_tup_read + COALESCE(idx_tup_fetch, 0)) FROM pg_stat_user_tables"
                        + " WHERE relname IN ('delayjob_job', 'delayjob_flow'))"
                        + " + (SELECT SUM(idx_tup_read) FROM pg_stat_user_indexes"
                        + " WHERE relname IN ('delayjob_job', 'delayjob_flow'))",
                Long.class);
        return rows == null ? 0 : rows;
    }
}
