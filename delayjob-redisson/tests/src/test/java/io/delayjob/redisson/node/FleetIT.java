package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobRequest;
import io.delayjob.QueueCounts;
import io.delayjob.embedded.RedisCall;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.redisson.api.RedissonClient;

/** Several nodes on one queue, and what becomes of jobs when something between them breaks. */
@RealRedis
@Execution(ExecutionMode.CONCURRENT)
class FleetIT {

    private final String url = RedisServer.shared().url();
    private final String queue = TestSettings.queue();

    /** With the lease of jobs whose node dies: it does not end before the node is dead. */
    private final QueueSettings mortal = TestNode.leasing(TestSettings.defaults(), Duration.ofSeconds(6));

    @Test
    void runsTheJobOfAKilledNodeOnAnotherWithinTheLease() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        NoteJob endless = new NoteJob(execution -> {
            started.countDown();
            Thread.sleep(60_000);
        });
        NoteJob quick = new NoteJob();
        TestNode doomed = TestNode.start(url, queue, mortal, endless);
        submit(doomed, "orphan", Duration.ZERO);
        assertThat(started.await(TestSettings.SOON.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        try (TestNode heir = TestNode.start(url, queue, quick)) {
            doomed.kill();
            // Within the lease; the rest is for a machine that is busy with something else.
            await().atMost(TestSettings.SOON).until(() -> quick.ids().equals(List.of("orphan")));
            assertThat(quick.seen().get(0).attempt()).isEqualTo(2);
            assertThat(heir.admin().counts(queue).dead()).isZero();
        }
    }

    @Tag("proof")
    @Test
    void letsOtherNodesHaveWhatANodeClaimedAheadOfAWorkerThatGotSlow() throws Exception {
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        NoteJob job = new NoteJob(execution -> {
            if (execution.param().text().equals("long")) {
                stuck.countDown();
                go.await();
            }
        });
        NoteJob others = new NoteJob();
        try (TestNode node = TestNode.start(url, queue, TestNode.patient(TestSettings.concurrency(1)), job)) {
            submitAll(node, "short", 500);
            await().atMost(TestSettings.SOON).until(() -> job.seen().size() == 500);
            node.admin().pause(queue);
            submit(node, "first", "long");
            submitAll(node, "behind", 20);
            node.admin().resume(queue);
            assertThat(stuck.await(TestSettings.SOON.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            await().atMost(TestSettings.SOON)
                    .until(() -> node.admin().counts(queue).reserved() == 1);
            try (TestNode other = TestNode.start(url, queue, others)) {
                await().atMost(TestSettings.SOON).until(() -> others.seen().size() == 20);
                assertThat(others.seen()).allMatch(seen -> seen.attempt() == 1);
                go.countDown();
                await().atMost(TestSettings.SOON)
                        .until(() -> other.admin().counts(queue).equals(new QueueCounts(0, 0, 0, 0, 0, false)));
            }
            assertThat(job.seen()).hasSize(501);
        }
    }

    /** Due before what others are that are submitted within the same millisecond. */
    private static void submit(TestNode node, String id, String text) {
        node.producer()
                .submitDelayJob(
                        DelayJobRequest.of(NoteJob.class, new Note(text, 0)).withId(id),
                        Instant.now().minusSeconds(1));
    }

    private static void submitAll(TestNode node, String text, int count) {
        node.producer()
                .submitDelayJobs(
                        IntStream.range(0, count)
                                .mapToObj(i -> DelayJobRequest.of(NoteJob.class, new Note(text, i)))
                                .toList(),
                        Duration.ZERO);
    }

    @Test
    void buriesAJobWhoseNodeDiesInEveryAttempt() {
        try (TestNode survivor = new TestNode(
                url, queue, TestSettings.defaults(), Extensions.NONE, TestSettings.registered(new NoteJob()))) {
            submit(survivor, "killer", Duration.ZERO);
            for (int attempt = 1; attempt <= 3; attempt++) {
                CountDownLatch started = new CountDownLatch(1);
                TestNode doomed = TestNode.start(url, queue, mortal, new NoteJob(execution -> {
                    started.countDown();
                    Thread.sleep(60_000);
                }));
                await().atMost(TestSettings.SOON).until(() -> started.getCount() == 0);
                doomed.kill();
            }
            survivor.engine.start();
            await().atMost(TestSettings.SOON)
                    .until(() -> survivor.admin().counts(queue).dead() == 1);
            assertThat(survivor.admin().find(queue, "killer").orElseThrow().lastError())
                    .contains("attempt 3 of 3 never ended");
        }
    }

    @Test
    void runsJobsOnOneOfManyNodesOnly() {
        NoteJob job = new NoteJob();
        List<TestNode> fleet = fleet(job);
        try {
            for (int i = 0; i < 200; i++) {
                submit(fleet.get(i % 3), "job-" + i, Duration.ofMillis(10L * i));
            }
            await().atMost(TestSettings.SOON).until(() -> job.seen().size() >= 200);
            await().until(() -> fleet.get(0).admin().counts(queue).equals(new QueueCounts(0, 0, 0, 0, 0, false)));
            assertThat(job.seen()).hasSize(200).allMatch(seen -> seen.latenessMillis() >= 0);
        } finally {
            fleet.forEach(TestNode::close);
        }
    }

    @Tag("proof")
    @Test
    void runsEachJobSoonWhenEveryRingIsLost() {
        NoteJob job = new NoteJob();
        try (TestNode node = TestNode.start(url, queue, job);
                Thief thief = new Thief(node.redisson, queue)) {
            for (int i = 0; i < 20; i++) {
                submit(node, "job-" + i, Duration.ofMillis(500 + 150 * i));
            }
            await().atMost(TestSettings.SOON).until(() -> job.seen().size() == 20);
            assertThat(thief.stolen()).isPositive();
            assertThat(job.seen()).allMatch(seen -> seen.latenessMillis() >= 0);
            assertThat(job.medianLatenessMillis()).isLessThan(WELL_BEFORE_A_TURN.toMillis());
        }
    }

    @Test
    void theNodeThatIsLeftOfALargeFleetFindsJobsSoonThoughEveryRingIsLost() {
        theNodeThatIsLeftFindsAJobSoonWhenTheOthers(TestNode::close);
    }

    @Tag("proof")
    @Test
    void theNodeThatIsLeftOfALargeFleetThatWasKilledFindsJobsSoonThoughEveryRingIsLost() {
        theNodeThatIsLeftFindsAJobSoonWhenTheOthers(TestNode::kill);
    }

    private void theNodeThatIsLeftFindsAJobSoonWhenTheOthers(Consumer<TestNode> end) {
        NoteJob job = new NoteJob();
        List<TestNode> fleet = largeFleet(job);
        TestNode left = fleet.get(LARGE - 1);
        try {
            fleet.subList(0, LARGE - 1).parallelStream().forEach(end);
            findsAJobSoonWithoutADoorbell(left, job);
        } finally {
            fleet.forEach(TestNode::close);
        }
    }

    /** Due so late that submitting it rings for nobody. */
    private void findsAJobSoonWithoutADoorbell(TestNode left, NoteJob job) {
        Thief thief = new Thief(left.redisson, queue);
        try {
            submit(left, "job", Duration.ofMillis(2500));
            await().atMost(WELL_BEFORE_A_TURN).until(() -> job.seen().size() == 1);
        } finally {
            thief.close();
        }
    }

    private static final int LARGE = 20;

    /** In a fleet of that size a node would feed every 20 s and look every 30 s, without a bound. */
    private static final Duration WELL_BEFORE_A_TURN = Duration.ofSeconds(12);

    private List<TestNode> largeFleet(NoteJob job) {
        List<TestNode> fleet = Stream.generate(() -> TestNode.startSmall(url, queue, job))
                .limit(LARGE)
                .toList();
        await().atMost(TestSettings.SOON)
                .until(() -> fleet.get(0).admin().nodes(queue).size() == LARGE);
        return fleet;
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
            await().atMost(TestSettings.SOON).until(() -> job.seen().size() == 1);
            assertThat(RedisCall.call(url, "CLIENT", "KILL", "TYPE", "pubsub")).isNotEqualTo("0");
            submit(node, "second", Duration.ofMillis(1200));
            await().atMost(TestSettings.SOON).until(() -> job.seen().size() == 2);
            assertThat(job.seen().get(1).latenessMillis()).isBetween(0L, 30_000L);
        }
    }

    private List<TestNode> fleet(NoteJob job) {
        return Stream.generate(() -> TestNode.start(url, queue, job)).limit(3).toList();
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
