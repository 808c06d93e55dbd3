package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.delayjob.ActionResult;
import io.delayjob.Backoff;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.NonRetryableException;
import io.delayjob.QueueCounts;
import io.delayjob.RateLimitedException;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.LoggerFactory;

/** One node, end to end. */
@RealRedis
@Execution(ExecutionMode.CONCURRENT)
class DelayJobEngineIT {

    private final String url = RedisServer.shared().url();
    private final String queue = TestSettings.queue();

    @Test
    void runsAJobAtItsTimeAndNotBefore() {
        NoteJob job = new NoteJob();
        try (TestNode node = TestNode.start(url, queue, job)) {
            Instant before = Instant.now();
            String id =
                    node.producer().submitDelayJob(NoteJob.class, new Note("hello", 7), 6000, TimeUnit.MILLISECONDS);
            assertThat(node.admin().find(queue, id).map(JobSnapshot::state)).contains(JobState.DELAYED);
            await().atMost(TestSettings.SOON).until(() -> job.seen().size() == 1);
            NoteJob.Seen seen = job.seen().get(0);
            assertThat(seen.param()).isEqualTo(new Note("hello", 7));
            assertThat(seen.attempt()).isEqualTo(1);
            assertThat(seen.dueAt()).isAfterOrEqualTo(before.plusMillis(5999));
            assertThat(seen.latenessMillis()).isGreaterThanOrEqualTo(0);
            await().until(() -> node.admin().find(queue, id).isEmpty());
            assertThat(node.admin().counts(queue)).isEqualTo(new QueueCounts(0, 0, 0, 0, 0, false));
        }
    }

    @Test
    void runsJobsInDueOrderOnOneWorker() {
        NoteJob job = new NoteJob();
        try (TestNode node = TestNode.start(url, queue, TestNode.patient(TestSettings.concurrency(1)), job)) {
            List<DelayJobRequest<Note>> requests =
                    IntStream.range(0, 5).mapToObj(i -> request("job-" + i)).toList();
            // In one call, so that their due times are as far apart as their delays.
            List<String> expected = new ArrayList<>(node.producer()
                    .submitDelayJobs(requests, request -> Duration.ofMillis(900 - 100L * requests.indexOf(request))));
            Collections.reverse(expected);
            await().atMost(TestSettings.SOON).until(() -> job.seen().size() == 5);
            assertThat(job.ids()).isEqualTo(expected);
            assertThat(job.seen()).allMatch(seen -> seen.latenessMillis() >= 0);
        }
    }

    @Test
    void retriesUntilAnAttemptSucceeds() {
        NoteJob job = new NoteJob(execution -> {
            if (execution.attempt() < 3) {
                throw new IllegalStateException("not yet");
            }
        });
        try (TestNode node = TestNode.start(url, queue, job)) {
            submit(node, "flaky", Duration.ZERO);
            await().atMost(TestSettings.SOON).until(() -> job.seen().size() == 3);
            assertThat(job.seen()).extracting(NoteJob.Seen::attempt).containsExactly(1, 2, 3);
            await().until(() -> node.admin().find(queue, "flaky").isEmpty());
        }
    }

    @Test
    void buriesAJobWhoseAttemptsAreUsedUpAndRunsItAfterARedrive() {
        AtomicBoolean broken = new AtomicBoolean(true);
        NoteJob job = new NoteJob(execution -> {
            if (broken.get()) {
                throw new IllegalStateException("broken for now");
            }
        });
        try (TestNode node = TestNode.start(url, queue, job)) {
            submit(node, "doomed", Duration.ZERO);
            JobSnapshot dead = awaitState(node, "doomed", JobState.DEAD);
            assertThat(dead.attempt()).isEqualTo(3);
            assertThat(dead.lastError()).contains("attempt 3 of 3 failed", "broken for now", "NoteJob");
            broken.set(false);
            assertThat(node.admin().redrive(queue, "doomed")).isEqualTo(ActionResult.done(JobState.DEAD));
            await().atMost(TestSettings.SOON)
                    .until(() -> node.admin().find(queue, "doomed").isEmpty());
            assertThat(job.seen().get(3).attempt()).isEqualTo(1);
        }
    }

    @Test
    void buriesAtOnceWhatIsNotWorthARetry() {
        NoteJob job = new NoteJob(execution -> {
            throw new NonRetryableException("card is stolen");
        });
        try (TestNode node = TestNode.start(url, queue, job)) {
            submit(node, "stolen", Duration.ZERO);
            assertThat(awaitState(node, "stolen", JobState.DEAD).lastError()).contains("card is stolen");
            assertThat(job.seen()).hasSize(1);
        }
    }

