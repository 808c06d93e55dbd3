package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobEvent;
import io.delayjob.JobExecution;
import io.delayjob.JobSnapshot;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.settings.AttemptPolicy;
import io.delayjob.engine.settings.ExceptionRules;
import io.delayjob.spi.BackoffPolicy;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Policies for jobs that fail, come too late, or crash their node. */
@RealRedis
@Execution(ExecutionMode.CONCURRENT)
class PolicyIT {

    private final String url = RedisServer.shared().url();
    private final String queue = TestSettings.queue();
    private final EventLog log = new EventLog();

    @Test
    void doesNotBeginAJobThatIsTooLate() {
        NoteJob job = new NoteJob();
        try (TestNode node = start(job, AttemptPolicy.NONE)) {
            node.admin().pause(queue);
            node.producer()
                    .submitDelayJob(request("late").withTimeToLive(Duration.ofMillis(200)), Duration.ofMillis(10));
            node.producer().submitDelayJob(request("patient"), Duration.ofMillis(10));
            await().pollDelay(Duration.ofMillis(400)).until(() -> true);
            node.admin().resume(queue);
            JobSnapshot dead = node.awaitDead(queue, "late");
            assertThat(dead.lastError()).startsWith("did not begin within its time to live of PT0.2S: ");
            await().until(() -> job.ids().equals(List.of("patient")));
            assertThat(log.await(JobEvent.Buried.class, 1))
                    .singleElement()
                    .satisfies(buried -> assertThat(buried.param()).contains("late"));
        }
    }

    @Test
    void beginsALateJobThatWasRedriven() {
        NoteJob job = new NoteJob();
        try (TestNode node = start(job, AttemptPolicy.NONE)) {
            node.admin().pause(queue);
            node.producer().submitDelayJob(request("late").withTimeToLive(Duration.ofSeconds(8)), Duration.ZERO);
            await().pollDelay(Duration.ofMillis(8200)).until(() -> true);
            node.admin().resume(queue);
            node.awaitDead(queue, "late");
            assertThat(node.admin().redrive(queue, "late").done()).isTrue();
            await().until(() -> job.ids().equals(List.of("late")));
        }
    }

    @Test
    void givesUpAtOnceAfterAnExceptionThatIsNotToBeRetried() {
        NoteJob job = new NoteJob(execution -> {
            assertThat(execution.maxAttempts()).isEqualTo(3);
            if (execution.param().text().equals("missing")) {
                throw new FileNotFoundException("gone");
            }
            throw new IOException("flaky");
        });
        ExceptionRules rules = new ExceptionRules(Set.of(), Set.of(FileNotFoundException.class));
        try (TestNode node = start(job, new AttemptPolicy(null, null, null, null, rules))) {
            node.producer().submitDelayJob(request("missing"), Duration.ZERO);
            node.producer().submitDelayJob(request("flaky"), Duration.ZERO);
            assertThat(node.awaitDead(queue, "missing").attempt()).isEqualTo(1);
            assertThat(node.awaitDead(queue, "flaky").attempt()).isEqualTo(3);
        }
    }

    @Test
    void waitsAsTheApplicationsBackoffSays() {
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        BackoffPolicy backoff = (attempt, failure) -> {
            failures.add(failure);
            return Duration.ofMillis(attempt * 300L);
        };
        NoteJob job = new NoteJob(execution -> {
            throw new IllegalStateException("again");
        });
        try (TestNode node = start(job, new AttemptPolicy(null, backoff, null, null, ExceptionRules.NONE))) {
            node.producer().submitDelayJob(request("often"), Duration.ZERO);
            node.awaitDead(queue, "often");
            assertThat(log.await(JobEvent.Retried.class, 2))
                    .extracting(JobEvent.Retried::backoff)
                    .containsExactly(Duration.ofMillis(300), Duration.ofMillis(600));
            assertThat(job.seen().get(2).dueAt())
                    .isAfterOrEqualTo(job.seen().get(1).dueAt().plusMillis(600));
            assertThat(failures).hasSize(2).allMatch(IllegalStateException.class::isInstance);
        }
    }

    @Test
    void quarantinesAJobWhoseNodesDie() {
        diesThreeTimes(100, "quarantined: 3 attempts in a row never ended");
    }

    @Tag("proof")
    @Test
    void beginsNoMoreAttemptsThanItMayAlsoWhereItsNodesDie() {
        diesThreeTimes(3, "attempt 3 of 3 never ended: its node died");
    }

