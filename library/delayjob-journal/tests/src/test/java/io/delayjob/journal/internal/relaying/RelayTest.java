package io.delayjob.journal.internal.relaying;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.JobState;
import io.delayjob.SubmitResult;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.Fence;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Pointer;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.memory.MemoryBackend;
import io.delayjob.journal.database.Submissions;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.journal.internal.pointing.PointedIds;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.DueRow;
import io.delayjob.journal.internal.tables.JobRow;
import io.delayjob.journal.internal.tables.Status;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;

@Isolated("reads what the whole JVM prints")
@ExtendWith(OutputCaptureExtension.class)
class RelayTest {

    private static JobRow row(int characters) {
        Status status = new Status(true, JobState.DELAYED, 0, 1, false, 1L, null, null, null, 1, null);
        return new JobRow(1, new ShardId("orders", 0), "a", JobContent.of("x".repeat(characters)), 1, status, null);
    }

    private static final ShardId SHARD = new ShardId("orders", 0);
    private static final ShardId HOME = ShardId.of("orders", "a", 2);
    private static final ShardId KEYS = new ShardId("orders", 1 - HOME.number());

    private final MemoryBackend backend = new MemoryBackend(() -> 5, true);

    private Ledger ledger(ShardId shard) {
        return backend.ledger(shard, Retention.NONE, Replication.NONE);
    }

    /** Submits a job that its own node may bring in this term. */
    private static void submit(Database database, String term) {
        NewJob job = new NewJob("a", new NewJob.Due(0, true), JobContent.of("\"job\":\"x\",\"param\":1}"))
                .with(new NewJob.Journaled(term, 7));
        database.submits().add(List.of(Submissions.of(SHARD, job, null)));
        new JdbcTemplate(database.source()).update("UPDATE delayjob_job SET relay_at = 0");
    }

    private static Relay relay(Database database, Function<ShardId, Ledger> ledgers, RelayVitals vitals) {
        return new Relay(database, ledgers, new PointedIds(ledgers, queue -> 2), "node", Duration.ofSeconds(5), vitals);
    }

    /** The rows as a node has them that has seen them for long. */
    private static Unrelayed ripe(Database database) {
        Unrelayed rows = new Unrelayed(database.relays());
        rows.page(SHARD, 0, System.nanoTime() - Duration.ofMinutes(1).toNanos());
        return rows;
    }

    private static Fence fence(Ledger ledger) {
        return ledger.flow(new Flow.Request(null, 0, 1000)).join().fence();
    }

    @Test
    void beginsATermBeforeItRelaysWhatANodeMayStillBring() {
        try (HikariDataSource source = TestDatabase.H2_MEMORY.prepared()) {
            Database database = Database.of(source, "test");
            Ledger ledger = new MemoryBackend(() -> 5, true).ledger(SHARD, Retention.NONE, Replication.NONE);
            Fence first = fence(ledger);
            submit(database, first.term());
            Unrelayed rows = ripe(database);
            Relay relay = relay(database, shard -> ledger, new RelayVitals());
            assertThat(relay.relay(SHARD, rows, first)).isTrue();
            assertThat(ledger.find("a").join()).isEmpty();
            Fence second = fence(ledger);
            assertThat(second.term()).isNotEqualTo(first.term());
            assertThat(relay.relay(SHARD, rows, second)).isFalse();
            assertThat(ledger.find("a").join()).isPresent();
        }
    }

    @Test
    void aRelayThatStoodStillStoresNothing() {
        try (HikariDataSource source = TestDatabase.H2_MEMORY.prepared()) {
            Database database = Database.of(source, "test");
            Ledger ledger = new MemoryBackend(() -> 5, true).ledger(SHARD, Retention.NONE, Replication.NONE);
            Fence seen = fence(ledger);
            submit(database, "");
            Unrelayed rows = ripe(database);
            Relay relay = relay(database, shard -> ledger, new RelayVitals());
            assertThat(relay.relay(SHARD, rows, seen)).isFalse();
            ledger.cancel(new Call("lane", 1), List.of("a")).join();
            assertThat(relay.relay(SHARD, rows, seen)).isTrue();
            assertThat(ledger.find("a").join()).isEmpty();
        }
    }

