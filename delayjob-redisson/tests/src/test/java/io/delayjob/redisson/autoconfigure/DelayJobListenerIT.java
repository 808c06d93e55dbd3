package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.delayjob.AckMode;
import io.delayjob.Acknowledgment;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobListenerRegistry;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.LeaseLostException;
import io.delayjob.testing.RealRedis;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.messaging.handler.annotation.Header;

/** Methods marked as listeners run the jobs of their topics. */
@RealRedis
class DelayJobListenerIT {

    private static final Parcel PARCEL = new Parcel("p", 1);

    private final String queue = TestApplication.queue();
    private final String other = TestApplication.queue();
    private final ApplicationContextRunner runner = TestApplication.runner(queue)
            .withPropertyValues("test.other=" + other, "delayjob.backoff.initial=10ms", "delayjob.backoff.max=10ms");

    private static DelayJobProducer producer(ApplicationContext context) {
        return context.getBean(DelayJobProducer.class);
    }

    private static DelayJobAdmin admin(ApplicationContext context) {
        return context.getBean(DelayJobAdmin.class);
    }

    private static Inbox inbox(ApplicationContext context) {
        return context.getBean(Inbox.class);
    }

    private static void awaitGone(ApplicationContext context, String queue, String id) {
        await().until(() -> admin(context).find(queue, id).isEmpty());
    }

    private static JobSnapshot awaitDead(ApplicationContext context, String queue, String id) {
        await().until(() -> admin(context)
                .find(queue, id)
                .filter(job -> job.state() == JobState.DEAD)
                .isPresent());
        return admin(context).find(queue, id).orElseThrow();
    }

    /** Listens on the default queue and on another. */
    static class Parcels {

        private final Inbox inbox;

        Parcels(Inbox inbox) {
            this.inbox = inbox;
        }

        @DelayJobListener(topic = "parcel")
        void on(Parcel parcel, JobExecution<Parcel> execution, @Header("tenant") String tenant) {
            inbox.add(parcel);
            inbox.add(execution.queue());
            inbox.add(tenant);
        }

        @DelayJobListener(topic = "parcels", queue = "${test.other}")
        void onMany(List<Parcel> parcels, JobExecution<?> execution) {
            inbox.add(parcels);
            inbox.add(execution.queue());
        }
    }

    @Test
    void runsJobsOfATopicOnTheQueueOfItsListener() {
        runner.withBean(Parcels.class).run(context -> {
            producer(context)
                    .submitDelayJob(
                            DelayJobRequest.toTopic("parcel", PARCEL).withHeader("tenant", "acme"), Duration.ZERO);
            inbox(context).awaitExactly(PARCEL, queue, "acme");
            String id = producer(context).submitDelayJob("parcels", List.of(PARCEL), Duration.ofMillis(50));
            inbox(context).awaitExactly(PARCEL, queue, "acme", List.of(PARCEL), other);
            awaitGone(context, other, id);
        });
    }

    @Test
    void runsJobsThatAnApplicationWithoutTheListenerSubmits() {
        runner.run(submitter -> {
            DelayJobRequest<List<Parcel>> request =
                    DelayJobRequest.toTopic("parcels", List.of(PARCEL)).withQueue(other);
            producer(submitter).submitDelayJob(request, Duration.ZERO);
            runner.withBean(Parcels.class).run(listening -> inbox(listening).awaitExactly(List.of(PARCEL), other));
        });
    }

    /** Fails every time. */
    static class Failing {

        private final Inbox inbox;

        Failing(Inbox inbox) {
            this.inbox = inbox;
        }

        @DelayJobListener(topic = "failing", maxAttempts = "2")
        void on(JobExecution<Parcel> execution) throws IOException {
            inbox.add(execution.attempt());
            throw new IOException("broken");
        }

        @DelayJobListener(topic = "always", ackMode = AckMode.ALWAYS)
        void always(JobExecution<Parcel> execution) throws IOException {
            inbox.add("always " + execution.attempt());
            throw new IOException("broken");
        }
    }

    @Test
    void retriesWhatFailsUntilItsAttemptsAreUsedUp() {
        runner.withBean(Failing.class).run(context -> {
            String id = producer(context).submitDelayJob("failing", PARCEL, Duration.ZERO);
            assertThat(awaitDead(context, queue, id).lastError())
                    .contains("attempt 2 of 2 failed", "java.io.IOException: broken");
            inbox(context).awaitExactly(1, 2);
        });
    }

    @Test
    void givesAJobUpAtOnceThatLacksAHeaderOfItsListener() {
        runner.withBean(Parcels.class).run(context -> {
            String id = producer(context).submitDelayJob("parcel", PARCEL, Duration.ZERO);
            JobSnapshot dead = awaitDead(context, queue, id);
            assertThat(dead.attempt()).isEqualTo(1);
            assertThat(dead.lastError()).contains("listener 'parcel' (", "requires the header 'tenant'");
        });
    }

    @Test
    void completesWhatFailsWhereItIsAlwaysAcknowledged() {
        runner.withBean(Failing.class).run(context -> {
            String id = producer(context).submitDelayJob("always", PARCEL, Duration.ZERO);
            awaitGone(context, queue, id);
            inbox(context).awaitExactly("always 1");
        });
    }

