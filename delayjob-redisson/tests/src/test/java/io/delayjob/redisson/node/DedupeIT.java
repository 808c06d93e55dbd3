package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.Dedupe;
import io.delayjob.DelayJobRequest;
import io.delayjob.SubmitResult;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** At most one job of a key. */
@RealRedis
class DedupeIT {

    private final String url = RedisServer.shared().url();
    private final String queue = TestSettings.queue();

    @Tag("proof")
    @Test
    void storesOneOfManyThatAreSubmittedAtOnceOnTwoNodes() throws Exception {
        NoteJob job = new NoteJob();
        ExecutorService submitters = Executors.newFixedThreadPool(16);
        try (TestNode first = TestNode.start(url, queue, TestNode.patient(TestSettings.shards(3)), job);
                TestNode second = TestNode.start(url, queue, TestNode.patient(TestSettings.shards(3)), job)) {
            // So that none has ended before the last is submitted.
            first.admin().pause(queue);
            for (int round = 0; round < 20; round++) {
                Dedupe key = Dedupe.untilFinished("order-" + round);
                CountDownLatch go = new CountDownLatch(1);
                List<Future<SubmitResult>> answers = IntStream.range(0, 16)
                        .mapToObj(i -> submitters.submit(() -> {
                            go.await();
                            return (i % 2 == 0 ? first : second)
                                    .producer()
                                    .submit(request(key), Duration.ofMillis(100));
                        }))
                        .toList();
                go.countDown();
                List<SubmitResult> results = new ArrayList<>();
                for (Future<SubmitResult> answer : answers) {
                    results.add(answer.get());
                }
                assertThat(results)
                        .filteredOn(result -> result.outcome() == Outcome.STORED)
                        .hasSize(1);
                assertThat(results)
                        .filteredOn(result -> result.outcome() == Outcome.KEPT)
                        .hasSize(15);
                assertThat(results)
                        .extracting(SubmitResult::id)
                        .containsOnly(results.get(0).id());
            }
            first.admin().resume(queue);
            await().atMost(TestSettings.SOON)
                    .until(() -> job.seen().size() >= 20
                            && first.admin().counts(queue).delayed() == 0);
            assertThat(job.seen()).hasSize(20);
        } finally {
            submitters.shutdownNow();
        }
    }

    @Test
    void takesTheKeyAgainWhenTheJobHasBegunOrEnded() {
        CountDownLatch go = new CountDownLatch(1);
        NoteJob job = new NoteJob(execution -> go.await());
        try (TestNode node = TestNode.start(url, queue, job)) {
            Dedupe untilStarted = Dedupe.untilStarted("started");
            Dedupe untilFinished = Dedupe.untilFinished("finished");
            node.producer().submit(request(untilStarted), Duration.ZERO);
            node.producer().submit(request(untilFinished), Duration.ZERO);
            await().until(() -> job.seen().size() == 2);
            assertThat(outcome(node, untilStarted)).isEqualTo(Outcome.STORED);
            assertThat(outcome(node, untilFinished)).isEqualTo(Outcome.KEPT);
            go.countDown();
            await().until(() -> outcome(node, untilFinished) == Outcome.STORED);
        }
    }

    @Test
    void replacesOrPostponesTheFirst() {
        NoteJob job = new NoteJob();
        try (TestNode node = TestNode.start(url, queue, job)) {
            String first = node.producer()
                    .submitDelayJob(request(Dedupe.untilStarted("r").replacing()), Duration.ofMinutes(5));
            SubmitResult second = node.producer()
                    .submit(
                            DelayJobRequest.of(NoteJob.class, new Note("second", 2))
                                    .withDedupe(Dedupe.untilStarted("r").replacing()),
                            Duration.ofMillis(100));
            assertThat(second.outcome()).isEqualTo(Outcome.REPLACED);
            assertThat(node.admin().find(queue, first)).isEmpty();
            String waits = node.producer().submitDelayJob(request(Dedupe.untilStarted("p")), Duration.ofMinutes(5));
            SubmitResult postponed =
                    node.producer().submit(request(Dedupe.untilStarted("p").postponing()), Duration.ofMillis(200));
            assertThat(postponed).isEqualTo(new SubmitResult(queue, waits, Outcome.POSTPONED));
            await().until(() -> job.seen().size() == 2);
            assertThat(job.ids()).containsExactlyInAnyOrder(second.id(), waits);
            assertThat(job.seen()).extracting(seen -> seen.param().text()).contains("second");
        }
    }

    @Test
    void keepsAKeyForItsWindowAlsoAfterTheJobHasEnded() {
        NoteJob job = new NoteJob();
        try (TestNode node = TestNode.start(url, queue, job)) {
            Dedupe window = Dedupe.within("w", Duration.ofHours(1));
            String id = node.producer().submitDelayJob(request(window), Duration.ZERO);
            await().until(() -> node.admin().find(queue, id).isEmpty());
            assertThat(node.producer().submit(request(window), Duration.ZERO))
                    .isEqualTo(new SubmitResult(queue, id, Outcome.KEPT));
            Dedupe shorter = Dedupe.within("s", Duration.ofSeconds(2));
            node.producer().submitDelayJob(request(shorter), Duration.ZERO);
            await().atMost(TestSettings.SOON).until(() -> outcome(node, shorter) == Outcome.STORED);
            await().until(() -> job.seen().size() == 2);
            assertThat(node.admin().counts(queue).delayed()).isOne();
        }
    }

    private static Outcome outcome(TestNode node, Dedupe dedupe) {
        return node.producer().submit(request(dedupe), Duration.ofMinutes(5)).outcome();
    }

    private static DelayJobRequest<Note> request(Dedupe dedupe) {
        return DelayJobRequest.of(NoteJob.class, new Note("n", 1)).withDedupe(dedupe);
    }
}
