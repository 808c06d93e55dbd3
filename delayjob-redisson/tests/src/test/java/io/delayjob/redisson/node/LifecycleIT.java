package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.delayjob.AckMode;
import io.delayjob.DelayJobListenerRegistry;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobState;
import io.delayjob.JobSubmissionException;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.extension.WorkerThreads;
import io.delayjob.engine.handler.HandlerRegistry;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.engine.settings.ConsumeSettings;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.engine.settings.NodeQueues;
import io.delayjob.engine.settings.SubmitSettings;
import io.delayjob.redisson.internal.redis.RedisBackend;
import io.delayjob.testing.OwnRedis;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;
import tools.jackson.databind.json.JsonMapper;

/** Nodes, and queues of nodes, that start and stop, in order and out of order. */
@RealRedis
class LifecycleIT {

    private final String url = RedisServer.shared().url();
    private final String queue = TestSettings.queue();

    @Test
    void startsAndStopsTheQueueOfAListener() {
        AtomicInteger ran = new AtomicInteger();
        try (TestNode node = TestNode.start(
                url,
                queue,
                TestNode.patient(),
                Extensions.NONE,
                TestSettings.listener("topic", AckMode.ON_SUCCESS, (execution, ack) -> ran.incrementAndGet()))) {
            DelayJobListenerRegistry listeners = node.engine.listeners();
            assertThat(listeners.ids()).containsExactly("topic");
            assertThat(listeners.isRunning("topic")).isTrue();
            listeners.stop("topic");
            assertThat(listeners.isRunning("topic")).isFalse();
            await().until(() -> node.admin().nodes(queue).isEmpty());
            node.producer().submitDelayJob("topic", new Note("n", 1), Duration.ZERO);
            listeners.start("topic");
            await().until(() -> ran.get() == 1);
        }
    }

    @Test
    void doesNotLetAJobStopItsOwnQueue() {
        CompletableFuture<TestNode> self = new CompletableFuture<>();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        try (TestNode node = TestNode.start(
                url,
                queue,
                TestNode.patient(),
                Extensions.NONE,
                TestSettings.listener("topic", AckMode.ON_SUCCESS, (execution, ack) -> {
                    try {
                        self.join().engine.listeners().stop("topic");
                    } catch (IllegalStateException e) {
                        thrown.set(e);
                    }
                }))) {
            self.complete(node);
            node.producer().submitDelayJob("topic", new Note("n", 1), Duration.ofMillis(100));
            await().until(() -> thrown.get() != null);
            assertThat(thrown.get()).hasMessageContaining("cannot stop the queue, because the stop waits for the job");
            assertThat(node.engine.listeners().isRunning("topic")).isTrue();
        }
    }

