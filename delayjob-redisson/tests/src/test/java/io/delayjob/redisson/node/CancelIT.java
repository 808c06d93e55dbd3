package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.ActionResult;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobEvent;
import io.delayjob.JobState;
import io.delayjob.NonRetryableException;
import io.delayjob.QueueCounts;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Jobs that are called off or moved while nodes claim, run and complete them. */
@RealRedis
class CancelIT {

    private static final QueueCounts NOTHING = new QueueCounts(0, 0, 0, 0, 0, false);

    private final String url = RedisServer.shared().url();
    private final String queue = TestSettings.queue();
    private final EventLog log = new EventLog();

    @Test
    void interruptsAJobThatRunsOnAnotherNode() {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        NoteJob job = new NoteJob(execution -> {
            begun.countDown();
            try {
                Thread.sleep(TestSettings.SOON.multipliedBy(2).toMillis());
            } catch (InterruptedException e) {
                interrupted.set(true);
                throw e;
            }
        });
        // The first renewal, which would find the lease gone, comes after twenty minutes.
        QueueSettings patient = TestNode.leasing(TestSettings.defaults(), Duration.ofHours(1));
        try (TestNode runs = start(patient, job);
                TestNode cancels = new TestNode(
                        url,
                        queue,
                        TestSettings.defaults(),
                        log.extensions(),
                        TestSettings.registered(new NoteJob()))) {
            runs.awaitListening();
            submit(runs, "long", Duration.ZERO);
            await().until(() -> begun.getCount() == 0);
            assertThat(cancels.admin().cancel(queue, "long")).isEqualTo(ActionResult.done(JobState.RESERVED));
            await().untilTrue(interrupted);
            await().until(() -> log.stepsOf("long").contains("Lost"));
            assertThat(log.of(JobEvent.Lost.class)).allMatch(JobEvent.Lost::cancelled);
            assertThat(log.await(JobEvent.Cancelled.class, 1))
                    .containsExactly(new JobEvent.Cancelled(queue, "long", true));
            assertThat(runs.admin().counts(queue)).isEqualTo(NOTHING);
            assertThat(cancels.admin().cancel(queue, "long")).isEqualTo(ActionResult.NO_SUCH_JOB);
            assertThat(job.seen()).hasSize(1);
        }
    }

    @Test
    void doesNotRunACancelledJobAgainThatIgnoresTheInterrupt() {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean go = new AtomicBoolean();
        NoteJob job = new NoteJob(execution -> {
            begun.countDown();
            while (!go.get()) {
                LockSupport.parkNanos(1_000_000);
            }
        });
        try (TestNode node = start(TestNode.patient(), job)) {
            submit(node, "deaf", Duration.ZERO);
            await().until(() -> begun.getCount() == 0);
            assertThat(node.admin().cancel(queue, "deaf").done()).isTrue();
            go.set(true);
            await().until(() -> log.stepsOf("deaf").contains("Lost"));
            assertThat(log.stepsOf("deaf")).doesNotContain("Completed");
            assertThat(node.admin().counts(queue)).isEqualTo(NOTHING);
        }
    }

    @Test
    void letsTheIdBeUsedAgainAtOnceWithoutHarmToTheNewJob() {
        NoteJob job = new NoteJob(execution -> Thread.sleep(execution.param().number()));
        try (TestNode node = start(TestNode.patient(), job)) {
            for (int i = 0; i < 20; i++) {
                submit(node, new Note("again", 30_000), "same", Duration.ZERO);
                int begun = i + 1;
                await().until(() -> job.seen().size() == begun);
                assertThat(node.admin().cancel(queue, "same").done()).isTrue();
            }
            submit(node, new Note("again", 100), "same", Duration.ZERO);
            await().until(() -> log.of(JobEvent.Completed.class).size() == 1);
        }
    }

