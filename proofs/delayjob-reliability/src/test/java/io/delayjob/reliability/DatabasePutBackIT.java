package io.delayjob.reliability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobJournal;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobRestore;
import io.delayjob.JournalScope;
import io.delayjob.reliability.harness.Faults;
import io.delayjob.reliability.harness.Load;
import io.delayjob.reliability.harness.Stage;
import io.delayjob.reliability.node.Work;
import io.delayjob.reliability.node.WorkJob;
import io.delayjob.testing.OwnRedis;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A backup of the database is put back alone: Redis is as it was, and all jobs that waited in the backup have run, or were cancelled. None of them runs
 * again.
 */
@Tag("proof")
@Faults
class DatabasePutBackIT {

    private static final Duration BOUND = Duration.ofMinutes(4);
    private static final int FAR = 400;
    private static final int CANCELLED = 20;
    private static final int LATER = 50;

    /** Half a minute beyond the horizon, so that the backup is made while they wait in the database alone. */
    private static final Duration DELAY = Duration.ofSeconds(90);

    @Test
    void databasePutBackAlone(Stage stage) {
        OwnRedis redis = stage.redis();
        stage.journal("delayjob.journal.horizon=1m", "delayjob.shards=2");
        stage.nodes(2, redis.url());
        List<String> cancelled =
                IntStream.range(0, CANCELLED).mapToObj(i -> "cancelled-" + i).toList();
        stage.producer()
                .submitAll(
                        cancelled.stream()
                                .map(id -> DelayJobRequest.of(WorkJob.class, new Work(0, 0))
                                        .withId(id))
                                .toList(),
                        DELAY);
        stage.load(Load.Mix.USUAL).submitAll("far-", FAR, DELAY);
        assertThat(rows(stage, "relay_at IS NOT NULL")).isEqualTo(FAR + CANCELLED);

        stage.backUp();
        cancelled.forEach(
                id -> assertThat(stage.admin().cancel("default", id).done()).isTrue());
        await().atMost(BOUND).until(() -> rows(stage, "state = 'COMPLETED'") == FAR);
        stage.putBack();
        assertThat(rows(stage, "relay_at IS NOT NULL")).isEqualTo(FAR + CANCELLED);

        stage.nodes(2, redis.url());
        await().atMost(BOUND).until(() -> shards(stage, "loss = 'UNLOGGED' AND adopted = 1") == 2);
        stage.load(Load.Mix.USUAL).submitAll("later-", LATER, Duration.ZERO);
        await().atMost(BOUND).until(() -> rows(stage, "id LIKE 'later-%' AND state = 'COMPLETED'") == LATER);

        DelayJobJournal journal = stage.bean(DelayJobJournal.class);
        long held = rows(stage, "finished_at IS NULL");
        assertThat(held).isGreaterThanOrEqualTo(CANCELLED);
        assertThat(journal.diff(JournalScope.ALL).missingInRedis()).isEqualTo(held);
        stage.jdbc()
                .queryForList("SELECT id FROM delayjob_job WHERE finished_at IS NULL", String.class)
                .forEach(id ->
                        assertThat(stage.admin().cancel("default", id).done()).isTrue());
        assertThat(journal.restore(JobRestore.of(JournalScope.ALL)).restored()).isZero();
        assertThat(shards(stage, "loss IS NULL")).isEqualTo(2);
        assertThat(stage.settle(BOUND).duplicates()).isZero();
    }

    private static long rows(Stage stage, String condition) {
        return count(stage, "delayjob_job", condition);
    }

    private static long shards(Stage stage, String condition) {
        return count(stage, "delayjob_shard", condition);
    }

    private static long count(Stage stage, String table, String condition) {
        Long count = stage.jdbc().queryForObject("SELECT COUNT(*) FROM " + table + " WHERE " + condition, Long.class);
        return count == null ? 0 : count;
    }
}
