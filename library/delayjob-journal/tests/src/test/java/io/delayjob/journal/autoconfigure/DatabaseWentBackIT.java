package io.delayjob.journal.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobJournal;
import io.delayjob.JobRestore;
import io.delayjob.JobState;
import io.delayjob.JournalDiff;
import io.delayjob.JournalScope;
import io.delayjob.RestoreReport;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** A backup of the database is put back, and Redis is as it was. */
@Execution(ExecutionMode.CONCURRENT)
@RealRedis
class DatabaseWentBackIT {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final String queue = "q-" + UUID.randomUUID();
    private final String database = TestDatabase.H2_MEMORY.freshUrl();
    private final Runs runs = new Runs();

    private JournalNode open(String... properties) {
        List<String> all = new ArrayList<>(List.of(properties));
        all.add("delayjob.journal.horizon=1m");
        return JournalNode.open(RedisServer.shared().url(), database, queue, runs, all.toArray(String[]::new));
    }

    /** So much of the hour passes that the far jobs come to Redis and are due. */
    private static void pass(JdbcTemplate jdbc) {
        jdbc.update("UPDATE delayjob_job SET due_at = due_at - 3600000, relay_at = relay_at - 3600000"
                + " WHERE relay_at IS NOT NULL AND finished_at IS NULL");
    }

    private void putBack(List<String> backup) throws SQLException {
        SingleConnectionDataSource one =
                new SingleConnectionDataSource(DriverManager.getConnection(database, "sa", ""), true);
        JdbcTemplate jdbc = new JdbcTemplate(one);
        jdbc.execute("DROP ALL OBJECTS");
        backup.forEach(jdbc::execute);
        pass(jdbc);
        one.destroy();
    }

    private static List<String> ids(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(number -> prefix + number).toList();
    }

    @Test
    void runsNothingThatWaitedInItUntilAnOperatorDecides() throws SQLException {
        List<String> ran = ids("ran-", 60);
        List<String> cancelled = ids("cancelled-", 5);
        List<String> backup;
        try (JournalNode node = open()) {
            ran.forEach(id -> node.producer().submit(JournalNode.note(id), Duration.ofHours(1)));
            cancelled.forEach(id -> node.producer().submit(JournalNode.note(id), Duration.ofHours(1)));
            node.submit("before");
            await().atMost(PATIENCE).until(() -> node.rows("state = 'COMPLETED'") == 1);
            backup = node.jdbc().queryForList("SCRIPT", String.class);
            cancelled.forEach(id -> assertThat(node.context()
                            .getBean(DelayJobAdmin.class)
                            .cancel(queue, id)
                            .done())
                    .isTrue());
            pass(node.jdbc());
            runs.awaitAll(ran);
            await().atMost(PATIENCE).until(() -> node.rows("state = 'COMPLETED'") == 61);
        }
        putBack(backup);

        try (JournalNode node = open()) {
            await().atMost(PATIENCE)
                    .until(() -> node.jdbc()
                            .queryForList("SELECT loss FROM delayjob_shard WHERE adopted = 1", String.class)
                            .equals(List.of("UNLOGGED")));
            // A job that is submitted afterwards is relayed, and the others had their chance before it.
            try (JournalNode dying = JournalNode.open(
                    RedisServer.shared().url(), database, queue, runs, submit -> true, "delayjob.consume=false")) {
                dying.transaction().executeWithoutResult(status -> dying.submit("afterwards"));
            }
            runs.awaitAll(List.of("afterwards"));
            assertThat(runs.seen()).hasSize(62).doesNotHaveDuplicates().doesNotContainAnyElementsOf(cancelled);

            DelayJobJournal journal = node.context().getBean(DelayJobJournal.class);
            DelayJobAdmin admin = node.context().getBean(DelayJobAdmin.class);
            // The last entry of the log tells of the ends of a few.
            List<String> held = new ArrayList<>(ran);
            held.removeAll(
                    node.jdbc().queryForList("SELECT id FROM delayjob_job WHERE state = 'COMPLETED'", String.class));
            assertThat(held).hasSizeGreaterThan(5);
            JournalDiff diff = journal.diff(JournalScope.of(queue));
            assertThat(diff.missingInRedis()).isEqualTo(held.size() + cancelled.size());
            assertThat(diff.samples())
                    .extracting(JournalDiff.Difference::id)
                    .containsExactlyInAnyOrderElementsOf(
                            Stream.concat(held.stream(), cancelled.stream()).toList());
            assertThat(diff.samples())
                    .allSatisfy(sample ->
                            assertThat(sample.journal()).startsWith("DELAYED").endsWith(", held"));
            cancelled.forEach(id -> assertThat(admin.cancel(queue, id).done()).isTrue());
            held.stream()
                    .skip(1)
                    .forEach(
                            id -> assertThat(admin.cancel(queue, id).previous()).isEqualTo(JobState.DELAYED));
            assertThat(journal.restore(JobRestore.of(JournalScope.of(queue))))
                    .isEqualTo(new RestoreReport(1, 1, 0, 0, 0, 0));
            await().atMost(PATIENCE).until(() -> Collections.frequency(runs.seen(), held.get(0)) == 2);
            await().atMost(PATIENCE).until(() -> node.rows("relay_at IS NOT NULL") == 0);
            assertThat(journal.diff(JournalScope.of(queue)).isEmpty()).isTrue();
            assertThat(node.jdbc().queryForList("SELECT loss FROM delayjob_shard WHERE loss IS NOT NULL"))
                    .isEmpty();
        }
        assertThat(runs.seen()).hasSize(63);
    }
}