    @Test
    void eitherCancelsOrCompletesAJobAndSaysWhich() {
        NoteJob job = new NoteJob(execution -> {});
        try (TestNode first = start(TestNode.patient(), job);
                TestNode second = start(TestNode.patient(), job)) {
            List<String> ids = submitMany(first, 400, Duration.ofMillis(300));
            AtomicInteger cancelled = new AtomicInteger();
            Set<String> cancelledWaiting = ConcurrentHashMap.newKeySet();
            atRandomTimes(ids, 350, id -> {
                ActionResult result = second.admin().cancel(queue, id);
                if (result.done()) {
                    cancelled.incrementAndGet();
                    if (result.previous() != JobState.RESERVED) {
                        cancelledWaiting.add(id);
                    }
                }
            });
            await().until(() -> first.admin().counts(queue).equals(NOTHING));
            await().until(() -> log.of(JobEvent.Completed.class).size() + cancelled.get() == ids.size());
            assertThat(job.ids()).doesNotContainAnyElementsOf(cancelledWaiting).doesNotHaveDuplicates();
        }
    }

    @Test
    void eitherMovesOrClaimsAJobAndRunsItOnce() {
        NoteJob job = new NoteJob();
        try (TestNode first = start(TestNode.patient(), job);
                TestNode second = start(TestNode.patient(), job)) {
            List<String> ids = new ArrayList<>();
            Set<String> moved = ConcurrentHashMap.newKeySet();
            // Where the machine stands still, all may have run before one is moved: then again.
            await().until(() -> {
                List<String> some = submitMany(first, 300, Duration.ofSeconds(2));
                ids.addAll(some);
                atRandomTimes(some, 2000, id -> {
                    if (second.admin()
                            .reschedule(queue, id, Duration.ofSeconds(1))
                            .done()) {
                        moved.add(id);
                    }
                });
                return !moved.isEmpty();
            });
            await().until(() -> first.admin().counts(queue).equals(NOTHING));
            assertThat(job.ids()).containsExactlyInAnyOrderElementsOf(ids);
        }
    }

    @Test
    void redrivesADeadJobOnceForTwoCallersAtOnce() {
        NoteJob job = new NoteJob(execution -> {
            throw new NonRetryableException("no use");
        });
        try (TestNode first = start(TestNode.patient(), job);
                TestNode second = start(TestNode.patient(), job)) {
            first.admin().pause(queue);
            for (int round = 0; round < 20; round++) {
                String id = "dead-" + round;
                submit(first, id, Duration.ZERO);
                first.admin().resume(queue);
                await().until(() -> first.admin().find(queue, id).orElseThrow().state() == JobState.DEAD);
                first.admin().pause(queue);
                List<ActionResult> results = IntStream.range(0, 4)
                        .parallel()
                        .mapToObj(i -> (i % 2 == 0 ? first : second).admin().redrive(queue, id))
                        .toList();
                assertThat(results).filteredOn(ActionResult::done).hasSize(1);
                assertThat(results)
                        .filteredOn(result -> !result.done())
                        .allMatch(result -> result.equals(ActionResult.refused(JobState.READY)));
            }
        }
    }

    private TestNode start(QueueSettings settings, NoteJob job) {
        return TestNode.start(url, queue, settings, log.extensions(), TestSettings.registered(job));
    }

    private List<String> submitMany(TestNode node, int count, Duration within) {
        List<DelayJobRequest<Note>> requests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            requests.add(DelayJobRequest.of(NoteJob.class, new Note("n", i)));
        }
        return node.producer()
                .submitDelayJobs(
                        requests,
                        request -> Duration.ofMillis(ThreadLocalRandom.current().nextLong(within.toMillis())));
    }

    private static void submit(TestNode node, String id, Duration delay) {
        submit(node, new Note(id, 0), id, delay);
    }

    private static void submit(TestNode node, Note param, String id, Duration delay) {
        node.producer().submitDelayJob(DelayJobRequest.of(NoteJob.class, param).withId(id), delay);
    }

    /** Does something to each job, at a time of its own. */
    private static void atRandomTimes(List<String> ids, int withinMillis, Consumer<String> action) {
        ScheduledExecutorService clock = Executors.newScheduledThreadPool(16);
        try {
            List<? extends Future<?>> done = ids.stream()
                    .map(id -> clock.schedule(
                            () -> action.accept(id),
                            ThreadLocalRandom.current().nextInt(withinMillis),
                            TimeUnit.MILLISECONDS))
                    .toList();
            await().until(() -> done.stream().allMatch(Future::isDone));
            assertThat(done).noneMatch(CancelIT::failed);
        } finally {
            clock.shutdownNow();
        }
    }

    private static boolean failed(Future<?> future) {
        try {
            future.get();
            return false;
        } catch (ExecutionException | InterruptedException e) {
            return true;
        }
    }
}