    @Test
    void aJobThatComesTooLateWasDueAllTheSame() {
        try (HikariDataSource source = TestDatabase.H2_MEMORY.prepared()) {
            Database database = Database.of(source, "test");
            Ledger ledger = new MemoryBackend(() -> 1_000_000, true).ledger(SHARD, Retention.NONE, Replication.NONE);
            Fence seen = fence(ledger);
            submit(database, "");
            new JdbcTemplate(source).update("UPDATE delayjob_job SET due_at = due_at - 60000");
            Unrelayed rows = ripe(database);
            relay(database, shard -> ledger, new RelayVitals()).relay(SHARD, rows, seen);
            assertThat(ledger.find("a").join().orElseThrow().atMillis()).isLessThanOrEqualTo(1_000_000 - 60_000);
        }
    }

    @Test
    void manyFarJobsComeToRedisAtOnce() {
        try (HikariDataSource source = TestDatabase.H2_MEMORY.prepared()) {
            Database database = Database.of(source, "test");
            Ledger ledger = new MemoryBackend(() -> 1_000_000, true).ledger(SHARD, Retention.NONE, Replication.NONE);
            Fence seen = fence(ledger);
            database.submits()
                    .add(IntStream.range(0, Unrelayed.PAGE + 50)
                            .mapToObj(number -> Submissions.of(
                                    SHARD,
                                    new NewJob(
                                            "far-" + number,
                                            new NewJob.Due(3_600_000, true),
                                            JobContent.of("\"job\":\"x\"}")),
                                    7_200_000L))
                            .toList());
            RelayVitals vitals = new RelayVitals();
            Relay relay = relay(database, shard -> ledger, vitals);
            Unrelayed rows = new Unrelayed(database.relays());
            assertThat(relay.relay(SHARD, rows, seen)).isTrue();
            assertThat(ledger.counts().join().delayed()).isEqualTo(Unrelayed.PAGE);
            assertThat(vitals.relayed("orders")).isEqualTo(Unrelayed.PAGE);
            // Its calls have used up the fence, so nothing comes twice.
            assertThat(relay.relay(SHARD, rows, seen)).isTrue();
            assertThat(ledger.counts().join().delayed()).isEqualTo(Unrelayed.PAGE);
        }
    }

    /** A job in the shard of its key, whose id belongs to the other of two. */
    private static void submitKeyed(Database database, long tag) {
        NewJob job = new NewJob("a", new NewJob.Due(0, true), JobContent.of("\"job\":\"x\",\"key\":\"k\",\"param\":1}"))
                .with(new NewJob.Journaled("", tag));
        database.submits().add(List.of(Submissions.of(KEYS, job, null)));
        new JdbcTemplate(database.source()).update("UPDATE delayjob_job SET relay_at = 0");
    }

    @Test
    void pointsTheIdToTheShardOfTheJob() {
        try (HikariDataSource source = TestDatabase.H2_MEMORY.prepared()) {
            Database database = Database.of(source, "test");
            Fence seen = fence(ledger(KEYS));
            submitKeyed(database, 7);
            assertThat(relay(database, this::ledger, new RelayVitals())
                            .relay(KEYS, new Unrelayed(database.relays()), seen))
                    .isFalse();
            assertThat(ledger(KEYS).find("a").join()).isPresent();
            NewJob other = new NewJob("a", new NewJob.Due(0, true), JobContent.of("\"job\":\"x\"}"));
            assertThat(ledger(HOME).submit(new Call("lane", 1), List.of(other)).join())
                    .extracting(SubmitResult::outcome)
                    .containsExactly(SubmitResult.Outcome.UNCONFIRMED);
        }
    }

