package io.delayjob.journal.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.embedded.RedisCall;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.testing.OwnRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Redis gets an old snapshot, in which jobs are due that have ended since. */
@Execution(ExecutionMode.CONCURRENT)
class OldSnapshotIT {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int JOBS = 500;

    private final String queue = "q-" + UUID.randomUUID();
    private final Runs runs = new Runs();
    private final AtomicInteger tries = new AtomicInteger();

    @Test
    void noneOfTheJobsRunsAgainThatTheJournalKnowsToHaveEnded() throws IOException {
        List<String> ids = IntStream.range(0, JOBS).mapToObj(i -> "job-" + i).toList();
        String database = TestDatabase.H2_MEMORY.freshUrl();
        try (OwnRedis redis = OwnRedis.start("--save", "")) {
            Path dump = redis.folder().resolve("dump.rdb");
            Path snapshot = redis.folder().resolve("snapshot.rdb");
            try (JournalNode submitter = open(redis, database, "delayjob.consume=false")) {
                submitter
                        .producer()
                        .submitAll(ids.stream().map(JournalNode::note).toList(), job -> Duration.ZERO);
                await().atMost(PATIENCE).until(() -> submitter.rows("live = 1 AND relay_at IS NULL") == JOBS);
                await().atMost(PATIENCE)
                        .until(() -> RedisCall.call(redis.url(), "EXISTS", "delayjob:{" + queue + ":0}:compared")
                                .contains("1"));
                RedisCall.call(redis.url(), "SAVE");
                Files.copy(dump, snapshot, StandardCopyOption.REPLACE_EXISTING);
            }
            long saved = millis(redis);
            try (JournalNode node = open(redis, database)) {
                runs.awaitAll(ids, PATIENCE);
                await().atMost(PATIENCE).until(() -> node.rows("state = 'COMPLETED'") == JOBS);
                await().atMost(PATIENCE).until(() -> millis(redis) - saved > Flow.COMPARED_MILLIS);

                redis.kill();
                Files.copy(snapshot, dump, StandardCopyOption.REPLACE_EXISTING);
                redis.restart();

                await().atMost(PATIENCE)
                        .until(() -> node.jdbc()
                                .queryForList("SELECT loss FROM delayjob_shard WHERE adopted = 1", String.class)
                                .equals(List.of("REPLACED")));
                // Each try submits another job: one that failed may have been stored, and run.
                List<String> afterwards = new CopyOnWriteArrayList<>();
                await().atMost(PATIENCE).ignoreExceptions().until(() -> {
                    String id = "afterwards-" + tries.incrementAndGet();
                    node.submit(id);
                    return afterwards.add(id);
                });
                runs.awaitAll(afterwards);
                assertThat(node.rows("state = 'COMPLETED'")).isGreaterThanOrEqualTo(JOBS);
            }
        }
        assertThat(runs.seen())
                .doesNotHaveDuplicates()
                .filteredOn(id -> !id.startsWith("afterwards-"))
                .hasSize(JOBS);
    }

    private JournalNode open(OwnRedis redis, String database, String... properties) {
        return JournalNode.open(redis.url(), database, queue, runs, properties);
    }

    /** Redis' clock. */
    private static long millis(OwnRedis redis) throws IOException {
        return Long.parseLong(
                        RedisCall.call(redis.url(), "TIME").lines().findFirst().orElseThrow())
                * 1000;
    }
}
