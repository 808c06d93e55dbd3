package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.delayjob.ActionResult;
import io.delayjob.DelayJobRequest;
import io.delayjob.Explanation;
import io.delayjob.Explanation.Reason;
import io.delayjob.JobPage;
import io.delayjob.JobQuery;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.NodeSnapshot;
import io.delayjob.NonRetryableException;
import io.delayjob.QueueCounts;
import io.delayjob.TimeRange;
import io.delayjob.embedded.RedisCall;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.settings.AttemptPolicy;
import io.delayjob.engine.settings.ExceptionRules;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Looking at jobs and acting on them. */
@RealRedis
class AdminIT {

    private final String url = RedisServer.shared().url();
    private final String queue = TestSettings.queue();

    @Test
    void listsJobsPageByPageOverAllShards() {
        try (TestNode node = idle(TestSettings.shards(3), new NoteJob())) {
            List<String> ids = IntStream.range(0, 57).mapToObj(i -> "job-" + i).toList();
            ids.forEach(id -> submit(node, id, Duration.ofMinutes(5)));
            List<String> listed = new ArrayList<>();
            JobQuery query = JobQuery.of(queue, JobState.DELAYED).withLimit(10);
            JobPage page = node.admin().list(query);
            while (page.next() != null) {
                assertThat(page.jobs()).hasSizeLessThanOrEqualTo(10);
                page.jobs().forEach(job -> listed.add(job.id()));
                page = node.admin().list(query.after(page.next()));
            }
            page.jobs().forEach(job -> listed.add(job.id()));
            assertThat(listed).containsExactlyInAnyOrderElementsOf(ids);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> node.admin().list(query.after("nonsense")))
                    .withMessage("cursor is not the next of a page of this queue: 'nonsense'");
        }
    }

    @Test
    void countsManyQueuesAtOnceAlsoWhereRedisHasNotLoadedTheScript() throws IOException {
        try (TestNode node = idle(TestSettings.shards(3), new NoteJob())) {
            IntStream.range(0, 9).forEach(i -> submit(node, "job-" + i, Duration.ofMinutes(5)));
            List<String> queues = Stream.concat(IntStream.range(0, 30).mapToObj(i -> queue + "-" + i), Stream.of(queue))
                    .toList();
            RedisCall.call(url, "SCRIPT", "FLUSH");

            Map<String, QueueCounts> counts = node.admin().counts(queues);

            assertThat(counts.keySet()).containsExactlyElementsOf(queues);
            assertThat(counts).containsEntry(queue, node.admin().counts(queue));
            assertThat(counts.get(queue).delayed()).isEqualTo(9);
            assertThat(counts.get(queue + "-7").delayed()).isZero();
        }
    }

    @Test
    void aQueueThatCannotBeCountedIsNamed() throws IOException {
        try (TestNode node = idle(TestSettings.defaults(), new NoteJob())) {
            RedisCall.call(url, "SET", "delayjob:{" + queue + ":0}:waiting", "x");

            assertThatExceptionOfType(LedgerException.class)
                    .isThrownBy(() -> node.admin().counts(List.of(TestSettings.queue(), queue)))
                    .withMessageContaining("{" + queue + ":0}:waiting");
        }
    }

    @Test
    void listsJobsWithinARangeOfTimeOverAllShards() {
        try (TestNode node = idle(TestSettings.shards(3), new NoteJob())) {
            IntStream.range(0, 40).forEach(i -> submit(node, "job-" + i, Duration.ofMinutes(10 * i + 5)));
            Instant from = Instant.now().plus(Duration.ofMinutes(100));
            JobQuery query = JobQuery.of(queue, JobState.DELAYED)
                    .withTimes(new TimeRange(from, from.plus(Duration.ofMinutes(50))))
                    .withLimit(2);
            List<String> listed = new ArrayList<>();
            String cursor = null;
            do {
                JobPage page = node.admin().list(query.after(cursor));
                page.jobs().forEach(job -> listed.add(job.id()));
                cursor = page.next();
            } while (cursor != null);
            assertThat(listed).containsExactlyInAnyOrder("job-10", "job-11", "job-12", "job-13", "job-14");
        }
    }

    @Test
    void listsJobsOfOneNameOrWithOnePrefix() {
        try (TestNode node = idle(TestSettings.defaults(), new NoteJob())) {
            for (int i = 0; i < 30; i++) {
                submit(node, (i % 3 == 0 ? "close-" : "open-") + i, Duration.ofMinutes(5));
                node.producer()
                        .submitDelayJob(
                                DelayJobRequest.toTopic("remind", new Note("n", i))
                                        .withId("remind-" + i),
                                Duration.ofMinutes(5));
            }
            JobQuery all = JobQuery.of(queue, JobState.DELAYED);
            assertThat(node.admin().list(all.withIdPrefix("close-")).jobs()).hasSize(10);
            assertThat(node.admin().list(all.withJob("remind")).jobs())
                    .hasSize(30)
                    .allMatch(job -> job.id().startsWith("remind-"));
            assertThat(node.admin()
                            .list(all.withJob(NoteJob.class).withIdPrefix("open-"))
                            .jobs())
                    .hasSize(20);
            assertThat(node.admin().list(all.withJob("remin")).jobs()).isEmpty();
            assertThat(node.admin().list(JobQuery.of(queue, JobState.READY)).jobs())
                    .isEmpty();
        }
    }

    @Test
    void showsWhatRunsWhere() {
        CountDownLatch go = new CountDownLatch(1);
        NoteJob job = new NoteJob(execution -> go.await());
        try (TestNode node = TestNode.start(url, queue, job)) {
            submit(node, "long", Duration.ZERO);
            await().until(() -> job.seen().size() == 1);
            JobSnapshot running = node.admin()
                    .list(JobQuery.of(queue, JobState.RESERVED))
                    .jobs()
                    .get(0);
            assertThat(running.node()).isEqualTo(node.name());
            assertThat(running.attempt()).isEqualTo(1);
            assertThat(running.startedAt()).isBetween(Instant.now().minusSeconds(30), Instant.now());
            assertThat(running.leaseExpiresAt()).isAfter(running.startedAt());
            await().untilAsserted(() -> assertThat(node.admin().nodes(queue))
                    .containsExactly(new NodeSnapshot(node.name(), 16, 15, Set.of(NoteJob.class.getName()))));
            go.countDown();
        }
    }

    @Test
    void answersTheStateAJobWasIn() {
        CountDownLatch go = new CountDownLatch(1);
        NoteJob job = new NoteJob(execution -> go.await());
        try (TestNode node = TestNode.start(url, queue, job)) {
            submit(node, "runs", Duration.ZERO);
            await().until(() -> job.seen().size() == 1);
            assertThat(node.admin().reschedule(queue, "runs", Duration.ofSeconds(1)))
                    .isEqualTo(ActionResult.refused(JobState.RESERVED));
            assertThat(node.admin().redrive(queue, "runs")).isEqualTo(ActionResult.refused(JobState.RESERVED));
            assertThat(node.admin().redrive(queue, "unheard-of")).isEqualTo(ActionResult.NO_SUCH_JOB);
            assertThat(node.admin().runNow(queue, "unheard-of")).isEqualTo(ActionResult.NO_SUCH_JOB);
            submit(node, "waits", Duration.ofMinutes(5));
            assertThat(node.admin().redrive(queue, "waits")).isEqualTo(ActionResult.refused(JobState.DELAYED));
            go.countDown();
            assertThat(node.admin().runNow(queue, "waits")).isEqualTo(ActionResult.done(JobState.DELAYED));
            await().until(() -> job.ids().contains("waits"));
        }
    }

    @Test
    void redrivesAtARateAndPurgesWhatIsLongDead() {
        NoteJob job = new NoteJob(execution -> {
            throw new NonRetryableException("no use");
        });
        try (TestNode node = TestNode.start(url, queue, job)) {
            for (int i = 0; i < 30; i++) {
                submit(node, "dead-" + i, Duration.ZERO);
            }
            await().until(() -> node.admin().counts(queue).dead() == 30);
            int before = job.seen().size();
            assertThat(node.admin().redriveAll(queue, 10, 20)).isEqualTo(10);
            await().until(() -> job.seen().size() == before + 10);
            List<Instant> dues = job.seen().stream()
                    .skip(before)
                    .map(NoteJob.Seen::dueAt)
                    .sorted()
                    .toList();
            for (int i = 1; i < dues.size(); i++) {
                assertThat(Duration.between(dues.get(i - 1), dues.get(i)))
                        .isBetween(Duration.ofMillis(49), Duration.ofMillis(51));
            }
            await().until(() -> node.admin().counts(queue).dead() == 30);
            assertThat(node.admin().purgeDead(queue, Duration.ofHours(1), 100)).isZero();
            assertThat(node.admin().purgeDead(queue, Duration.ZERO, 12)).isEqualTo(12);
            assertThat(node.admin().purgeDead(queue, Duration.ZERO, 1000)).isEqualTo(18);
            assertThat(node.admin().counts(queue).dead()).isZero();
            assertThat(node.admin().redriveAll(queue, 1000)).isZero();
        }
    }

    @Test
    void answersWithoutWaitingToo() {
        try (TestNode node = idle(TestSettings.defaults(), new NoteJob())) {
            submit(node, "a", Duration.ofMinutes(5));
            assertThat(node.engine
                            .asyncAdmin()
                            .find(queue, "a")
                            .join()
                            .orElseThrow()
                            .state())
                    .isEqualTo(JobState.DELAYED);
            assertThat(node.engine
                            .asyncAdmin()
                            .pause(queue)
                            .thenCompose(paused -> node.engine.asyncAdmin().counts(queue))
                            .join()
                            .paused())
                    .isTrue();
            assertThat(node.engine.asyncAdmin().runNow(queue, "a").join().done())
                    .isTrue();
            assertThat(node.engine.asyncAdmin().resume(queue)).succeedsWithin(TestSettings.SOON);
            assertThat(node.engine.asyncAdmin().cancel(queue, "a").join().done())
                    .isTrue();
        }
    }

    @Test
    void explainsWhyAJobIsNotRunning() {
        CountDownLatch go = new CountDownLatch(1);
        NoteJob job = new NoteJob(execution -> {
            if (execution.id().equals("flaky")) {
                throw new IllegalStateException("the bank is closed");
            }
            go.await();
        });
        AttemptPolicy patient =
                new AttemptPolicy(null, (attempt, failure) -> Duration.ofMinutes(1), null, null, ExceptionRules.NONE);
        try (TestNode elsewhere = idle(TestSettings.defaults(), job)) {
            assertThat(reason(elsewhere, "none")).isEqualTo(Reason.NO_SUCH_JOB);
            submit(elsewhere, "far", Duration.ofMinutes(5));
            assertThat(reason(elsewhere, "far")).isEqualTo(Reason.NOT_DUE);
            submit(elsewhere, "due", Duration.ZERO);
            assertThat(reason(elsewhere, "due")).isEqualTo(Reason.NO_CONSUMER);
            elsewhere.admin().pause(queue);
            assertThat(reason(elsewhere, "due")).isEqualTo(Reason.PAUSED);
            try (TestNode node = TestNode.start(
                    url,
                    queue,
                    TestNode.patient(TestSettings.concurrency(1)),
                    Extensions.NONE,
                    TestSettings.registered(job, patient))) {
                await().until(() -> !elsewhere.admin().nodes(queue).isEmpty());
                elsewhere.admin().resume(queue);
                await().until(() -> reason(elsewhere, "due") == Reason.RUNNING);
                assertThat(text(elsewhere, "due")).contains("attempt 1 runs on node " + node.name());
                submit(elsewhere, "flaky", Duration.ZERO);
                await().until(() -> reason(elsewhere, "flaky") == Reason.WORKERS_BUSY);
                assertThat(text(elsewhere, "flaky")).contains("all workers are busy: 1 on " + node.name());
                elsewhere
                        .producer()
                        .submitDelayJob(
                                DelayJobRequest.toTopic("nobody-listens", new Note("n", 1))
                                        .withId("lost"),
                                Duration.ZERO);
                await().until(() -> reason(elsewhere, "lost") == Reason.NO_HANDLER);
                assertThat(text(elsewhere, "lost")).contains("'nobody-listens'", node.name());
                go.countDown();
                await().until(() -> reason(elsewhere, "flaky") == Reason.WAITING_FOR_RETRY);
                assertThat(text(elsewhere, "flaky")).contains("the bank is closed", "Redis' clock is at");
                await().atMost(TestSettings.SOON).until(() -> reason(elsewhere, "lost") == Reason.DEAD);
            }
        }
    }

    private Reason reason(TestNode node, String id) {
        return node.admin().explain(queue, id).reason();
    }

    private String text(TestNode node, String id) {
        Explanation explanation = node.admin().explain(queue, id);
        assertThat(explanation.job()).isNotNull();
        return explanation.text();
    }

    /** A node that runs nothing. */
    private TestNode idle(QueueSettings settings, NoteJob job) {
        return new TestNode(url, queue, settings, Extensions.NONE, TestSettings.registered(job));
    }

    private static void submit(TestNode node, String id, Duration delay) {
        node.producer()
                .submitDelayJob(
                        DelayJobRequest.of(NoteJob.class, new Note(id, 1)).withId(id), delay);
    }
}