    @Test
    void refusesAJobWhoseIdIsThatOfAnotherShardsJob() {
        try (HikariDataSource source = TestDatabase.H2_MEMORY.prepared()) {
            Database database = Database.of(source, "test");
            Ledger ledger = ledger(KEYS);
            Fence seen = fence(ledger);
            String read = ledger.flow(new Flow.Request(null, 0, 1000)).join().last();
            NewJob first = new NewJob("a", new NewJob.Due(0, true), JobContent.of("\"job\":\"x\"}"));
            ledger(HOME).submit(new Call("lane", 1), List.of(first)).join();
            submitKeyed(database, 7);
            assertThat(relay(database, this::ledger, new RelayVitals())
                            .relay(KEYS, new Unrelayed(database.relays()), seen))
                    .isFalse();
            assertThat(ledger.find("a").join()).isEmpty();
            assertThat(ledger.flow(new Flow.Request(read, 10, 1000)).join().steps())
                    .extracting(Flow.Step::kind, Flow.Step::id, Flow.Step::tag)
                    .containsExactly(tuple(Flow.Kind.REFUSE, "a", 7L));
        }
    }

    @Test
    void pointsAnewIfAnotherSubmitHasRevokedThePointer() {
        try (HikariDataSource source = TestDatabase.H2_MEMORY.prepared()) {
            Database database = Database.of(source, "test");
            PointedIds ids = new PointedIds(this::ledger, queue -> 2);
            Pointer stale = ids.point(KEYS, "a").join().orElseThrow();
            ledger(KEYS).pointers().revoke(List.of(stale)).join();
            Fence seen = fence(ledger(KEYS));
            submitKeyed(database, 7);
            assertThat(relay(database, this::ledger, new RelayVitals())
                            .relay(KEYS, new Unrelayed(database.relays()), seen))
                    .isFalse();
            assertThat(ledger(KEYS).find("a").join()).isPresent();
        }
    }

    @Test
    void storesAJobInTheShardOfItsIdOnceTheJobHasEndedThatTheIdPointsTo() {
        try (HikariDataSource source = TestDatabase.H2_MEMORY.prepared()) {
            Database database = Database.of(source, "test");
            Fence ofKeys = fence(ledger(KEYS));
            submitKeyed(database, 7);
            relay(database, this::ledger, new RelayVitals()).relay(KEYS, new Unrelayed(database.relays()), ofKeys);
            assertThat(ledger(KEYS)
                            .cancel(new Call("lane", 1), List.of("a"))
                            .join()
                            .get(0)
                            .done())
                    .isTrue();

            Fence seen = fence(ledger(HOME));
            NewJob plain = new NewJob("a", new NewJob.Due(0, true), JobContent.of("\"job\":\"x\"}"))
                    .with(new NewJob.Journaled("", 8));
            database.submits().add(List.of(Submissions.of(HOME, plain, null)));
            new JdbcTemplate(source).update("UPDATE delayjob_job SET relay_at = 0");
            RelayVitals vitals = new RelayVitals();
            assertThat(relay(database, this::ledger, vitals).relay(HOME, new Unrelayed(database.relays()), seen))
                    .isFalse();
            assertThat(ledger(HOME).find("a").join()).isPresent();
            assertThat(vitals.relayed("orders")).isEqualTo(1);
        }
    }

