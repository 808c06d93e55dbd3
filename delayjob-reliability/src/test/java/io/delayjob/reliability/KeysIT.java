package io.delayjob.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobJournal;
import io.delayjob.DelayJobRequest;
import io.delayjob.JournalScope;
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
import java.util.List;
import java.util.stream.IntStream;
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
        stage.load(Load.Mix.USUAL).submitAll(jobs(stage), Duration.ofSeconds(1));

        nodes.get(0).awaitLines(Journal.Kind.COMPLETED, JOBS / 8, BOUND);
        stage.kill(nodes.get(0));
        NodeProcess heir = stage.node(redis.url());
        heir.awaitLines(Journal.Kind.COMPLETED, JOBS / 16, BOUND);
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

    /** Short ones, a twentieth of which fails once. */
    private static List<DelayJobRequest<Work>> jobs(Stage stage) {
        return IntStream.range(0, JOBS)
                .mapToObj(n -> {
                    String key = "customer-" + n % KEYS;
                    Work work =
                            new Work(stage.random().nextInt(5), stage.random().nextInt(20) == 0 ? 1 : 0);
                    return DelayJobRequest.of(WorkJob.class, work)
                            .withId(key + "." + n / KEYS)
                            .withKey(key);
                })
                .toList();
    }
}