    /** Keeps the acknowledgments it is given. */
    static class Manual {

        final Queue<Acknowledgment> acknowledgments = new ConcurrentLinkedQueue<>();
        private final Inbox inbox;

        Manual(Inbox inbox) {
            this.inbox = inbox;
        }

        @DelayJobListener(topic = "forgotten", queue = "${test.other}", ackMode = AckMode.MANUAL, lease = "3s")
        void forgotten(String wish, Acknowledgment acknowledgment, JobExecution<String> execution) {
            on(wish, acknowledgment, execution);
        }

        /** With a lease that does not end while a slow machine takes its time. */
        @DelayJobListener(topic = "manual", ackMode = AckMode.MANUAL, lease = "1m")
        void on(String wish, Acknowledgment acknowledgment, JobExecution<String> execution) {
            acknowledgments.add(acknowledgment);
            inbox.add(wish + " " + execution.attempt());
            boolean first = execution.attempt() == 1;
            if (wish.equals("retry") && first) {
                acknowledgment.retry(Duration.ofMillis(20));
            } else if (wish.equals("reject")) {
                acknowledgment.reject("no such order");
            } else if (wish.equals("throw") && first) {
                throw new IllegalStateException("before anything was said");
            } else if (!wish.equals("keep") || !first) {
                acknowledgment.acknowledge();
            }
        }
    }

    @Test
    void completesRetriesOrBuriesAsTheAcknowledgmentSays() {
        runner.withBean(Manual.class).run(context -> {
            String acknowledged = producer(context).submitDelayJob("manual", "acknowledge", Duration.ZERO);
            awaitGone(context, queue, acknowledged);
            String retried = producer(context).submitDelayJob("manual", "retry", Duration.ZERO);
            awaitGone(context, queue, retried);
            String thrown = producer(context).submitDelayJob("manual", "throw", Duration.ZERO);
            awaitGone(context, queue, thrown);
            String rejected = producer(context).submitDelayJob("manual", "reject", Duration.ZERO);
            assertThat(awaitDead(context, queue, rejected).lastError()).contains("no such order");
            inbox(context).awaitExactly("acknowledge 1", "retry 1", "retry 2", "throw 1", "throw 2", "reject 1");
            assertThatIllegalStateException()
                    .isThrownBy(() -> context.getBean(Manual.class)
                            .acknowledgments
                            .element()
                            .acknowledge())
                    .withMessageContaining("already acknowledged");
        });
    }

    @Test
    void deliversAgainAfterTheLeaseWhatNothingWasSaidAbout() {
        runner.withBean(Manual.class).run(context -> {
            String id = producer(context).submitDelayJob("forgotten", "keep", Duration.ZERO);
            awaitGone(context, other, id);
            // More often than twice if its lease ended once more on a slow machine.
            assertThat(inbox(context).seen()).contains("keep 1", "keep 2");
            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() -> context.getBean(Manual.class)
                            .acknowledgments
                            .element()
                            .acknowledge())
                    .withMessageContainingAll(id, other);
        });
    }

    @Test
    void takesAnAcknowledgmentFromAnotherThreadAfterTheMethodReturned() {
        runner.withBean(Manual.class).run(context -> {
            String id = producer(context).submitDelayJob("manual", "keep", Duration.ZERO);
            Manual manual = context.getBean(Manual.class);
            await().until(() -> !manual.acknowledgments.isEmpty());
            manual.acknowledgments.element().acknowledge();
            awaitGone(context, queue, id);
            inbox(context).awaitExactly("keep 1");
        });
    }

    /** Waits to be started. */
    static class Patient {

        private final Inbox inbox;

        Patient(Inbox inbox) {
            this.inbox = inbox;
        }

        @DelayJobListener(topic = "patient", id = "waiting", queue = "${test.other}", autoStartup = "false")
        void on(Parcel parcel) {
            inbox.add(parcel);
        }
    }

    @Test
    void listensWhenItIsStartedAndUntilItIsStopped() {
        runner.withBean(Patient.class).run(context -> {
            DelayJobListenerRegistry listeners = context.getBean(DelayJobListenerRegistry.class);
            String first = producer(context).submitDelayJob("patient", PARCEL, Duration.ZERO);
            assertThat(listeners.ids()).containsExactly("waiting");
            assertThat(listeners.isRunning("waiting")).isFalse();
            listeners.start("waiting");
            listeners.start("waiting");
            inbox(context).awaitExactly(PARCEL);
            awaitGone(context, other, first);
            listeners.stop("waiting");
            assertThat(listeners.isRunning("waiting")).isFalse();
            String second = producer(context).submitDelayJob("patient", new Parcel("q", 2), Duration.ZERO);
            assertThat(admin(context).find(other, second).map(JobSnapshot::state))
                    .contains(JobState.READY);
            listeners.start("waiting");
            inbox(context).awaitExactly(PARCEL, new Parcel("q", 2));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> listeners.start("unknown"))
                    .withMessageContaining("[waiting]");
        });
    }
}