    private void diesThreeTimes(int maxAttempts, String reason) {
        NoteJob deadly = new NoteJob(execution -> Thread.sleep(60_000));
        for (int death = 1; death <= 3; death++) {
            TestNode doomed = start(deadly, AttemptPolicy.NONE);
            if (death == 1) {
                // The lease does not end before the node is dead.
                doomed.producer()
                        .submitDelayJob(
                                request("deadly").withMaxAttempts(maxAttempts).withLease(Duration.ofSeconds(6)),
                                Duration.ZERO);
            }
            int begun = death;
            await().atMost(TestSettings.SOON).until(() -> deadly.seen().size() == begun);
            doomed.kill();
        }
        try (TestNode node = start(new NoteJob(), AttemptPolicy.NONE)) {
            assertThat(node.awaitDead(queue, "deadly")).satisfies(dead -> {
                assertThat(dead.lastError()).startsWith(reason);
                assertThat(dead.attempt()).isEqualTo(3);
            });
            assertThat(log.await(JobEvent.Buried.class, 1))
                    .extracting(JobEvent.Buried::attempt)
                    .containsExactly(3);
            assertThat(log.await(JobEvent.Claimed.class, 3))
                    .extracting(JobEvent.Claimed::attempt)
                    .containsExactly(1, 2, 3);
            assertThat(deadly.seen()).hasSize(3);
        }
    }

    @Test
    void leavesToOthersAJobWhosePolicyIsTheirs() {
        NoteJob failing = new NoteJob(execution -> {
            if (execution.attempt() < 5) {
                throw new IllegalStateException("again");
            }
        });
        BackoffPolicy backoff = (attempt, failure) -> attempt < 4 ? Duration.ofMillis(20) : Duration.ofHours(1);
        AttemptPolicy stubborn = new AttemptPolicy(50, backoff, null, Duration.ofHours(2), ExceptionRules.NONE);
        try (TestNode with = start(failing, stubborn)) {
            with.producer().submitDelayJob(request("stubborn"), Duration.ZERO);
            assertThat(log.await(JobEvent.Retried.class, 4)).hasSize(4);
        }
        // Without the bean, with settings by which an attempt 5 is too many, and too patient to bury it meanwhile.
        try (TestNode without = TestNode.start(
                url, queue, TestNode.PATIENT, log.extensions(), TestSettings.registered(new OtherJob()))) {
            assertThat(without.admin().runNow(queue, "stubborn").done()).isTrue();
            log.await(JobEvent.Released.class, 1);
        }
        try (TestNode with = start(failing, stubborn)) {
            with.admin().runNow(queue, "stubborn");
            assertThat(log.await(JobEvent.Completed.class, 1).get(0).attempt()).isEqualTo(5);
            assertThat(log.of(JobEvent.Buried.class)).isEmpty();
        }
    }

    private static final class OtherJob implements DelayJob<Note> {

        @Override
        public void execute(JobExecution<Note> execution) {}
    }

    /** Fails twice: at its work, and at telling why. */
    private static final class MuteException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }

    @Test
    void retriesAJobWhoseFailureCannotTellItsMessage() {
        NoteJob job = new NoteJob(execution -> {
            throw new MuteException();
        });
        try (TestNode node = start(job, AttemptPolicy.NONE)) {
            node.producer().submitDelayJob(request("mute"), Duration.ZERO);
            JobSnapshot dead = node.awaitDead(queue, "mute");
            assertThat(dead.attempt()).isEqualTo(3);
            assertThat(dead.lastError())
                    .contains("attempt 3 of 3 failed", "MuteException (its message could not be read)");
        }
    }

    @Test
    void retriesAJobWhoseBackoffPolicyFailsWithAnError() {
        NoteJob job = new NoteJob(execution -> {
            if (execution.attempt() == 1) {
                throw new IllegalStateException("once");
            }
        });
        BackoffPolicy broken = (attempt, failure) -> {
            throw new NoClassDefFoundError("com/example/Gone");
        };
        try (TestNode node = start(job, new AttemptPolicy(null, broken, null, null, ExceptionRules.NONE))) {
            node.producer().submitDelayJob(request("once"), Duration.ZERO);
            assertThat(log.await(JobEvent.Retried.class, 1).get(0).backoff())
                    .isBetween(Duration.ofMillis(1600), Duration.ofMillis(2400));
            await().until(() -> log.of(JobEvent.Completed.class).size() == 1);
        }
    }

    private TestNode start(NoteJob job, AttemptPolicy options) {
        return TestNode.start(url, queue, TestNode.patient(), log.extensions(), TestSettings.registered(job, options));
    }

    private static DelayJobRequest<Note> request(String id) {
        return DelayJobRequest.of(NoteJob.class, new Note(id, 1)).withId(id);
    }
}
