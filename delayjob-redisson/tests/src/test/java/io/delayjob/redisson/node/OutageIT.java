package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobRequest;
import io.delayjob.JobSubmissionException;
import io.delayjob.JobSubmissionException.Outcome;
import io.delayjob.QueueCounts;
import io.delayjob.embedded.RedisCall;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.testing.OwnRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Redis goes away, refuses, or is slow: callers are told what is known, and nodes go on by themselves when it is back. */
@Execution(ExecutionMode.CONCURRENT)
class OutageIT {

    private final OwnRedis redis = OwnRedis.start("--appendonly", "yes", "--appendfsync", "always");
    private final String queue = TestSettings.queue();

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void submitSaysThatNothingIsStoredWhenRedisIsDown() {
        try (TestNode node = TestNode.start(redis.url(), queue, new NoteJob())) {
            redis.kill();
            // A call under way when a server dies may have run: repeat until every connection has noticed the death.
            JobSubmissionException failure = await().atMost(TestSettings.SOON)
                    .until(() -> failure(node, "lost"), known -> known.outcome() == Outcome.NOT_STORED);
            assertThat(failure.jobIds()).containsExactly("lost");
            assertThat(failure.queue()).isEqualTo(queue);
            assertThat(failure).hasMessageContainingAll("'lost'", queue, "is not stored", "cannot be reached");
        }
    }

    @Test
    void submitSaysThatTheOutcomeIsUnknownWhenRedisDoesNotAnswerAndARepeatWithTheIdIsSafe() {
        NoteJob job = new NoteJob();
        try (TestNode node = TestNode.start(redis.url(), queue, job)) {
            redis.pause();
            JobSubmissionException failure = failure(node, "perhaps");
            redis.resume();
            assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
            assertThat(failure).hasMessageContainingAll("'perhaps'", "may or may not be stored", "same id");
            submit(node, "perhaps", Duration.ofSeconds(1));
            await().atMost(TestSettings.SOON)
                    .until(() -> !job.seen().isEmpty()
                            && node.admin().find(queue, "perhaps").isEmpty());
        }
    }

    @Tag("proof")
    @Test
    void aSubmitOfUnknownOutcomeThatIsRepeatedAfterItsJobHasRunRunsItOnce() {
        NoteJob job = new NoteJob();
        try (TestNode node = TestNode.start(redis.url(), queue, job)) {
            // So that Redis knows the script: of a call that it does not know, it would execute nothing later.
            submit(node, "before", Duration.ZERO);
            await().atMost(TestSettings.SOON).until(() -> job.ids().contains("before"));
            redis.pause();
            assertThat(failure(node, "once").outcome()).isEqualTo(Outcome.UNKNOWN);
            redis.resume();
            // Redis now executes the call that waited in its socket.
            await().atMost(TestSettings.SOON)
                    .until(() -> job.ids().contains("once")
                            && node.admin().find(queue, "once").isEmpty());
            submit(node, "once", Duration.ofSeconds(1));
            submit(node, "after", Duration.ofMillis(1500));
            await().atMost(TestSettings.SOON).until(() -> job.ids().contains("after"));
            assertThat(job.ids()).containsExactly("before", "once", "after");
        }
    }

