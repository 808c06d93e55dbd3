package io.delayjob.redisson.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobRequest;
import io.delayjob.QueueCounts;
import io.delayjob.embedded.RedisCall;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.redisson.api.RedissonClient;

/** Several nodes on one queue, and what becomes of jobs when something between them breaks. */
@RealRedis
class FleetIT {

    private final String url = RedisServer.shared().url();
    private final String queue = TestNode.queue();

    @ParameterizedTest
    @CsvSource({"1, 1", "3, 1", "2, 3"})
    void runsAHundredThousandJobsOfOneSecondExactlyOnceAndNoneEarly(int nodes, int shards) {
        int count = 100_000;
        NoteJob job = new NoteJob();
        List<TestNode> fleet = fleet(nodes, TestNode.shards(shards), job);
        try {
            TestNode first = fleet.get(0);
            List<DelayJobRequest<Note>> requests = IntStream.range(0, count)
                    .mapToObj(i -> DelayJobRequest.of(NoteJob.class, new Note("burst", i)))
                    .toList();
            long begin = System.currentTimeMillis();
            List<String> ids = first.producer()
                    .submitDelayJobs(requests, request -> Duration.ofMillis(4000 + number(request) % 1000));
            assertThat(new HashSet<>(ids)).hasSize(count);
            await().atMost(Duration.ofMinutes(1)).until(() -> job.seen().size() >= count);
            assertThat(job.seen()).allMatch(seen -> seen.latenessMillis() >= 0);
            assertThat(job.seen()).allMatch(seen -> seen.dueAt().toEpochMilli() >= begin + 4000);
            assertThat(job.seen()).hasSize(count);
            assertThat(new HashSet<>(job.ids())).isEqualTo(new HashSet<>(ids));
            await().until(() -> first.admin().counts(queue).equals(new QueueCounts(0, 0, 0, 0, 0, false)));
        } finally {
            fleet.forEach(TestNode::close);
        }
    }

    private static int number(DelayJobRequest<?> request) {
        return ((Note) request.param()).number();
    }

