package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobRequest;
import io.delayjob.Limits;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The concurrency of a queue with four shards, where the jobs of one key are all in one of them. */
@RealRedis
class LimitSharesIT {

    private static final int SHARDS = 4;
    private static final int CONCURRENCY = 8;

    private final String queue = TestSettings.queue();
    private final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger atOnce = new AtomicInteger();
    private final CountDownLatch end = new CountDownLatch(1);

    private void run(String key) throws InterruptedException {
        running.computeIfAbsent(key, name -> new AtomicInteger()).incrementAndGet();
        most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
        try {
            end.await();
        } finally {
            atOnce.decrementAndGet();
        }
    }

    private int running(String key) {
        return running.getOrDefault(key, new AtomicInteger()).get();
    }

    private static void submit(TestNode node, String key, int jobs) {
        node.producer()
                .submitDelayJobs(
                        IntStream.range(0, jobs)
                                .mapToObj(n -> DelayJobRequest.of(NoteJob.class, new Note(key, n))
                                        .withKey(key))
                                .toList(),
                        Duration.ZERO);
    }

    private TestNode start(NoteJob job) {
        return TestNode.start(RedisServer.shared().url(), queue, TestNode.patient(TestSettings.shards(SHARDS)), job);
    }

    @Test
    void refusesFewerJobsAtOnceThanShardsAndKeepsTheLimitsThatAreSet() {
        try (TestNode node = start(new NoteJob())) {
            Limits set = Limits.NONE.withConcurrency(CONCURRENCY);
            node.admin().setLimits(queue, set);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> node.admin().setLimits(queue, Limits.NONE.withConcurrency(SHARDS - 1)))
                    .withMessage("concurrency must be at least the number of shards, 4, because each has a share of it:"
                            + " 3; raise it, or use fewer shards");
            assertThat(node.admin().limits(queue).set()).isEqualTo(set);
            node.admin().setLimits(queue, Limits.NONE.withConcurrency(SHARDS));
        }
    }

    @Test
    void whatOtherShardsDoNotUseGoesWhereJobsWait() {
        NoteJob job = new NoteJob(execution -> run(execution.param().text()));
        List<TestNode> fleet = IntStream.range(0, 2).mapToObj(n -> start(job)).toList();
        try {
            TestNode first = fleet.get(0);
            first.admin().setLimits(queue, Limits.NONE.withConcurrency(CONCURRENCY));
            submit(first, "greedy", 20);
            await().atMost(TestSettings.SOON)
                    .until(() -> running("greedy"), atThatTime -> atThatTime == CONCURRENCY - (SHARDS - 1));
            // Each other shard has kept a permit for a job that comes.
            List<String> others =
                    IntStream.range(0, 20).mapToObj(n -> "other" + n).toList();
            others.forEach(key -> submit(first, key, 1));
            await().atMost(TestSettings.SOON).until(() -> atOnce.get() == CONCURRENCY);
            end.countDown();
            await().atMost(TestSettings.SOON)
                    .until(() -> running("greedy") == 20 && others.stream().allMatch(key -> running(key) == 1));
            assertThat(most).hasValue(CONCURRENCY);
        } finally {
            end.countDown();
            fleet.forEach(TestNode::close);
        }
    }
}
