package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.AckMode;
import io.delayjob.DelayJobRequest;
import io.delayjob.Explanation;
import io.delayjob.QueueCounts;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.handler.Handler;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes with different beans and listeners on one queue. Nodes give a job up that no node could run for 2 s. */
@RealRedis
class MixedFleetIT {

    private static final QueueCounts NONE = new QueueCounts(0, 0, 0, 0, 0, false);

    private final String url = RedisServer.shared().url();
    private final String queue = TestSettings.queue();

    @Tag("proof")
    @Test
    void runsEachJobOnTheOneNodeThatHasItsHandlerInItsFirstAttempt() {
        NoteJob job = new NoteJob();
        List<TestNode> fleet =
                new ArrayList<>(Stream.generate(this::without).limit(3).toList());
        fleet.add(TestNode.start(url, queue, job));
        try {
            submit(fleet.get(0), 300, 20);
            await().atMost(TestSettings.SOON).until(() -> job.seen().size() + dead(fleet.get(0)) >= 300);
            await().atMost(TestSettings.SOON)
                    .until(() -> fleet.get(0).admin().counts(queue).equals(NONE));
            assertThat(job.seen()).hasSize(300).allMatch(seen -> seen.attempt() == 1 && seen.latenessMillis() >= 0);
        } finally {
            fleet.forEach(TestNode::close);
        }
    }

    @Tag("proof")
    @Test
    void runsTheJobsOfABusyNodeWhenItHasTimeHoweverOftenOthersMeetThem() {
        NoteJob job = new NoteJob(execution -> Thread.sleep(25));
        List<TestNode> fleet =
                new ArrayList<>(Stream.generate(this::without).limit(2).toList());
        fleet.add(TestNode.start(url, queue, TestNode.patient(TestSettings.concurrency(1)), job));
        try {
            // About 7 s of work, which is more than what a job without a handler is given.
            submit(fleet.get(0), 250, 0);
            await().atMost(TestSettings.SOON).until(() -> job.seen().size() + dead(fleet.get(0)) >= 250);
            await().atMost(TestSettings.SOON)
                    .until(() -> fleet.get(0).admin().counts(queue).equals(NONE));
            assertThat(job.seen()).hasSize(250).allMatch(seen -> seen.attempt() == 1);
        } finally {
            fleet.forEach(TestNode::close);
        }
    }

    @Test
    void runsAJobThatNobodyCouldRunAtOnceOnANodeThatComesWithItsHandler() {
        NoteJob job = new NoteJob();
        // The first does not give the job up before the second comes.
        try (TestNode without = TestNode.start(url, queue, TestNode.PATIENT, Extensions.NONE, another());
                TestNode able =
                        new TestNode(url, queue, TestNode.patient(), Extensions.NONE, TestSettings.registered(job))) {
            without.producer().submitDelayJob(request("waits"), Duration.ZERO);
            await().atMost(TestSettings.SOON)
                    .until(() -> without.admin().counts(queue).delayed() == 1);
            able.engine.start();
            await().atMost(TestSettings.SOON).until(() -> job.ids().equals(List.of("waits")));
            assertThat(able.admin().counts(queue).dead()).isZero();
        }
    }

    @Test
    void saysForWhichNodeAJobWaits() {
        CountDownLatch go = new CountDownLatch(1);
        NoteJob job = new NoteJob(execution -> go.await());
        try (TestNode without = without();
                TestNode able = TestNode.start(url, queue, TestNode.patient(TestSettings.concurrency(1)), job)) {
            await().until(() -> without.admin().nodes(queue).size() == 2);
            submit(without, 2, 0);
            await().atMost(TestSettings.SOON).until(() -> job.seen().size() == 1);
            String waiting = job.ids().contains("job-0") ? "job-1" : "job-0";
            await().atMost(TestSettings.SOON).untilAsserted(() -> {
                Explanation explanation = without.admin().explain(queue, waiting);
                assertThat(explanation.reason()).isEqualTo(Explanation.Reason.WORKERS_BUSY);
                assertThat(explanation.text())
                        .contains(
                                "it waits for a node with its handler, which is " + able.name(),
                                "all workers are busy: 1 on " + able.name());
            });
            go.countDown();
            await().atMost(TestSettings.SOON).until(() -> job.seen().size() == 2);
        }
    }

    /** A node that has another listener alone. */
    private TestNode without() {
        return TestNode.start(url, queue, TestNode.patient(), Extensions.NONE, another());
    }

    private static Handler another() {
        return TestSettings.listener("another", AckMode.ON_SUCCESS, (execution, acknowledgment) -> {});
    }

    private long dead(TestNode node) {
        return node.admin().counts(queue).dead();
    }

    private void submit(TestNode producer, int count, long spacingMillis) {
        IntStream.range(0, count)
                .forEach(i -> producer.producer()
                        .submitDelayJob(request("job-" + i), Duration.ofMillis(500 + i * spacingMillis)));
    }

    private DelayJobRequest<Note> request(String id) {
        return DelayJobRequest.toTopic(NoteJob.class.getName(), new Note(id, 1))
                .withId(id)
                .withQueue(queue);
    }
}
