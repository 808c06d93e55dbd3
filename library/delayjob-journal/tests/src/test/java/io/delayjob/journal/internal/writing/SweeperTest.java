package io.delayjob.journal.internal.writing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.JobState;
import io.delayjob.engine.ledger.FlowPosition;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.FlowRow;
import io.delayjob.journal.internal.tables.JobRow;
import io.delayjob.journal.internal.tables.LockTable;
import io.delayjob.journal.internal.tables.ScheduleRow;
import io.delayjob.journal.internal.tables.Status;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

class SweeperTest {

    private static final ShardId SHARD = new ShardId("orders", 0);
    private static final Duration DAY = Duration.ofDays(1);
    private static final int MANY = 2 * Sweeper.PART + 500;

    private HikariDataSource source;
    private Database database;
    private LockTable locks;

    @BeforeEach
    void open() {
        source = TestDatabase.H2_MEMORY.prepared();
        database = Database.of(source, "test");
        locks = new LockTable(source, database.dialect());
        long now = System.currentTimeMillis();
        long old = now - 2 * DAY.toMillis();
        database.jobs()
                .add(IntStream.range(0, MANY)
                        .mapToObj(n -> row("old " + n, old + n, old + n))
                        .toList());
        database.jobs().add(List.of(row("new", now, now), row("waits", old, null)));
        database.flow()
                .add(IntStream.range(0, MANY)
                        .mapToObj(n -> step("old " + n, old + n))
                        .toList());
        database.flow().add(List.of(step("new", now)));
        database.schedules()
                .add(SHARD, List.of(schedule("there", null), schedule("removed", old), schedule("just removed", now)));
    }

    @AfterEach
    void close() {
        source.close();
    }

    private static JobRow row(String id, long at, @Nullable Long end) {
        JobState state = end == null ? JobState.DELAYED : JobState.COMPLETED;
        Status status = new Status(end == null, state, 1, at, false, null, null, null, null, at, end);
        return new JobRow(0, SHARD, id, JobContent.of("{}"), at, status, null);
    }

    private static ScheduleRow schedule(String name, @Nullable Long removed) {
        return new ScheduleRow(name, "{}", "version=1|job=", removed);
    }

    private static FlowRow step(String id, long at) {
        return new FlowRow("orders", id, new FlowPosition(at, 0), 0, "SUBMIT", at, JobState.DELAYED, 0, at, null, null);
    }

    private Sweeper sweeper(String node) {
        return new Sweeper(database, locks, node, new KeptFor(DAY, DAY));
    }

    private List<String> ids(String table) {
        return new JdbcTemplate(source).queryForList("SELECT id FROM " + table + " ORDER BY id", String.class);
    }

    @Test
    void removesWhatIsOldInParts() {
        Sweeper sweeper = sweeper("node");
        assertThat(sweeper.sweep()).isLessThan(Duration.ofMinutes(1));
        assertThat(ids("delayjob_job")).hasSize(MANY + 2 - Sweeper.PART);
        assertThat(ids("delayjob_flow")).hasSize(MANY + 1 - Sweeper.PART);
        assertThat(sweeper.sweep()).isLessThan(Duration.ofMinutes(1));
        assertThat(sweeper.sweep()).isEqualTo(Duration.ofMinutes(1));
        assertThat(ids("delayjob_job")).containsExactly("new", "waits");
        assertThat(ids("delayjob_flow")).containsExactly("new");
        assertThat(database.schedules().find(SHARD, List.of("there", "removed", "just removed")))
                .extracting(ScheduleRow::name)
                .containsExactlyInAnyOrder("there", "just removed");
    }

    @Test
    void oneNodeAtATimeSweeps() {
        assertThat(locks.take("retention", "other", Duration.ofMinutes(1))).isTrue();
        Sweeper second = sweeper("node");
        second.start();
        second.stop();
        assertThat(ids("delayjob_job")).hasSize(MANY + 2);
        locks.release("retention", "other");
        Sweeper first = sweeper("node");
        first.start();
        await().until(() -> ids("delayjob_job").size() == 2);
        first.stop();
        assertThat(locks.take("retention", "other", Duration.ofMinutes(1))).isTrue();
    }
}
