package io.delayjob.journal.internal.tables;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.database.Submissions;
import io.delayjob.journal.database.TestDatabase;
import java.sql.Timestamp;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** The views that show jobs under the column names of mykit-delay. */
@Tag("proof")
class MykitViewsIT {

    private static final ShardId SHARD = new ShardId("mykit.ces", 0);

    static Stream<TestDatabase> databases() {
        return Stream.of(TestDatabase.POSTGRESQL, TestDatabase.MARIADB);
    }

    private static Submission submission(String id, long delayMillis, String body) {
        return Submissions.of(SHARD, new NewJob(id, new NewJob.Due(delayMillis, true), JobContent.of(body)), null);
    }

    @ParameterizedTest
    @MethodSource("databases")
    void showJobsUnderItsColumns(TestDatabase kind) {
        try (HikariDataSource database = kind.prepared()) {
            Dialect dialect = Dialect.of(database);
            SubmitTable.own(database, dialect)
                    .add(List.of(
                            submission(
                                    "20",
                                    60_000,
                                    "\"job\":\"ces\",\"headers\":{\"subtopic\":\"s\",\"bizKey\":\"b\",\"delay\":\"60000\",\"createTime\":\"1000\",\"ttl\":\"12\"},\"param\":\"{hello world}\"}"),
                            submission("21", 0, "\"job\":\"ces\",\"param\":{\"n\":1}}")));
            String script = kind.equals(TestDatabase.POSTGRESQL) ? "mykit-postgresql.sql" : "mykit-mysql.sql";
            new ResourceDatabasePopulator(new ClassPathResource("io/delayjob/journal/views/" + script))
                    .execute(database);

            JdbcTemplate view = new JdbcTemplate(database);
            Map<String, Object> row = view.queryForMap("SELECT * FROM mykit_delay_queue_job WHERE id = '20'");
            assertThat(row)
                    .containsEntry("topic", "ces")
                    .containsEntry("subtopic", "s")
                    .containsEntry("bizkey", "b")
                    .containsEntry("body", "{hello world}")
                    .containsKey("update_time");
            assertThat(List.of("delay", "create_time", "status", "ttl").stream()
                            .map(name -> ((Number) Objects.requireNonNull(row.get(name))).longValue()))
                    .containsExactly(60_000L, 1000L, 1L, 12L);
            assertThat(view.queryForObject("SELECT status FROM mykit_delay_queue_job WHERE id = '21'", Integer.class))
                    .isEqualTo(2);
            view.update(
                    "INSERT INTO delayjob_flow (queue, id, entry_ms, entry_no, item, kind, at, state, attempt, node)"
                            + " VALUES ('mykit.ces', '20', 1, 0, 0, 'COMPLETED', 1000, 'COMPLETED', 1, 'n')");
            assertThat(view.queryForMap("SELECT id, status, thread, host FROM mykit_delay_queue_job_log"))
                    .containsEntry("host", "n")
                    .containsEntry("thread", "mykit.ces");
        }
    }

    private static void step(
            JdbcTemplate database,
            String id,
            int entry,
            String kind,
            long at,
            String state,
            @Nullable Long due,
            @Nullable String node) {
        database.update(
                "INSERT INTO delayjob_flow (queue, id, entry_ms, entry_no, item, kind, at, state, attempt, due_at, node)"
                        + " VALUES ('mykit.ces', ?, ?, 0, 0, ?, ?, ?, 1, ?, ?)",
                id,
                entry,
                kind,
                at,
                state,
                due,
                node);
    }

    /** The rows of the view for an id: state, milliseconds since the first row, whatever time zone the database tells them in, and host of each row. */
    private static List<String> log(JdbcTemplate view, String id) {
        List<Map<String, Object>> rows = view.queryForList(
                "SELECT status, update_time, host FROM mykit_delay_queue_job_log WHERE id = ? ORDER BY update_time, status",
                id);
        long begun = ((Timestamp) Objects.requireNonNull(rows.get(0).get("update_time"))).getTime();
        return rows.stream()
                .map(row -> "%s@%d %s"
                        .formatted(
                                row.get("status"),
                                ((Timestamp) Objects.requireNonNull(row.get("update_time"))).getTime() - begun,
                                row.get("host")))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("databases")
    void haveARowForEachChangeOfStateWithItsHost(TestDatabase kind) {
        try (HikariDataSource database = kind.prepared()) {
            SubmitTable.own(database, Dialect.of(database))
                    .add(List.of(
                            submission("1", 60_000, "\"job\":\"ces\",\"headers\":{\"host\":\"10.0.0.7\"},\"param\":1}"),
                            submission("2", 60_000, "\"job\":\"ces\",\"headers\":{\"host\":\"10.0.0.7\"},\"param\":1}"),
                            submission(
                                    "3", 60_000, "\"job\":\"ces\",\"headers\":{\"host\":\"10.0.0.7\"},\"param\":1}")));
            String script = kind.equals(TestDatabase.POSTGRESQL) ? "mykit-postgresql.sql" : "mykit-mysql.sql";
            new ResourceDatabasePopulator(new ClassPathResource("io/delayjob/journal/views/" + script))
                    .execute(database);
            JdbcTemplate steps = new JdbcTemplate(database);
            step(steps, "1", 1, "SUBMIT", 1000, "DELAYED", 5000L, null);
            step(steps, "1", 2, "CLAIM", 5010, "RESERVED", null, "n1");
            step(steps, "1", 3, "RETRY", 6000, "DELAYED", 7000L, null);
            step(steps, "1", 4, "CLAIM", 6990, "RESERVED", null, "n2");
            step(steps, "1", 5, "COMPLETE", 8000, "COMPLETED", null, null);
            step(steps, "2", 1, "SUBMIT", 1000, "DELAYED", 5000L, null);
            step(steps, "2", 2, "CANCEL", 2000, "CANCELLED", null, null);
            step(steps, "2", 3, "RESTORE", 9000, "DELAYED", 5000L, null);
            step(steps, "3", 1, "SUBMIT", 1000, "DELAYED", 99_999_999_999_999L, null);

            assertThat(log(steps, "1"))
                    .containsExactly("1@0 10.0.0.7", "2@4000 10.0.0.7", "1@5000 n1", "2@5990 n1", "3@7000 n2");
            assertThat(log(steps, "2"))
                    .containsExactly("1@0 10.0.0.7", "4@1000 10.0.0.7", "2@8000 10.0.0.7", "5@8000 10.0.0.7");
            assertThat(log(steps, "3")).containsExactly("1@0 10.0.0.7");
        }
    }
}
