package io.delayjob.journal.internal.tables;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.database.Submissions;
import io.delayjob.journal.database.TestDatabase;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
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
        return Submissions.of(SHARD, new NewJob(id, new NewJob.Due(delayMillis, true), null, null, body), null);
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
                                    "\"job\":\"ces\",\"headers\":{\"subtopic\":\"s\",\"bizKey\":\"b\",\"delay\":\"60000\",\"createTime\":\"1000\",\"ttl\":\"12\"},\"param\":\"{hello"
                                        + " world}\"}"),
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
}
