package io.delayjob.journal.internal.submitting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.journal.internal.tables.Database;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EnlistedShardsTest {

    private static final ShardId SHARD = new ShardId("orders", 0);

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

    @Test
    void enlistsEachShardOnce() {
        try (EnlistedShards shards = new EnlistedShards(database, shard -> begun.incrementAndGet())) {
            ShardId other = new ShardId("orders", 1);
            shards.add(List.of(SHARD));
            shards.add(List.of(SHARD, other));
            assertThat(shards.has(SHARD)).isTrue();
            assertThat(shards.has(other)).isTrue();
            assertThat(begun).hasValue(2);
            assertThat(database.shards().all()).containsExactly(SHARD, other);
        }
    }

    @Test
    void sharesAnAttemptThatHangs() {
        CountDownLatch answered = new CountDownLatch(1);
        try (EnlistedShards shards = new EnlistedShards(database, shard -> {
            begun.incrementAndGet();
            await().until(() -> answered.getCount() == 0);
        })) {
            for (int i = 0; i < 100; i++) {
                shards.add(List.of(SHARD));
            }
            assertThat(shards.has(SHARD)).isFalse();
            answered.countDown();
            await().until(() -> shards.has(SHARD));
        }
        assertThat(begun).hasValue(1);
    }

    @Test
    void doesNotRepeatAFailedAttemptAtOnce() {
        try (EnlistedShards shards = new EnlistedShards(database, shard -> {
            begun.incrementAndGet();
            throw new IllegalStateException("Redis is away");
        })) {
            shards.add(List.of(SHARD));
            shards.add(List.of(SHARD));
            assertThat(shards.has(SHARD)).isFalse();
        }
        assertThat(begun).hasValue(1);
    }
}
