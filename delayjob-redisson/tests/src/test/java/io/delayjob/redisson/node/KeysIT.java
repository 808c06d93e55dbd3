package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.Backoff;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;
import io.delayjob.Limits;
import io.delayjob.QueueCounts;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys and limits with several nodes. */
@RealRedis
class KeysIT {

    private static final QueueCounts NONE = new QueueCounts(0, 0, 0, 0, 0, false);
    private static final int KEYS = 12;
    private static final int JOBS_OF_A_KEY = 25;

    private final String url = RedisServer.shared().url();
    private final String queue = TestSettings.queue();

    /** Records which jobs of each key began, and whether two of them ran at once. */
    private static final class Keys {

        private final Map<String, List<String>> begun = new ConcurrentHashMap<>();
        private final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
        private final Set<String> overlaps = ConcurrentHashMap.newKeySet();
        private final Random random = new Random(7);

        void run(JobExecution<Note> execution) throws Exception {
            String key = keyOf(execution.id());
            AtomicInteger its = running.computeIfAbsent(key, name -> new AtomicInteger());
            if (its.incrementAndGet() > 1) {
                overlaps.add(execution.id());
            }
            try {
                begun.computeIfAbsent(key, name -> new ArrayList<>()).add(execution.id());
                Thread.sleep(2);
                if (execution.attempt() == 1 && fails()) {
                    throw new IllegalStateException("not now");
                }
            } finally {
                its.decrementAndGet();
            }
        }

        private synchronized boolean fails() {
            return random.nextInt(10) == 0;
        }

        static String keyOf(String id) {
            return id.substring(0, id.indexOf('-'));
        }

        int count() {
            return begun.values().stream().mapToInt(List::size).sum();
        }
    }

    private void submit(TestNode node) {
        List<DelayJobRequest<Note>> requests = IntStream.range(0, JOBS_OF_A_KEY)
                .boxed()
                .flatMap(number -> IntStream.range(0, KEYS)
                        .mapToObj(key -> DelayJobRequest.of(NoteJob.class, new Note("n", number))
                                .withBackoff(Backoff.fixed(Duration.ofMillis(30)))
                                .withKey("k" + key)
                                .withId("k%d-%03d".formatted(key, number))))
                .toList();
        node.producer().submitDelayJobs(requests, Duration.ZERO);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStrictKeyRunsItsJobsOneAfterTheOtherInTheirOrderThoughANodeDies(boolean dies) {
        Keys keys = new Keys();
        NoteJob job = new NoteJob(keys::run);
        List<TestNode> fleet = new ArrayList<>(IntStream.range(0, 3)
                .mapToObj(n -> TestNode.start(url, queue, TestSettings.defaults(), job))
                .toList());
        try {
            TestNode first = fleet.get(0);
            first.admin().setLimits(queue, Limits.NONE.withPerKey(Limits.NONE.withOrder(Limits.Order.STRICT)));
            submit(first);
            await().atMost(TestSettings.SOON).until(() -> keys.count() > KEYS * JOBS_OF_A_KEY / 3);
            if (dies) {
                fleet.remove(2).kill();
            }
            await().atMost(TestSettings.SOON)
                    .until(() -> first.admin().counts(queue).equals(NONE));
            assertThat(keys.overlaps).isEmpty();
            Map<String, List<String>> inOrder = new HashMap<>();
            keys.begun.forEach(
                    (key, ids) -> inOrder.put(key, ids.stream().distinct().toList()));
            assertThat(inOrder).hasSize(KEYS).allSatisfy((key, ids) -> {
                assertThat(ids).hasSize(JOBS_OF_A_KEY).isSorted();
                // One that runs again does so before the next one begins.
                assertThat(keys.begun.get(key)).isSorted();
            });
            assertThat(first.admin().limits(queue).keyedJobs()).isZero();
        } finally {
            fleet.forEach(TestNode::close);
        }
    }

    /** Makes a change that a node hears of. By itself, one looks for jobs a second or two later. */
    private void awaitRung(Runnable change, TestNode... nodes) {
        String doorbell = "delayjob:{" + queue + ":0}:ready";
        await("all earlier rings are heard")
                .atMost(TestSettings.SOON)
                .until(() -> nodes[0].redisson.getList(doorbell).isEmpty());
        long before = heard(nodes);
        change.run();
        await().atMost(TestSettings.SOON).until(() -> heard(nodes) > before);
    }

    private static long heard(TestNode... nodes) {
        return Stream.of(nodes).mapToLong(TestNode::rings).sum();
    }

    @Test
    void limitsOfAQueueCountTheJobsOfAllNodesAndChangeAtOnce() {
        AtomicInteger running = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        NoteJob job = new NoteJob(execution -> {
            running.incrementAndGet();
            go.await();
        });
        try (TestNode one = TestNode.start(url, queue, job);
                TestNode other = TestNode.start(url, queue, job)) {
            one.admin().setLimits(queue, Limits.NONE.withConcurrency(3));
            IntStream.range(0, 10)
                    .forEach(n -> other.producer()
                            .submitDelayJob(DelayJobRequest.of(NoteJob.class, new Note("n", n)), Duration.ZERO));
            await().atMost(TestSettings.SOON).until(() -> running.get() == 3);
            assertThat(other.admin().counts(queue)).isEqualTo(new QueueCounts(0, 7, 3, 0, 0, false));
            awaitRung(() -> other.admin().setLimits(queue, Limits.NONE.withConcurrency(5)), one, other);
            await().atMost(TestSettings.SOON).until(() -> running.get() == 5);
            assertThat(one.admin().counts(queue).ready()).isEqualTo(5);
            awaitRung(() -> one.admin().clearLimits(queue), one, other);
            await().atMost(TestSettings.SOON).until(() -> running.get() == 10);
            go.countDown();
            await().atMost(TestSettings.SOON)
                    .until(() -> one.admin().counts(queue).equals(NONE));
        }
    }
}
