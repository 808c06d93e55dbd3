package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.delayjob.AckMode;
import io.delayjob.Acknowledgment;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobEvent;
import io.delayjob.JobExecution;
import io.delayjob.JobState;
import io.delayjob.LeaseLostException;
import io.delayjob.engine.Note;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.handler.Handler;
import io.delayjob.engine.settings.ConsumedQueue;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Listeners that say themselves how an attempt ended. */
@RealRedis
@Execution(ExecutionMode.CONCURRENT)
class AcknowledgmentIT {

    private static final String TOPIC = "close-order";

    /** Of a job whose lease is to end, or to be renewed: long enough for a test to do something before. */
    private static final Duration LEASE = Duration.ofSeconds(8);

    private final String url = RedisServer.shared().url();
    private final String queue = TestSettings.queue();
    private final EventLog log = new EventLog();
    private final List<Delivery> deliveries = new CopyOnWriteArrayList<>();

    /** Arguments of one call of a listener. */
    private record Delivery(JobExecution<Object> execution, Acknowledgment acknowledgment) {}

    @Test
    void completesWhenAcknowledgedLongAfterTheMethodReturned() {
        try (TestNode node = start(AckMode.MANUAL, this::keep)) {
            String id = submitWithLongLease(node);
            await().until(() -> deliveries.size() == 1);
            assertThat(node.admin().find(queue, id).orElseThrow().state()).isEqualTo(JobState.RESERVED);
            deliveries.get(0).acknowledgment().acknowledge();
            assertThat(node.admin().find(queue, id)).isEmpty();
            await().until(() -> log.stepsOf(id).equals(List.of("Claimed", "Completed")));
        }
    }

