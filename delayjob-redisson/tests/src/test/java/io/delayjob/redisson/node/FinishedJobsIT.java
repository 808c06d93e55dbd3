package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobRequest;
import io.delayjob.JobEvent;
import io.delayjob.JobQuery;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.Progress;
import io.delayjob.QueueCounts;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Progress, results and events of running and finished jobs, and how long finished ones are kept. */
@RealRedis
@Execution(ExecutionMode.CONCURRENT)
class FinishedJobsIT {

    private final String url = RedisServer.shared().url();
    private final String queue = TestSettings.queue();
    private final EventLog log = new EventLog();

    @Test
    void showsProgressWhileAJobRunsAndItsResultAfterwards() {
        CountDownLatch go = new CountDownLatch(1);
        NoteJob job = new NoteJob(execution -> {
            for (int percent = 0; percent <= 40; percent++) {
                execution.progress(percent, "line " + percent);
            }
            go.await();
            execution.progress(100, "all | done");
            execution.result(Map.of("closed", 42));
        });
        try (TestNode node = start(new Retention(Duration.ofMinutes(1), 10), job)) {
            submit(node, "a", Duration.ZERO);
            await().until(() ->
                    snapshot(node, "a").map(JobSnapshot::progress).equals(Optional.of(new Progress(40, "line 40"))));
            go.countDown();
            await().until(() -> snapshot(node, "a").map(JobSnapshot::state).equals(Optional.of(JobState.COMPLETED)));
            JobSnapshot done = snapshot(node, "a").orElseThrow();
            assertThat(done.result()).isEqualTo("{\"closed\":42}");
            assertThat(done.attempt()).isEqualTo(1);
            assertThat(done.finishedAt()).isAfterOrEqualTo(done.submittedAt());
            assertThat(done.param()).contains("\"text\":\"a\"");
            assertThat(node.admin().list(JobQuery.of(queue, JobState.COMPLETED)).jobs())
                    .containsExactly(done);
            assertThat(node.admin().counts(queue).finished()).isOne();
        }
    }

    @Test
    void keepsCancelledJobsBesideCompletedOnesAndTheLatestOnly() {
        NoteJob job = new NoteJob();
        try (TestNode node = start(new Retention(Duration.ofMinutes(1), 3), job)) {
            submit(node, "never", Duration.ofMinutes(5));
            node.admin().cancel(queue, "never");
            assertThat(snapshot(node, "never").orElseThrow().state()).isEqualTo(JobState.CANCELLED);
            assertThat(node.admin().explain(queue, "never").text()).contains("it was cancelled at ");
            for (int i = 0; i < 10; i++) {
                submit(node, "job-" + i, Duration.ofMillis(20L * i));
            }
            await().until(() -> job.seen().size() == 10);
            await().until(() -> node.admin().counts(queue).equals(new QueueCounts(0, 0, 0, 0, 3, false)));
            assertThat(snapshot(node, "never")).isEmpty();
        }
    }

    @Test
    void forgetsFinishedJobsWhenTheirTimeIsOver() {
        NoteJob job = new NoteJob();
        try (TestNode node = start(new Retention(Duration.ofSeconds(10), 100), job)) {
            submit(node, "short", Duration.ZERO);
            await().until(() -> node.admin().counts(queue).finished() == 1);
            await().atMost(TestSettings.SOON)
                    .until(() -> node.admin().counts(queue).finished() == 0);
            submit(node, "short", Duration.ZERO);
            await().until(() -> job.seen().size() == 2);
        }
    }

    @Test
    void letsAnIdBeUsedAgainWhileItsFinishedJobIsKept() {
        NoteJob job = new NoteJob();
        try (TestNode node = start(new Retention(Duration.ofMinutes(1), 100), job)) {
            submit(node, "again", Duration.ZERO);
            await().until(() -> node.admin().counts(queue).finished() == 1);
            submit(node, "again", Duration.ofMinutes(5));
            assertThat(snapshot(node, "again").orElseThrow().state()).isEqualTo(JobState.DELAYED);
            node.admin().runNow(queue, "again");
            await().until(() -> job.seen().size() == 2);
        }
    }

    @Test
    void publishesAnEventForEveryStep() {
        NoteJob job = new NoteJob(execution -> {
            if (execution.id().equals("fails")) {
                throw new IllegalStateException("no");
            }
            await().atMost(TestSettings.SOON).until(() -> log.stepsOf("slow").contains("Renewed"));
        });
        try (TestNode node = start(Retention.NONE, job)) {
            // A lease is renewed when a third of it is over.
            node.producer().submitDelayJob(request("slow").withLease(Duration.ofSeconds(9)), Duration.ofMillis(200));
            submit(node, "fails", Duration.ofMillis(200));
            submit(node, "moved", Duration.ofMinutes(5));
            node.admin().reschedule(queue, "moved", Duration.ofMinutes(6));
            node.admin().cancel(queue, "moved");
            await().until(() -> log.of(JobEvent.Buried.class).size() == 1);
            node.admin().redrive(queue, "fails");
            log.await(JobEvent.Completed.class, 1);
            assertThat(log.stepsOf("slow")).contains("Claimed", "Renewed", "Completed");
            await().until(() -> log.of(JobEvent.Submitted.class).size() == 3);
            await().untilAsserted(() -> assertThat(log.stepsOf("moved")).containsExactly("Rescheduled", "Cancelled"));
            await().until(() -> log.of(JobEvent.Buried.class).size() == 2);
            // The redrive may be told of after what followed it.
            await().untilAsserted(() -> assertThat(log.stepsOf("fails"))
                    .containsExactlyInAnyOrderElementsOf(List.of(
                            "Claimed",
                            "Retried",
                            "Claimed",
                            "Retried",
                            "Claimed",
                            "Buried",
                            "Redriven",
                            "Claimed",
                            "Retried",
                            "Claimed",
                            "Retried",
                            "Claimed",
                            "Buried")));
        }
    }

    private Optional<JobSnapshot> snapshot(TestNode node, String id) {
        return node.admin().find(queue, id);
    }

    private TestNode start(Retention retention, NoteJob job) {
        return TestNode.start(
                url,
                queue,
                TestNode.patient(TestSettings.retaining(retention)),
                log.extensions(),
                TestSettings.registered(job));
    }

    private static void submit(TestNode node, String id, Duration delay) {
        node.producer().submitDelayJob(request(id), delay);
    }

    private static DelayJobRequest<Note> request(String id) {
        return DelayJobRequest.of(NoteJob.class, new Note(id, 1)).withId(id);
    }
}