    @Test
    void aShardThatIsAwayKeepsOnlyTheJobsWhoseIdsItHas(CapturedOutput output) {
        try (HikariDataSource source = TestDatabase.H2_MEMORY.prepared()) {
            Database database = Database.of(source, "test");
            Function<ShardId, Ledger> withoutHome = shard -> {
                if (shard.equals(HOME)) {
                    throw new LedgerException(LedgerException.Kind.NOT_RUN, "its master is away", null);
                }
                return ledger(shard);
            };
            Fence seen = fence(ledger(KEYS));
            String near = IntStream.range(0, 100)
                    .mapToObj(i -> "near-" + i)
                    .filter(id -> ShardId.of("orders", id, 2).equals(KEYS))
                    .findFirst()
                    .orElseThrow();
            List<NewJob> jobs = Stream.concat(
                            IntStream.iterate(0, i -> i + 1)
                                    .mapToObj(i -> "away-" + i)
                                    .filter(id -> ShardId.of("orders", id, 2).equals(HOME))
                                    .limit(Unrelayed.PAGE),
                            Stream.of(near))
                    .map(id -> new NewJob(id, new NewJob.Due(0, true), JobContent.of("\"job\":\"x\"}")))
                    .toList();
            database.submits()
                    .add(jobs.stream()
                            .map(job -> Submissions.of(KEYS, job, null))
                            .toList());
            submitKeyed(database, 7);
            Relay relay = relay(database, withoutHome, new RelayVitals());
            Unrelayed rows = new Unrelayed(database.relays());
            assertThat(relay.relay(KEYS, rows, seen)).as("there is more").isTrue();
            assertThat(relay.relay(KEYS, rows, seen))
                    .as("there is no more at once")
                    .isFalse();
            assertThat(rows.page(KEYS, 0, System.nanoTime()))
                    .as("the next round begins")
                    .hasSize(Unrelayed.PAGE);
            assertThat(output).containsOnlyOnce("jobs of " + KEYS + " wait").contains("its master is away");
            Ledger ledger = ledger(KEYS);
            assertThat(ledger.missing(List.of(near, "a")).join().ids()).containsExactly("a");
            new JdbcTemplate(source).update("DELETE FROM delayjob_job WHERE id <> 'a'");
            relay(database, this::ledger, new RelayVitals())
                    .relay(KEYS, new Unrelayed(database.relays()), fence(ledger));
            assertThat(ledger.missing(List.of("a")).join().ids()).isEmpty();
        }
    }

    @Test
    void whatItsOwnNodeMayStillBringRipensBehindAPageThatWaits() {
        try (HikariDataSource source = TestDatabase.H2_MEMORY.prepared()) {
            Database database = Database.of(source, "test");
            database.submits()
                    .add(IntStream.range(0, Unrelayed.PAGE)
                            .mapToObj(i ->
                                    new NewJob("away-" + i, new NewJob.Due(0, true), JobContent.of("\"job\":\"x\"}")))
                            .map(job -> Submissions.of(SHARD, job, null))
                            .toList());
            submit(database, "term");
            Unrelayed rows = new Unrelayed(database.relays());
            assertThat(rows.passed(SHARD, rows.page(SHARD, 0, 0))).isTrue();
            DueRow last = rows.page(SHARD, 0, 0).get(0);
            assertThat(last.id()).isEqualTo("a");
            assertThat(rows.passed(SHARD, List.of(last))).isFalse();
            assertThat(rows.passed(SHARD, rows.page(SHARD, 0, 1))).isTrue();
            long later = Duration.ofSeconds(1).toNanos();
            assertThat(rows.page(SHARD, 0, later)).containsExactly(last);
            assertThat(rows.isRipe(SHARD, last, later)).isTrue();

            rows.passed(SHARD, List.of(last));
            new JdbcTemplate(source).update("DELETE FROM delayjob_job WHERE id <> 'a'");
            assertThat(rows.isWaiting(SHARD, 0, later)).isTrue();
            new JdbcTemplate(source).update("DELETE FROM delayjob_job");
            assertThat(rows.isWaiting(SHARD, 0, later)).isFalse();
            assertThat(rows.isRipe(SHARD, last, later)).isFalse();
        }
    }

    @Test
    void bringsOnlySoManyCharactersAtOnceButAtLeastOneJob() {
        JobRow small = row(10);
        JobRow half = row(256 * 1024);
        JobRow large = row(1024 * 1024);
        assertThat(Relay.first(List.of())).isEmpty();
        assertThat(Relay.first(List.of(small, small))).hasSize(2);
        assertThat(Relay.first(List.of(half, half, small))).hasSize(2);
        assertThat(Relay.first(List.of(large, small))).containsExactly(large);
        assertThat(Relay.first(List.of(small, large, small))).containsExactly(small);
    }
}