    @Test
    void startsNoQueueOnANodeThatRunsNone() {
        try (TestNode node = new TestNode(
                url,
                queue,
                TestNode.patient(),
                Extensions.NONE,
                TestSettings.listener("topic", AckMode.ON_SUCCESS, (execution, ack) -> {}))) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> node.engine.listeners().start("topic"))
                    .withMessageStartingWith("this node does not run jobs");
        }
    }

    @Tag("proof")
    @Test
    void doesNotRunAJobTwiceThatIgnoresTheInterruptOfAStoppedQueue() {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        Duration lease = Duration.ofSeconds(8);
        try (TestNode node = TestNode.start(
                url,
                queue,
                TestNode.leasing(TestSettings.defaults(), lease),
                Extensions.NONE,
                TestSettings.listener("topic", AckMode.ON_SUCCESS, (execution, ack) -> {
                    begun.incrementAndGet();
                    awaitDeaf(go);
                }))) {
            String id = node.producer().submitDelayJob("topic", new Note("n", 1), Duration.ZERO);
            await().until(() -> begun.get() == 1);
            node.engine.listeners().stop("topic");
            node.engine.listeners().start("topic");
            await().pollDelay(lease.plusSeconds(1)).until(() -> true);
            assertThat(begun).hasValue(1);
            assertThat(node.admin().find(queue, id).orElseThrow().state()).isEqualTo(JobState.RESERVED);
            go.countDown();
            await().until(() -> node.admin().find(queue, id).isEmpty());
            assertThat(begun).hasValue(1);
        }
    }

    /** Else nobody would watch for the next job, which would be late without a ring. */
    @Test
    void leavesTheFleetWhenItStopsToClaimThoughItsJobsStillRun() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        NoteJob waits = new NoteJob(execution -> {
            begun.countDown();
            end.await();
        });
        try (TestNode stopping =
                TestNode.start(url, queue, TestNode.PATIENT, Extensions.NONE, TestSettings.registered(waits))) {
            submit(stopping, "long");
            begun.await();
            try (TestNode stays = TestNode.start(url, queue, new NoteJob())) {
                await().until(() -> stays.admin().nodes(queue).size() == 2);
                CompletableFuture<Void> stop = CompletableFuture.runAsync(stopping.engine::stop);
                await().atMost(TestSettings.SOON)
                        .until(() -> stays.engine.vitals(queue).orElseThrow().held() == 1
                                && stays.admin().nodes(queue).size() == 1);
                assertThat(stop).isNotDone();
                assertThat(stays.admin().find(queue, "long").orElseThrow().state())
                        .isEqualTo(JobState.RESERVED);
                end.countDown();
                stop.join();
            }
        } finally {
            end.countDown();
        }
    }

    @Test
    void leavesTheFleetAlsoWhenTheStopIsInterrupted() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        NoteJob job = new NoteJob(execution -> awaitDeaf(go));
        try (TestNode node = TestNode.start(url, queue, job)) {
            submit(node, "deaf");
            await().until(() -> job.seen().size() == 1);
            await().until(() -> !node.admin().nodes(queue).isEmpty());
            Thread stops = new Thread(node.engine::stop);
            stops.start();
            await().pollDelay(Duration.ofMillis(200)).until(() -> true);
            stops.interrupt();
            stops.join(TestSettings.SOON.toMillis());
            assertThat(stops.isAlive()).isFalse();
            await().until(() -> node.admin().nodes(queue).isEmpty());
            go.countDown();
            await().until(() -> node.admin().find(queue, "deaf").isEmpty());
            await().until(() -> threads().stream().noneMatch(name -> name.startsWith("delayjob-" + queue + ":")));
        }
    }

    @Test
    void givesBackAJobForWhichNoThreadCanBeHad() {
        NoteJob job = new NoteJob();
        AtomicBoolean broken = new AtomicBoolean(true);
        RedissonClient redisson = TestNode.client(url);
        WorkerThreads threads = (name, concurrency) -> work -> {
            if (broken.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            new Thread(work).start();
        };
        try (DelayJobEngine engine = engine(redisson, job, threads)) {
            engine.start();
            engine.producer()
                    .submitDelayJob(
                            DelayJobRequest.of(NoteJob.class, new Note("n", 1)).withId("unlucky"), Duration.ZERO);
            await().pollDelay(Duration.ofMillis(500)).until(() -> true);
            broken.set(false);
            await().until(() -> job.seen().size() == 1);
            assertThat(job.seen().get(0).attempt()).isEqualTo(1);
        } finally {
            redisson.shutdown();
        }
    }

    private DelayJobEngine engine(RedissonClient redisson, NoteJob job, WorkerThreads threads) {
        return new DelayJobEngine(
                new EngineSettings(
                        "node-" + queue,
                        new NodeQueues(queue, TestNode.patient(TestSettings.concurrency(1)), Map.of()),
                        new SubmitSettings(1024, Duration.ofSeconds(5), false),
                        new ConsumeSettings(true, Duration.ofSeconds(2), Duration.ofSeconds(3))),
                new RedisBackend(redisson, "delayjob", Runnable::run),
                new HandlerRegistry(() -> List.of(TestSettings.registered(job))),
                new ParamCodec(JsonMapper.builder().build(), 1024),
                threads,
                Extensions.NONE);
    }

    @Test
    void answersEverySubmitWhenItEnds() throws Exception {
        try (OwnRedis redis = OwnRedis.start();
                TestNode node = new TestNode(
                        redis.url(),
                        queue,
                        TestSettings.defaults(),
                        Extensions.NONE,
                        TestSettings.registered(new NoteJob()))) {
            redis.kill();
            CompletableFuture<String> submit = node.producer()
                    .submitDelayJobAsync(DelayJobRequest.of(NoteJob.class, new Note("n", 1)), Duration.ZERO);
            await().pollDelay(Duration.ofMillis(300)).until(() -> true);
            node.engine.close();
            await().atMost(TestSettings.SOON).until(submit::isDone);
            assertThat(submit).isCompletedExceptionally();
            assertThatExceptionOfType(JobSubmissionException.class).isThrownBy(() -> submit(node, "after the end"));
        }
    }

    private static void submit(TestNode node, String id) {
        node.producer()
                .submitDelayJob(
                        DelayJobRequest.of(NoteJob.class, new Note(id, 1)).withId(id), Duration.ZERO);
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
    }

    private static void awaitDeaf(CountDownLatch go) {
        while (go.getCount() > 0) {
            LockSupport.parkNanos(1_000_000);
        }
    }
}