    @Test
    void jobsInRedisRunAndEndThoughItsMemoryIsFullAndSubmitsSayWhyTheyAreRefused() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        Duration lease = Duration.ofSeconds(8);
        NoteJob job = new NoteJob(execution -> {
            if (execution.id().equals("long")) {
                started.countDown();
                Thread.sleep(lease.plusSeconds(2).toMillis());
            } else if (execution.attempt() == 1) {
                throw new IllegalStateException("again");
            }
        });
        try (TestNode node =
                TestNode.start(redis.url(), queue, TestNode.leasing(TestSettings.defaults(), lease), job)) {
            submit(node, "flaky", Duration.ofMillis(1500));
            submit(node, "long", Duration.ZERO);
            assertThat(started.await(TestSettings.SOON.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            RedisCall.call(redis.url(), "CONFIG", "SET", "maxmemory", "1");
            JobSubmissionException failure = failure(node, "too-much");
            assertThat(failure.outcome()).isEqualTo(Outcome.NOT_STORED);
            assertThat(failure).hasMessageContaining("OOM");
            await().atMost(TestSettings.SOON)
                    .until(() -> node.admin().counts(queue).equals(new QueueCounts(0, 0, 0, 0, 0, false)));
            assertThat(job.ids()).containsExactlyInAnyOrder("flaky", "flaky", "long");
            RedisCall.call(redis.url(), "CONFIG", "SET", "maxmemory", "0");
            submit(node, "after", Duration.ZERO);
            await().atMost(TestSettings.SOON).until(() -> job.ids().contains("after"));
        }
    }

    @Tag("proof")
    @Test
    void submitWaitsForAReadOnlyRedisAndThenSaysThatNothingIsStored() throws Exception {
        NoteJob job = new NoteJob();
        try (TestNode node = TestNode.start(redis.url(), queue, job)) {
            RedisCall.call(redis.url(), "REPLICAOF", "127.0.0.1", "1");
            // UNKNOWN is right for a submit whose last try Redis has not answered in time: then another one is made.
            JobSubmissionException failure = await().atMost(TestSettings.SOON)
                    .until(() -> failure(node, "not-here"), known -> known.outcome() == Outcome.NOT_STORED);
            assertThat(failure).hasMessageContaining("READONLY");
            RedisCall.call(redis.url(), "REPLICAOF", "NO", "ONE");
            submit(node, "after", Duration.ZERO);
            await().atMost(TestSettings.SOON).until(() -> job.ids().contains("after"));
        }
    }

    @Test
    void aKeyOfTheWrongTypeStopsNothingForGood() throws Exception {
        NoteJob job = new NoteJob();
        try (TestNode node = TestNode.start(redis.url(), queue, job)) {
            String waiting = "delayjob:{" + queue + ":0}:waiting";
            RedisCall.call(redis.url(), "SET", waiting, "not ours");
            JobSubmissionException failure = failure(node, "blocked");
            assertThat(failure.outcome()).isEqualTo(Outcome.NOT_STORED);
            assertThat(failure).hasMessageContaining("WRONGTYPE");
            RedisCall.call(redis.url(), "DEL", waiting);
            submit(node, "after", Duration.ZERO);
            await().atMost(TestSettings.SOON).until(() -> job.ids().contains("after"));
        }
    }

    @Tag("proof")
    @Test
    void takesNoMoreJobsWhileItCannotStoreHowThoseEndedThatItHas() throws Exception {
        NoteJob job = new NoteJob(execution -> Thread.sleep(100));
        QueueSettings retaining =
                TestNode.patient(TestSettings.retaining(new Retention(Duration.ofMinutes(10), 10_000)));
        try (TestNode node = TestNode.start(redis.url(), queue, retaining, job)) {
            String archive = "delayjob:{" + queue + ":0}:archive";
            RedisCall.call(redis.url(), "SET", archive, "not ours");
            List<DelayJobRequest<Note>> requests =
                    IntStream.range(0, 1000).mapToObj(i -> request("" + i)).toList();
            node.producer().submitDelayJobs(requests, Duration.ZERO);
            await().atMost(TestSettings.SOON)
                    .until(() -> node.engine.faults(queue).stream()
                            .anyMatch(fault -> fault.contains("cannot be stored: Redis refused: WRONGTYPE")));
            await().atMost(TestSettings.SOON)
                    .until(() -> node.engine.vitals(queue).orElseThrow().free() == 16);
            // A claim that was under way may hand some out yet.
            AtomicInteger ran = new AtomicInteger();
            await().atMost(TestSettings.SOON).during(Duration.ofSeconds(2)).until(() -> {
                int now = job.ids().size();
                return ran.getAndSet(now) == now;
            });
            assertThat(ran).hasValueLessThan(1000);
            RedisCall.call(redis.url(), "DEL", archive);
            await().atMost(TestSettings.SOON.multipliedBy(2))
                    .until(() -> node.admin().counts(queue).finished() == 1000);
            assertThat(job.ids()).doesNotHaveDuplicates().hasSize(1000);
        }
    }

    @Test
    void goesOnByItselfAfterRedisWasKilledAndStartedAgain() {
        NoteJob job = new NoteJob();
        try (TestNode node = TestNode.start(redis.url(), queue, job)) {
            submit(node, "pending", Duration.ofSeconds(2));
            redis.kill();
            redis.restart();
            await().atMost(TestSettings.SOON).until(() -> job.ids().contains("pending"));
            submit(node, "new", Duration.ZERO);
            await().atMost(TestSettings.SOON).until(() -> job.ids().contains("new"));
            assertThat(job.seen()).hasSize(2).allMatch(seen -> seen.latenessMillis() >= 0);
        }
    }

    @Test
    void reportsHowAJobEndedWhenRedisIsBack() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch down = new CountDownLatch(1);
        NoteJob job = new NoteJob(execution -> {
            started.countDown();
            down.await();
        });
        try (TestNode node = TestNode.start(redis.url(), queue, job)) {
            node.producer().submitDelayJob(request("through").withLease(Duration.ofMinutes(1)), Duration.ZERO);
            assertThat(started.await(TestSettings.SOON.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            redis.kill();
            down.countDown();
            redis.restart();
            await().atMost(TestSettings.SOON)
                    .ignoreExceptions()
                    .until(() -> node.admin().find(queue, "through").isEmpty());
            assertThat(job.seen()).hasSize(1);
        }
    }

    @Test
    void aPendingJobSurvivesARestartOfEverything() {
        try (TestNode first = new TestNode(
                redis.url(), queue, TestSettings.defaults(), Extensions.NONE, TestSettings.registered(new NoteJob()))) {
            submit(first, "patient", Duration.ofSeconds(1));
        }
        redis.kill();
        redis.restart();
        NoteJob job = new NoteJob();
        try (TestNode second = TestNode.start(redis.url(), queue, job)) {
            await().atMost(TestSettings.SOON).until(() -> job.ids().equals(List.of("patient")));
            assertThat(second.admin().counts(queue).dead()).isZero();
        }
    }

    private static DelayJobRequest<Note> request(String id) {
        return DelayJobRequest.of(NoteJob.class, new Note(id, 1)).withId(id);
    }

    private static void submit(TestNode node, String id, Duration delay) {
        node.producer().submitDelayJob(request(id), delay);
    }

    private static JobSubmissionException failure(TestNode node, String id) {
        return catchThrowableOfType(JobSubmissionException.class, () -> submit(node, id, Duration.ofSeconds(1)));
    }
}