    @Test
    void interruptsAnAttemptAfterItsTimeoutAndRetriesIt() {
        NoteJob job = new NoteJob(execution -> {
            if (execution.attempt() == 1) {
                Thread.sleep(30_000);
            }
        });
        try (TestNode node = TestNode.start(url, queue, job)) {
            node.producer().submitDelayJob(request("slow").withTimeout(Duration.ofMillis(200)), Duration.ZERO);
            await().atMost(TestSettings.SOON).until(() -> job.seen().size() == 2);
            await().until(() -> node.admin().find(queue, "slow").isEmpty());
        }
    }

    @Test
    void aJobThatIsToldToSlowDownSpendsNoAttemptAlsoAfterItsTimeout() {
        AtomicBoolean isFirst = new AtomicBoolean(true);
        NoteJob job = new NoteJob(execution -> {
            try {
                Thread.sleep(isFirst.getAndSet(false) ? 30_000 : 0);
            } catch (InterruptedException e) {
                throw new RateLimitedException(Duration.ofMillis(1), e);
            }
        });
        try (TestNode node = TestNode.start(url, queue, job)) {
            node.producer().submitDelayJob(request("told").withTimeout(Duration.ofMillis(200)), Duration.ZERO);
            await().atMost(TestSettings.SOON).until(() -> job.seen().size() == 2);
            assertThat(job.seen()).extracting(NoteJob.Seen::attempt).containsExactly(1, 1);
        }
    }

    @Test
    void keepsTheLeaseOfALongRunningJob() {
        Duration lease = Duration.ofSeconds(8);
        NoteJob job = new NoteJob(execution -> Thread.sleep(lease.plusSeconds(2).toMillis()));
        try (TestNode node = TestNode.start(url, queue, TestNode.leasing(TestSettings.defaults(), lease), job)) {
            submit(node, "long", Duration.ZERO);
            await().atMost(TestSettings.SOON)
                    .until(() -> !job.seen().isEmpty()
                            && node.admin().find(queue, "long").isEmpty());
            assertThat(job.seen()).hasSize(1);
        }
    }

    @Test
    void passesHeadersIdQueueAndTimesToTheBean() {
        AtomicReference<String> seen = new AtomicReference<>();
        NoteJob job = new NoteJob(execution -> seen.set(execution.id() + "/" + execution.queue() + "/"
                + execution.headers() + "/" + !execution.submittedAt().isAfter(execution.dueAt())));
        try (TestNode node = TestNode.start(url, queue, job)) {
            node.producer().submitDelayJob(request("h").withHeaders(Map.of("trace", "abc")), Duration.ofMillis(10));
            await().atMost(TestSettings.SOON).until(() -> seen.get() != null);
            assertThat(seen.get()).isEqualTo("h/" + queue + "/{trace=abc}/true");
        }
    }

    @Test
    void cancelsAndReschedulesAJobThatWaits() {
        NoteJob job = new NoteJob();
        try (TestNode node = TestNode.start(url, queue, job)) {
            submit(node, "never", Duration.ofMinutes(5));
            submit(node, "soon", Duration.ofMinutes(5));
            assertThat(node.admin().cancel(queue, "never")).isEqualTo(ActionResult.done(JobState.DELAYED));
            assertThat(node.admin().cancel(queue, "never")).isEqualTo(ActionResult.NO_SUCH_JOB);
            assertThat(node.admin().reschedule(queue, "soon", Duration.ofMillis(50)))
                    .isEqualTo(ActionResult.done(JobState.DELAYED));
            await().atMost(TestSettings.SOON).until(() -> job.ids().equals(List.of("soon")));
            assertThat(node.admin().find(queue, "never")).isEmpty();
        }
    }

    @Test
    void pausesAndResumesAQueue() {
        NoteJob job = new NoteJob();
        try (TestNode node = TestNode.start(url, queue, job)) {
            node.admin().pause(queue);
            submit(node, "held", Duration.ZERO);
            await().pollDelay(Duration.ofMillis(1500)).until(() -> job.seen().isEmpty());
            assertThat(node.admin().counts(queue)).isEqualTo(new QueueCounts(0, 1, 0, 0, 0, true));
            node.admin().resume(queue);
            await().atMost(TestSettings.SOON).until(() -> job.ids().equals(List.of("held")));
        }
    }

