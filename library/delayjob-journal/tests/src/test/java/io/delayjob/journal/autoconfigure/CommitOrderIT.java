package io.delayjob.journal.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.journal.database.TestDatabase;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Many transactions that commit in another order than the one in which they began: for 5 seconds, or as many as the system property
 * {@code delayjob.commits.seconds} says.
 */
@Isolated("takes two thirds of the connections of its database")
@Tag("proof")
@RealRedis
class CommitOrderIT {

    private static final int CONNECTIONS = 200;
    private static final long SECONDS = Long.getLong("delayjob.commits.seconds", 5);
    private static final Duration BOUND = Duration.ofSeconds(180 + SECONDS);

    private final String queue = "q-" + UUID.randomUUID();
    private final Runs runs = new Runs();
    private final Set<String> committed = ConcurrentHashMap.newKeySet();
    private final long seed = System.nanoTime();

    @Test
    void missesNoRow() throws InterruptedException {
        String database = TestDatabase.POSTGRESQL.freshUrl();
        try (JournalNode other = open(database, "delayjob.consume=true");
                JournalNode node = open(
                        database,
                        "delayjob.consume=false",
                        "spring.datasource.hikari.maximum-pool-size=" + CONNECTIONS,
                        "spring.datasource.hikari.minimum-idle=0")) {
            ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            IntStream.range(0, CONNECTIONS)
                    .forEach(number -> threads.execute(() -> work(node, number, new Random(seed + number), until)));
            threads.shutdown();
            assertThat(threads.awaitTermination(BOUND.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            runs.awaitAll(committed, BOUND);
            await().atMost(BOUND).until(() -> other.rows("state <> 'COMPLETED'") == 0);
            List<String> seen = runs.seen();
            assertThat(seen).as("seed %s", seed).hasSizeGreaterThan(CONNECTIONS).doesNotHaveDuplicates();
            assertThat(Set.copyOf(seen)).as("seed %s", seed).isEqualTo(committed);
            System.out.printf(
                    "%d jobs of %d connections in %d s, seed %d: each ran once%n",
                    seen.size(), CONNECTIONS, SECONDS, seed);
        }
    }

    private JournalNode open(String database, String... properties) {
        return JournalNode.open(RedisServer.shared().url(), database, queue, runs, properties);
    }

    private void work(JournalNode node, int number, Random random, long until) {
        for (int turn = 0; turn == 0 || System.nanoTime() < until; turn++) {
            List<String> notes = List.of(number + "-" + turn + "-a", number + "-" + turn + "-b");
            boolean rolledBack = random.nextInt(5) == 0;
            node.transaction().executeWithoutResult(status -> {
                node.submit(notes.get(0));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(200)));
                node.submit(notes.get(1));
                if (rolledBack) {
                    status.setRollbackOnly();
                }
            });
            if (!rolledBack) {
                committed.addAll(notes);
            }
        }
    }
}
