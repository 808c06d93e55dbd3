package io.delayjob.journal.internal.pointing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.journal.internal.tables.Database;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ShardCountsTest {

    @Test
    void aNodeKnowsTheShardsOfQueuesThatItDoesNotUse() {
        try (HikariDataSource source = TestDatabase.H2_MEMORY.prepared()) {
            Database database = Database.of(source, "test");
            ShardCounts counts = new ShardCounts(
                    database.shards(), queue -> queue.equals("own") ? OptionalInt.of(3) : OptionalInt.empty());
            assertThat(counts.applyAsInt("orders")).isEqualTo(1);
            assertThat(counts.applyAsInt("own")).isEqualTo(3);
            for (int number = 0; number < 4; number++) {
                database.shards().enlist(new ShardId("orders", number));
                database.shards().enlist(new ShardId("own", number));
            }
            await().until(() -> counts.applyAsInt("orders") == 4);
            assertThat(counts.applyAsInt("own")).as("it has fewer than before").isEqualTo(3);
        }
    }
}
