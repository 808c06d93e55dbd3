package io.delayjob.reliability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobJournal;
import io.delayjob.JournalScope;
import io.delayjob.embedded.RedisCall;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.reliability.harness.Account;
import io.delayjob.reliability.harness.Faults;
import io.delayjob.reliability.harness.Load;
import io.delayjob.reliability.harness.LostWrites;
import io.delayjob.reliability.harness.NodeProcess;
import io.delayjob.reliability.harness.ShardDigests;
import io.delayjob.reliability.harness.Stage;
import io.delayjob.reliability.node.Journal;
import io.delayjob.testing.OwnRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Redis is emptied, or gets an old snapshot, while orders are placed and run and many other jobs wait: 1,000, or as many as the system
 * property {@code reliability.waiting} says. The nodes notice and restore by themselves.
 */
@Tag("proof")
@Faults
class JournalLossIT {

    private static final int WAITING = Integer.getInteger("reliability.waiting", 1000);

    /** Long enough for 50 jobs a second, on a machine that has much else to do. */
    private static final Duration BOUND = Duration.ofMinutes(3).plusMillis(20L * WAITING);

    /** Of each of three threads of each node, about 50 a second. */
    private static final int ORDERS = 250;

    private static final String PREFIX = "waits-";

    @Test
    void redisEmptiedInFullFlow(Stage stage) throws IOException {
        OwnRedis redis = stage.redis();
        begin(stage, redis);
        ShardDigests before = ShardDigests.of(stage, PREFIX);

        long lostFrom = stage.writtenUpTo();
        RedisCall.call(redis.url(), "FLUSHALL");
        stage.redisLost(LostWrites.since(lostFrom));

        end(stage, before);
    }

    /** Of jobs that the snapshot has, and of as many that it has not. None runs again of which the journal knows that it has ended. */
    @Test
    void redisPutBackToAnOldSnapshotInFullFlow(Stage stage) throws IOException {
        OwnRedis redis = stage.redis("--save", "");
        List<NodeProcess> nodes = begin(stage, redis);
        RedisCall.call(redis.url(), "SAVE");
        Path dump = redis.folder().resolve("dump.rdb");
        Path snapshot = Files.copy(dump, redis.folder().resolve("snapshot.rdb"), StandardCopyOption.REPLACE_EXISTING);
        submitWaiting(stage, PREFIX + "later-");
        nodes.forEach(node -> node.awaitLines(Journal.Kind.COMPLETED, 100, BOUND));
        ShardDigests before = ShardDigests.of(stage, PREFIX);
        // Claims wait for the journal if it has not compared for so long, as the snapshot has it.
        Stage.pass(Duration.ofMillis(2 * Flow.COMPARED_MILLIS));

        long lostFrom = stage.writtenUpTo();
        redis.kill();
        Files.copy(snapshot, dump, StandardCopyOption.REPLACE_EXISTING);
        redis.restart();
        stage.redisLost(LostWrites.since(lostFrom));

        end(stage, before);
    }

    private static List<NodeProcess> begin(Stage stage, OwnRedis redis) {
        stage.journal(
                "delayjob.journal.mode=always", "delayjob.journal.restore-automatically=true", "delayjob.shards=3");
        submitWaiting(stage, PREFIX);
        List<NodeProcess> nodes = List.of(
                stage.launch(redis.url(), "node.orders=" + ORDERS), stage.launch(redis.url(), "node.orders=" + ORDERS));
        nodes.forEach(node -> node.awaitLines(Journal.Kind.COMPLETED, 30, BOUND));
        return nodes;
    }

    /** Returns when the journal knows that Redis has them. */
    private static void submitWaiting(Stage stage, String prefix) {
        stage.load(Load.Mix.USUAL).submitAll(prefix, WAITING, Duration.ofHours(1));
        await().atMost(BOUND)
                .until(() -> Integer.valueOf(0)
                        .equals(stage.jdbc()
                                .queryForObject(
                                        "SELECT COUNT(*) FROM delayjob_job WHERE id LIKE ? AND relay_at IS NOT NULL",
                                        Integer.class,
                                        prefix + "%")));
    }

    private static Account end(Stage stage, ShardDigests before) {
        await().atMost(BOUND)
                .ignoreExceptions()
                .until(() -> stage.admin().counts("default").delayed() >= before.jobs()
                        && ShardDigests.of(stage, PREFIX).jobs() == before.jobs());
        assertThat(ShardDigests.of(stage, PREFIX)).isEqualTo(before);
        assertThat(before.byShard()).hasSize(3).doesNotContainValue(ShardDigests.NONE);
        System.out.println("Redis before it was lost and after it was restored: " + before);
        stage.bringForward(PREFIX, BOUND);
        Account account = stage.settle(BOUND);
        assertThat(account.lostByRedis()).isZero();
        assertThat(stage.bean(DelayJobJournal.class).diff(JournalScope.ALL).isEmpty())
                .isTrue();
        return account;
    }
}