    @Test
    void runsTheJobOfAKilledNodeOnAnotherWithinTheLease() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        NoteJob endless = new NoteJob(execution -> {
            started.countDown();
            Thread.sleep(60_000);
        });
        NoteJob quick = new NoteJob();
        TestNode doomed = TestNode.start(url, queue, endless);
        submit(doomed, "orphan", Duration.ZERO);
        assertThat(started.await(5, TimeUnit.SECONDS)).isTrue();
        try (TestNode heir = TestNode.start(url, queue, quick)) {
            doomed.kill();
            await().atMost(TestNode.LEASE.plusSeconds(2))
                    .until(() -> quick.ids().equals(List.of("orphan")));
            assertThat(quick.seen().get(0).attempt()).isEqualTo(2);
            assertThat(heir.admin().counts(queue).dead()).isZero();
        }
    }

    @Test
    void buriesAJobWhoseNodeDiesInEveryAttempt() {
        try (TestNode survivor =
                new TestNode(url, queue, TestNode.defaults(), Extensions.NONE, TestNode.registered(new NoteJob()))) {
            submit(survivor, "killer", Duration.ZERO);
            for (int attempt = 1; attempt <= 3; attempt++) {
                CountDownLatch started = new CountDownLatch(1);
                TestNode doomed = TestNode.start(url, queue, new NoteJob(execution -> {
                    started.countDown();
                    Thread.sleep(60_000);
                }));
                await().atMost(Duration.ofSeconds(5)).until(() -> started.getCount() == 0);
                doomed.kill();
            }
            survivor.engine.start();
            await().atMost(Duration.ofSeconds(5))
                    .until(() -> survivor.admin().counts(queue).dead() == 1);
            assertThat(survivor.admin().find(queue, "killer").orElseThrow().lastError())
                    .contains("3 attempts in a row never ended");
        }
    }

    @Test
    void runsJobsOnOneOfManyNodesOnly() {
        NoteJob job = new NoteJob();
        List<TestNode> fleet = fleet(3, TestNode.defaults(), job);
        try {
            for (int i = 0; i < 200; i++) {
                submit(fleet.get(i % 3), "job-" + i, Duration.ofMillis(10L * i));
            }
            await().atMost(Duration.ofSeconds(10)).until(() -> job.seen().size() >= 200);
            await().until(() -> fleet.get(0).admin().counts(queue).equals(new QueueCounts(0, 0, 0, 0, 0, false)));
            assertThat(job.seen()).hasSize(200).allMatch(seen -> seen.latenessMillis() >= 0);
        } finally {
            fleet.forEach(TestNode::close);
        }
    }

    @Test
    void runsJobsAboutASecondLateAtMostWhenEveryRingIsLost() {
        NoteJob job = new NoteJob();
        try (TestNode node = TestNode.start(url, queue, job);
                Thief thief = new Thief(node.redisson, queue)) {
            for (int i = 0; i < 20; i++) {
                submit(node, "job-" + i, Duration.ofMillis(500 + 150 * i));
            }
            await().atMost(Duration.ofSeconds(10)).until(() -> job.seen().size() == 20);
            assertThat(thief.stolen()).isPositive();
            assertThat(job.seen()).allMatch(seen -> seen.latenessMillis() >= 0 && seen.latenessMillis() < 2000);
        }
    }

    /** Deletes all that the doorbell consists of, over and over. */
    private static final class Thief implements AutoCloseable {

        private volatile boolean stopped;
        private final AtomicLong stolen = new AtomicLong();

        Thief(RedissonClient redisson, String queue) {
            String ready = "delayjob:{" + queue + ":0}:ready";
            Thread thread = new Thread(() -> {
                while (!stopped) {
                    stolen.addAndGet(redisson.getKeys()
                            .delete(ready, "redisson_delay_queue:" + ready, "redisson_delay_queue_timeout:" + ready));
                }
            });
            thread.start();
        }

        long stolen() {
            return stolen.get();
        }

        @Override
        public void close() {
            stopped = true;
        }
    }

    @Test
    void runsJobsThoughTheSubscriberOfTheDelayedQueueIsKilled() throws Exception {
        NoteJob job = new NoteJob();
        try (TestNode node = TestNode.start(url, queue, job)) {
            submit(node, "first", Duration.ofMillis(1200));
            await().atMost(Duration.ofSeconds(5)).until(() -> job.seen().size() == 1);
            assertThat(RedisCall.call(url, "CLIENT", "KILL", "TYPE", "pubsub")).isNotEqualTo("0");
            submit(node, "second", Duration.ofMillis(1200));
            await().atMost(Duration.ofSeconds(5)).until(() -> job.seen().size() == 2);
            assertThat(job.seen().get(1).latenessMillis()).isBetween(0L, 2000L);
        }
    }

    @Test
    void runsNearJobsAsBeforeWhileAMillionFarOnesWait() {
        NoteJob job = new NoteJob();
        try (TestNode node = TestNode.start(url, queue, job)) {
            for (int chunk = 0; chunk < 10; chunk++) {
                List<Note> far = IntStream.range(0, 100_000)
                        .mapToObj(i -> new Note("far", i))
                        .toList();
                node.producer().submitDelayJobs(NoteJob.class, far, 30, TimeUnit.DAYS);
            }
            assertThat(node.admin().counts(queue).delayed()).isEqualTo(1_000_000);
            for (int i = 0; i < 20; i++) {
                submit(node, "near-" + i, Duration.ofMillis(300 + 20 * i));
            }
            await().atMost(Duration.ofSeconds(5)).until(() -> job.seen().size() == 20);
            assertThat(job.seen()).allMatch(seen -> seen.latenessMillis() >= 0 && seen.latenessMillis() < 2000);
        } finally {
            deleteQueue();
        }
    }

    private void deleteQueue() {
        RedissonClient redisson = TestNode.client(url);
        redisson.getKeys().unlinkByPattern("delayjob:{" + queue + ":*");
        redisson.shutdown();
    }

    private List<TestNode> fleet(int nodes, QueueSettings settings, NoteJob job) {
        List<TestNode> fleet = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            fleet.add(TestNode.start(url, queue, settings, job));
        }
        return fleet;
    }

    private void submit(TestNode node, String id, Duration delay) {
        node.producer()
                .submitDelayJob(
                        DelayJobRequest.of(NoteJob.class, new Note(id, 1))
                                .withId(id)
                                .withQueue(queue),
                        delay);
    }
}
