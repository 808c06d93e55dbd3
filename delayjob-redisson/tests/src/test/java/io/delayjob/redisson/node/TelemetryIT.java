package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.AckMode;
import io.delayjob.DelayJobRequest;
import io.delayjob.engine.Note;
import io.delayjob.engine.TelemetryLog;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.handler.Handler;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.engine.telemetry.Vitals;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Measurements that a running node reports. */
@RealRedis
class TelemetryIT {

    private static final String TOPIC = "close-order";

    private final String queue = TestSettings.queue();
    private final TelemetryLog log = new TelemetryLog();

    @Test
    void measuresAnAttemptThatIsCancelled() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        try (TestNode node = start(AckMode.ON_SUCCESS, (execution, acknowledgment) -> {
            begun.countDown();
            Thread.sleep(TestSettings.SOON.toMillis());
        })) {
            node.awaitListening();
            submit(node);
            begun.await();
            node.admin().cancel(queue, "a");
            await().until(() -> log.lines().contains(queue + " ended close-order CANCELLED"));
            assertThat(log.lines()).doesNotContain(queue + " lost close-order");
        }
    }

    @Test
    void measuresAnAttemptThatNobodyAcknowledges() {
        try (TestNode node = start(TestSettings.defaults(), AckMode.MANUAL, (execution, acknowledgment) -> {
            if (execution.attempt() >= 2) {
                acknowledgment.acknowledge();
            }
        })) {
            submit(node);
            // The claim that hands it out again may come before this node has noticed that its own lease is over.
            await().untilAsserted(() -> assertThat(log.lines())
                    .contains(
                            queue + " ended close-order COMPLETED",
                            queue + " ended close-order UNACKNOWLEDGED",
                            queue + " expired",
                            queue + " claimed 1"));
            assertThat(log.executionNanos())
                    .anyMatch(nanos -> nanos > TestSettings.LEASE.dividedBy(2).toNanos());
        }
    }

    @Test
    void aNodeKnowsHowItsQueuesAreDoing() {
        try (TestNode node = start(AckMode.MANUAL, (execution, acknowledgment) -> {})) {
            await().until(() -> vitals(node).held() == 1);
            assertThat(vitals(node).workers()).isEqualTo(16);
            submit(node);
            await().until(() -> vitals(node).free() == 15);
            await().until(() -> vitals(node).sinceFeed().compareTo(Duration.ofSeconds(2)) < 0
                    && vitals(node).sinceClaim().compareTo(Duration.ofSeconds(2)) < 0);
            node.engine.stop();
            assertThat(node.engine.vitals(queue)).isEmpty();
        }
    }

    private Vitals vitals(TestNode node) {
        return node.engine.vitals(queue).orElseThrow();
    }

    private TestNode start(AckMode ackMode, Handler.Work work) {
        return start(TestNode.patient(), ackMode, work);
    }

    private TestNode start(QueueSettings settings, AckMode ackMode, Handler.Work work) {
        return TestNode.start(
                RedisServer.shared().url(),
                queue,
                settings,
                log.extensions(),
                TestSettings.listener(TOPIC, ackMode, work));
    }

    private static void submit(TestNode node) {
        node.producer()
                .submitDelayJob(DelayJobRequest.toTopic(TOPIC, new Note("a", 1)).withId("a"), Duration.ZERO);
    }
}