    @Test
    void addsNothingForAnIdThatExists() {
        NoteJob job = new NoteJob();
        try (TestNode node = TestNode.start(url, queue, job)) {
            submit(node, "once", Duration.ofHours(1));
            submit(node, "once", Duration.ZERO);
            assertThat(node.admin().runNow(queue, "once")).isEqualTo(ActionResult.done(JobState.DELAYED));
            await().atMost(TestSettings.SOON)
                    .until(() -> node.admin().find(queue, "once").isEmpty());
            assertThat(job.seen())
                    .singleElement()
                    .satisfies(seen -> assertThat(seen.param().text()).isEqualTo("once"));
        }
    }

    @Test
    void givesBackAtShutdownWhatDidNotEndWithoutSpendingAnAttempt() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        NoteJob endless = new NoteJob(execution -> {
            started.countDown();
            Thread.sleep(60_000);
        });
        NoteJob quick = new NoteJob();
        TestNode first = TestNode.start(url, queue, endless);
        submit(first, "moved", Duration.ZERO);
        assertThat(started.await(TestSettings.SOON.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        first.engine.stop();
        // The stop may be over before the job that it interrupted has ended, and is given back.
        await().until(() ->
                first.admin().find(queue, "moved").map(JobSnapshot::attempt).equals(Optional.of(0)));
        first.close();
        try (TestNode second = TestNode.start(url, queue, quick)) {
            await().atMost(TestSettings.SOON).until(() -> quick.seen().size() == 1);
            assertThat(quick.seen().get(0).attempt()).isEqualTo(1);
            await().until(() -> second.admin().find(queue, "moved").isEmpty());
        }
    }

    @Test
    void canBeStartedAgainAfterAStop() {
        NoteJob job = new NoteJob();
        try (TestNode node = TestNode.start(url, queue, job)) {
            submit(node, "one", Duration.ZERO);
            submit(node, "two", Duration.ofMillis(50));
            await().atMost(TestSettings.SOON).until(() -> job.seen().size() == 2);
            node.engine.stop();
            node.engine.stop();
            submit(node, "later", Duration.ZERO);
            node.engine.start();
            node.engine.start();
            await().atMost(TestSettings.SOON).until(() -> job.ids().size() == 3);
            assertThat(job.ids().get(2)).isEqualTo("later");
        }
    }

    @Test
    void honoursTheBackoffAndLeaseOfTheRequest() {
        NoteJob job = new NoteJob(execution -> {
            if (execution.attempt() == 1) {
                throw new IllegalStateException("again");
            }
        });
        try (TestNode node = TestNode.start(url, queue, job)) {
            node.producer()
                    .submitDelayJob(
                            request("patient")
                                    .withBackoff(Backoff.fixed(Duration.ofMillis(700)))
                                    .withLease(Duration.ofSeconds(9)),
                            Duration.ZERO);
            await().atMost(TestSettings.SOON).until(() -> job.seen().size() == 2);
            assertThat(job.seen().get(1).dueAt())
                    .isAfterOrEqualTo(job.seen().get(0).dueAt().plusMillis(700));
        }
    }

    @Test
    void doesNotBlameTheDoorbellForWhatBecameDueBeforeItStarted() {
        ListAppender<ILoggingEvent> warnings = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger("io.delayjob.engine.internal.consuming.DoorbellWatch");
        logger.addAppender(warnings);
        warnings.start();
        NoteJob job = new NoteJob();
        try (TestNode submits = new TestNode(
                url, queue, TestSettings.defaults(), Extensions.NONE, TestSettings.registered(new NoteJob()))) {
            submit(submits, "overdue", Duration.ZERO);
            await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
            try (TestNode node = TestNode.start(url, queue, job)) {
                await().until(() -> job.ids().equals(List.of("overdue")));
                await().until(() -> node.admin().find(queue, "overdue").isEmpty());
            }
        } finally {
            logger.detachAppender(warnings);
        }
        assertThat(warnings.list)
                .noneMatch(warning -> warning.getFormattedMessage().contains(queue));
    }

    private JobSnapshot awaitState(TestNode node, String id, JobState state) {
        await().atMost(TestSettings.SOON)
                .until(() ->
                        node.admin().find(queue, id).map(JobSnapshot::state).equals(Optional.of(state)));
        return node.admin().find(queue, id).orElseThrow();
    }

    private static DelayJobRequest<Note> request(String id) {
        return DelayJobRequest.of(NoteJob.class, new Note(id, 1)).withId(id);
    }

    private static String submit(TestNode node, String id, Duration delay) {
        return node.producer().submitDelayJob(request(id), delay);
    }
}
