package io.delayjob.reliability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobJournal;
import io.delayjob.DelayJobRequest;
import io.delayjob.JournalScope;
import io.delayjob.QueueCounts;
import io.delayjob.embedded.RedisCall;
import io.delayjob.reliability.harness.Account;
import io.delayjob.reliability.harness.Faults;
import io.delayjob.reliability.harness.KeyAccount;
import io.delayjob.reliability.harness.Load;
import io.delayjob.reliability.harness.LostWrites;
import io.delayjob.reliability.harness.NodeProcess;
import io.delayjob.reliability.harness.Stage;
import io.delayjob.reliability.node.Journal;
import io.delayjob.reliability.node.Work;
import io.delayjob.reliability.node.WorkJob;
import io.delayjob.testing.OwnRedis;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Jobs of 200 keys run one at a time for each key, in a strict order, while a node is killed and Redis is emptied: 10,000 jobs, or as many as the
 * system property {@code reliability.keyed} says.
 */
@Tag("proof")
@Faults
class KeysIT {

    private static final int JOBS = Integer.getInteger("reliability.keyed", 10_000);
    private static final int KEYS = 200;
    private static final Duration BOUND = Duration.ofMinutes(3).plusMillis(20L * JOBS);

    @Test
    void oneAtATimeInOrderForEachKeyWhileANodeDiesAndRedisIsEmptied(Stage stage) throws IOException {
        OwnRedis redis = stage.redis();
        stage.journal(
                "delayjob.journal.mode=always",
                "delayjob.journal.restore-automatically=true",
                "delayjob.queues.default.limits.per-key.concurrency=1",
                "delayjob.queues.default.limits.per-key.order=STRICT");
        List<NodeProcess> nodes = stage.nodes(2, redis.url());
        stage.admin().pause("default");
        submit(stage);
        await().atMost(BOUND).until(() -> stored(stage) == JOBS);
        stage.admin().resume("default");

        nodes.get(0).awaitLines(Journal.Kind.COMPLETED, JOBS / 8, BOUND);
        stage.kill(nodes.get(0));
        stage.launch(redis.url());
        nodes.get(1).awaitLines(Journal.Kind.COMPLETED, JOBS / 3, BOUND);
        long lostFrom = stage.writtenUpTo();
        RedisCall.call(redis.url(), "FLUSHALL");
        stage.redisLost(LostWrites.since(lostFrom));

        Account account = stage.settle(BOUND);
        assertThat(account.lostByRedis()).isZero();
        KeyAccount keys = stage.keyAccount();
        System.out.println("Keys: " + keys);
        assertThat(keys.keys()).isEqualTo(KEYS);
        assertThat(keys.atOnce()).isEmpty();
        assertThat(keys.outOfOrder()).isEmpty();
        assertThat(stage.bean(DelayJobJournal.class).diff(JournalScope.ALL).isEmpty())
                .isTrue();
    }

    private static long stored(Stage stage) {
        QueueCounts counts = stage.admin().counts("default");
        return counts.delayed() + counts.ready();
    }

    /** Short ones, a twentieth of which fails once. Those of a key are due one after the other. */
    private static void submit(Stage stage) {
        Instant start = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        List<DelayJobRequest<Work>> requests = new ArrayList<>();
        Map<String, Instant> dueAt = new HashMap<>();
        for (int n = 0; n < JOBS; n++) {
            String key = "customer-" + n % KEYS;
            String id = key + "." + n / KEYS;
            Work work = new Work(stage.random().nextInt(5), stage.random().nextInt(20) == 0 ? 1 : 0);
            requests.add(DelayJobRequest.of(WorkJob.class, work).withId(id).withKey(key));
            dueAt.put(id, start.plusMillis(n / KEYS));
        }
        stage.load(Load.Mix.USUAL).submitAllAt(requests, dueAt);
    }
}