    @Test
    void deliversAgainOnAnotherNodeWhatNobodyAcknowledged() {
        Handler.Work work = (execution, acknowledgment) -> {
            if (execution.attempt() >= 2) {
                // Nothing of it is to be handed out a third time while the test looks.
                execution.extendLease(Duration.ofMinutes(1));
            }
            keep(execution, acknowledgment);
        };
        try (TestNode first = start(AckMode.MANUAL, work);
                TestNode second = start(AckMode.MANUAL, work)) {
            String id = submit(first, LEASE);
            await().until(() -> deliveries.size() == 2);
            assertThat(deliveries.get(1).execution().attempt()).isEqualTo(2);
            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() -> deliveries.get(0).acknowledgment().acknowledge())
                    .withMessageContaining("'" + id + "'");
            assertThat(second.admin().find(queue, id).orElseThrow().attempt()).isEqualTo(2);
            deliveries.get(1).acknowledgment().acknowledge();
            assertThat(second.admin().find(queue, id)).isEmpty();
        }
    }

    @Test
    void concurrencyLimitsWhatIsUnacknowledgedHoweverShortTheJobsWereBefore() {
        AtomicBoolean acknowledges = new AtomicBoolean(true);
        Semaphore unacknowledged = new Semaphore(2);
        List<String> tooMany = new CopyOnWriteArrayList<>();
        try (TestNode node = TestNode.start(
                url,
                queue,
                TestSettings.defaults().with(new ConsumedQueue("any", null, 2, Duration.ofMinutes(1), null)),
                log.extensions(),
                TestSettings.listener(TOPIC, AckMode.MANUAL, (execution, acknowledgment) -> {
                    if (acknowledges.get()) {
                        acknowledgment.acknowledge();
                    } else if (!unacknowledged.tryAcquire()) {
                        tooMany.add(execution.id());
                    }
                    keep(execution, acknowledgment);
                }))) {
            node.producer().submitDelayJobs(requests(300), Duration.ZERO);
            await().atMost(TestSettings.SOON).until(() -> deliveries.size() == 300);
            acknowledges.set(false);
            node.producer().submitDelayJobs(requests(100), Duration.ZERO);
            await().atMost(TestSettings.SOON)
                    .until(() -> deliveries.size() >= 302
                            && node.admin().counts(queue).reserved() == 2);
            assertThat(tooMany).isEmpty();
        }
    }

    @Test
    void keepsTheLeaseWhileTheMethodRuns() {
        try (TestNode node = start(AckMode.MANUAL, (execution, acknowledgment) -> {
            Thread.sleep(LEASE.plusSeconds(2).toMillis());
            acknowledgment.acknowledge();
            keep(execution, acknowledgment);
        })) {
            String id = submit(node, LEASE);
            await().until(() -> deliveries.size() == 1);
            assertThat(node.admin().find(queue, id)).isEmpty();
            assertThat(log.await(JobEvent.Claimed.class, 1)).hasSize(1);
            assertThat(log.of(JobEvent.Lost.class)).isEmpty();
        }
    }

    @Test
    void retriesAfterTheWaitItAsksForAndDiesAfterTheLastAttempt() {
        try (TestNode node = start(AckMode.MANUAL, (execution, acknowledgment) -> {
            keep(execution, acknowledgment);
            acknowledgment.retry(Duration.ofMillis(400));
        })) {
            String id = submit(node);
            node.awaitDead(queue, id);
            assertThat(deliveries).hasSize(3);
            assertThat(deliveries.get(1).execution().dueAt())
                    .isAfterOrEqualTo(deliveries.get(0).execution().dueAt().plusMillis(400));
            assertThat(node.admin().find(queue, id).orElseThrow().lastError())
                    .contains("attempt 3 of 3 failed", "its listener asked for a retry");
        }
    }

    @Test
    void diesAtOnceWhenRejected() {
        try (TestNode node =
                start(AckMode.MANUAL, (execution, acknowledgment) -> acknowledgment.reject("no such order"))) {
            String id = submit(node);
            assertThat(node.awaitDead(queue, id).lastError()).isEqualTo("its listener rejected it: no such order");
        }
    }

    @Test
    void takesOneWordOnly() {
        try (TestNode node = start(AckMode.MANUAL, this::keep)) {
            String id = submitWithLongLease(node);
            await().until(() -> deliveries.size() == 1);
            Acknowledgment acknowledgment = deliveries.get(0).acknowledgment();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> acknowledgment.reject(" "))
                    .withMessageStartingWith("reason must not be blank");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> acknowledgment.retry(Duration.ofSeconds(-1)))
                    .withMessageStartingWith("wait must be zero or more");
            acknowledgment.acknowledge();
            assertThatIllegalStateException()
                    .isThrownBy(() -> acknowledgment.reject("too late"))
                    .withMessageContaining("attempt 1 of job '" + id + "'", "already acknowledged");
        }
    }

    @Test
    void retriesWhenTheMethodThrowsBeforeItSaidAnything() {
        AtomicBoolean failed = new AtomicBoolean();
        try (TestNode node = start(AckMode.MANUAL, (execution, acknowledgment) -> {
            keep(execution, acknowledgment);
            if (failed.compareAndSet(false, true)) {
                throw new IllegalStateException("not yet");
            }
            acknowledgment.acknowledge();
            throw new IllegalStateException("what is thrown now changes nothing");
        })) {
            String id = submit(node);
            await().until(() -> node.admin().find(queue, id).isEmpty());
            assertThat(deliveries).hasSize(2);
            assertThatIllegalStateException()
                    .isThrownBy(() -> deliveries.get(0).acknowledgment().acknowledge());
            await().until(() -> log.stepsOf(id).equals(List.of("Claimed", "Retried", "Claimed", "Completed")));
        }
    }

    @Test
    void completesWhatFailedWhereThatIsTheMode() {
        try (TestNode node = start(AckMode.ALWAYS, (execution, acknowledgment) -> {
            keep(execution, acknowledgment);
            throw new IllegalStateException("never mind");
        })) {
            String id = submit(node);
            await().until(() -> log.stepsOf(id).equals(List.of("Claimed", "Completed")));
            assertThat(deliveries).hasSize(1);
        }
    }

    @Test
    void runsNoMoreJobsAtOnceThanWorkersUntilTheyAreAcknowledged() {
        QueueSettings two =
                TestSettings.defaults().with(new ConsumedQueue("any", null, 2, Duration.ofMinutes(1), null));
        try (TestNode node = start(AckMode.MANUAL, two, this::keep)) {
            for (int i = 0; i < 5; i++) {
                submit(node);
            }
            await().until(() -> deliveries.size() == 2);
            awaitFree(node, 0);
            // The last of them may not be due yet.
            await().until(() -> node.admin().counts(queue).ready() == 3);
            assertThat(deliveries).hasSize(2);
            deliveries.get(0).acknowledgment().acknowledge();
            await().until(() -> deliveries.size() == 3);
            await().until(() -> node.admin().counts(queue).ready() == 2);
            assertThat(deliveries).hasSize(3);
        }
    }

    @Test
    void givesTheWorkerBackWhenTheLeaseOfWhatNobodyAcknowledgedEnds() {
        try (TestNode node = start(AckMode.MANUAL, TestSettings.concurrency(1), this::keep)) {
            submit(node, LEASE);
            await().until(() -> deliveries.size() == 1);
            deliveries.get(0).execution().extendLease(LEASE.plusSeconds(2));
            await().atMost(TestSettings.SOON).until(() -> deliveries.size() == 2);
            assertThat(deliveries.get(1).execution().attempt()).isEqualTo(2);
            deliveries.get(1).acknowledgment().acknowledge();
            await().until(() -> node.admin().counts(queue).reserved() == 0);
        }
    }

    @Test
    void givesBackAtShutdownWhatNobodyAcknowledgedWithoutSpendingTheAttempt() {
        try (TestNode node = start(AckMode.MANUAL, this::keep)) {
            String id = node.producer()
                    .submitDelayJob(
                            DelayJobRequest.toTopic(TOPIC, new Note("order", 42))
                                    .withLease(Duration.ofMinutes(1)),
                            Duration.ZERO);
            await().until(() -> deliveries.size() == 1);
            node.engine.stop();
            awaitReady(node, id);
            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() -> deliveries.get(0).acknowledgment().acknowledge());
            node.engine.start();
            await().until(() -> deliveries.size() == 2);
            assertThat(deliveries.get(1).execution().attempt()).isEqualTo(1);
            deliveries.get(1).acknowledgment().acknowledge();
            assertThat(node.admin().find(queue, id)).isEmpty();
        }
    }

    @Test
    void givesBackAtShutdownWhatReturnsWhenInterruptedAndSaysNothing() {
        try (TestNode node = start(AckMode.MANUAL, (execution, acknowledgment) -> {
            keep(execution, acknowledgment);
            try {
                Thread.sleep(60_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        })) {
            String id = submit(node);
            await().until(() -> deliveries.size() == 1);
            node.engine.stop();
            awaitReady(node, id);
            assertThat(node.admin().find(queue, id).orElseThrow().attempt()).isZero();
        }
    }

    @Test
    void isOfNoEffectAfterACancel() {
        try (TestNode node = start(AckMode.MANUAL, this::keep)) {
            node.awaitListening();
            String id = submitWithLongLease(node);
            await().until(() -> deliveries.size() == 1);
            assertThat(node.admin().cancel(queue, id).done()).isTrue();
            await().until(() -> log.of(JobEvent.Lost.class).size() == 1);
            assertThat(log.of(JobEvent.Lost.class)).allMatch(JobEvent.Lost::cancelled);
            awaitFree(node, 16);
            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() -> deliveries.get(0).acknowledgment().acknowledge())
                    .withMessageContaining("or the job was cancelled");
            assertThat(log.of(JobEvent.Lost.class)).hasSize(1);
        }
    }

    private void keep(JobExecution<Object> execution, Acknowledgment acknowledgment) {
        deliveries.add(new Delivery(execution, acknowledgment));
    }

    private TestNode start(AckMode mode, Handler.Work work) {
        return start(mode, TestNode.patient(), work);
    }

    private TestNode start(AckMode mode, QueueSettings settings, Handler.Work work) {
        return TestNode.start(url, queue, settings, log.extensions(), TestSettings.listener(TOPIC, mode, work));
    }

    private static List<DelayJobRequest<Note>> requests(int count) {
        return Collections.nCopies(count, DelayJobRequest.toTopic(TOPIC, new Note("order", 42)));
    }

    /** A stop may be over before a job that it interrupted has ended, and is given back. */
    private void awaitReady(TestNode node, String id) {
        await().until(() -> node.admin().find(queue, id).orElseThrow().state() == JobState.READY);
    }

    private void awaitFree(TestNode node, int workers) {
        await().until(() -> node.admin().nodes(queue).stream().anyMatch(known -> known.free() == workers));
    }

    /** With a lease that does not end while the test looks. */
    private static String submitWithLongLease(TestNode node) {
        return submit(node, Duration.ofMinutes(1));
    }

    private static String submit(TestNode node, Duration lease) {
        return node.producer()
                .submitDelayJob(
                        DelayJobRequest.toTopic(TOPIC, new Note("order", 42)).withLease(lease), Duration.ofMillis(100));
    }

    private static String submit(TestNode node) {
        return node.producer().submitDelayJob(TOPIC, new Note("order", 42), Duration.ofMillis(100));
    }
}
