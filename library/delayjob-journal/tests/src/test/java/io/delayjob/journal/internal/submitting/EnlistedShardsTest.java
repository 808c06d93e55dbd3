package io.delayjob.journal.internal.submitting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.engine.ledger.Fence;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.journal.internal.tables.Database;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.jdbc.core.JdbcTemplate;

@Execution(ExecutionMode.CONCURRENT)
class EnlistedShardsTest {

    private static final ShardId SHARD = new ShardId("orders", 0);
    private static final ShardId OTHER = new ShardId("orders", 1);

    private final AtomicInteger begun = new AtomicInteger();
    private HikariDataSource source;
    private Database database;

    @BeforeEach
    void open() {
        source = TestDatabase.H2_MEMORY.prepared();
        database = Database.of(source, "test");
    }

    @AfterEach
    void close() {
        source.close();
    }

    private EnlistedShards open(Function<ShardId, Fence> beginLog) {
        return open(beginLog, 100);
    }

    /** Shards 0 and 1 are those of the queue. */
    private EnlistedShards open(Function<ShardId, Fence> beginLog, long pauseMillis) {
        Redis redis = new Redis() {
            @Override
            public Fence beginLog(ShardId shard) {
                begun.incrementAndGet();
                return beginLog.apply(shard);
            }

            @Override
            public Set<String> missing(ShardId shard, List<String> ids) {
                throw new AssertionError();
            }
        };
        return new EnlistedShards(database, redis, shard -> List.of(SHARD, OTHER), pauseMillis);
    }

    @Test
    void enlistsAllShardsOfAQueueOnce() {
        CountDownLatch allAsked = new CountDownLatch(1);
        // It looks for what is missing an hour later: a shard that is about to be enlisted would be so twice.
        try (EnlistedShards shards = open(
                shard -> {
                    await().until(() -> allAsked.getCount() == 0);
                    return new Fence("t" + shard.number(), 0);
                },
                3_600_000)) {
            shards.add(List.of(SHARD));
            allAsked.countDown();
            await().until(() -> shards.term(SHARD) != null && shards.term(OTHER) != null);
            shards.add(List.of(SHARD, OTHER));
            assertThat(shards.term(SHARD)).isEqualTo("t0");
            assertThat(shards.term(OTHER)).isEqualTo("t1");
            assertThat(begun).hasValue(2);
            assertThat(database.shards().all()).containsExactly(SHARD, OTHER);
        }
    }

    @Test
    void sharesAnAttemptThatHangs() {
        CountDownLatch answered = new CountDownLatch(1);
        try (EnlistedShards shards = open(shard -> {
            await().until(() -> answered.getCount() == 0);
            return new Fence("t", 0);
        })) {
            for (int i = 0; i < 100; i++) {
                shards.add(List.of(SHARD));
            }
            assertThat(shards.term(SHARD)).isNull();
            await().untilAsserted(() -> assertThat(begun).hasValue(1));
            answered.countDown();
            await().until(() -> shards.term(SHARD) != null);
        }
    }

    @Test
    void triesAgainWithoutAnotherSubmit() {
        AtomicBoolean away = new AtomicBoolean(true);
        try (EnlistedShards shards = open(shard -> {
            if (away.get()) {
                throw new IllegalStateException("Redis is away");
            }
            return new Fence("t", 0);
        })) {
            shards.add(List.of(SHARD));
            await().until(() -> begun.get() > 4);
            assertThat(shards.term(SHARD)).isNull();
            away.set(false);
            await().until(() -> shards.term(SHARD) != null && shards.term(OTHER) != null);
        }
    }

    @Test
    void enlistsAgainWhatAnOlderDatabaseDoesNotKnow() {
        try (EnlistedShards shards = open(shard -> new Fence("t", 0))) {
            shards.add(List.of(SHARD));
            await().until(() -> database.shards().all().size() == 2);
            new JdbcTemplate(source).update("DELETE FROM delayjob_shard");
            await().until(() -> database.shards().all().size() == 2);
        }
    }
}
