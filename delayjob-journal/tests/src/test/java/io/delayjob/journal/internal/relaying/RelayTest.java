package io.delayjob.journal.internal.relaying;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.JobState;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.Fence;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.memory.MemoryBackend;
import io.delayjob.journal.database.Submissions;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.JobRow;
import io.delayjob.journal.internal.tables.Status;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

class RelayTest {

    private static JobRow row(int characters) {
        Status status = new Status(true, JobState.DELAYED, 0, 1, false, 1L, null, null, null, 1, null);
        return new JobRow(1, new ShardId("orders", 0), "a", JobContent.of("x".repeat(characters)), 1, status, null);
    }

    private static final ShardId SHARD = new ShardId("orders", 0);

    /** Submits a job that its own node may bring in this term. */
    private static void submit(Database database, String term) {
        NewJob job = new NewJob("a", new NewJob.Due(0, true), JobContent.of("\"job\":\"x\",\"param\":1}"))
                .with(new NewJob.Journaled(term, 7));
        database.submits().add(List.of(Submissions.of(SHARD, job, null)));
        new JdbcTemplate(database.source()).update("UPDATE delayjob_job SET relay_at = 0");
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
            Set<Long> rows =
                    Set.of(database.jobs().find("orders", "a").orElseThrow().seq());
            Relay relay = new Relay(database, shard -> ledger, "node", Duration.ofSeconds(5), new RelayVitals());
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
            Set<Long> rows =
                    Set.of(database.jobs().find("orders", "a").orElseThrow().seq());
            Relay relay = new Relay(database, shard -> ledger, "node", Duration.ofSeconds(5), new RelayVitals());
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
            Set<Long> rows =
                    Set.of(database.jobs().find("orders", "a").orElseThrow().seq());
            new Relay(database, shard -> ledger, "node", Duration.ofSeconds(5), new RelayVitals())
                    .relay(SHARD, rows, seen);
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
                    .add(IntStream.range(0, Relay.MOST_JOBS + 50)
                            .mapToObj(number -> Submissions.of(
                                    SHARD,
                                    new NewJob(
                                            "far-" + number,
                                            new NewJob.Due(3_600_000, true),
                                            JobContent.of("\"job\":\"x\"}")),
                                    7_200_000L))
                            .toList());
            RelayVitals vitals = new RelayVitals();
            Relay relay = new Relay(database, shard -> ledger, "node", Duration.ofSeconds(5), vitals);
            assertThat(relay.relay(SHARD, Set.of(), seen)).isTrue();
            assertThat(ledger.counts().join().delayed()).isEqualTo(Relay.MOST_JOBS);
            assertThat(vitals.relayed("orders")).isEqualTo(Relay.MOST_JOBS);
            // Its calls have used up the fence, so nothing comes twice.
            assertThat(relay.relay(SHARD, Set.of(), seen)).isTrue();
            assertThat(ledger.counts().join().delayed()).isEqualTo(Relay.MOST_JOBS);
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
