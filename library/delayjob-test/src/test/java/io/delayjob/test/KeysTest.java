package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobState;
import io.delayjob.Limits;
import io.delayjob.RateLimitedException;
import io.delayjob.TooManyKeysException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@DelayJobTest(
        classes = KeysTest.Syncs.class,
        properties = {
            "delayjob.default-queue=syncs",
            "delayjob.queues.syncs.limits.per-key.rate.permits=2",
            "delayjob.queues.syncs.limits.per-key.rate.per=1m",
            "delayjob.queues.syncs.backoff.initial=10m",
            "delayjob.queues.syncs.backoff.jitter=0",
            "delayjob.queues.spread.shards=4"
        })
class KeysTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String QUEUE = "syncs";

    /** A queue with several shards. */
    private static final String SPREAD = "spread";

    static class Syncs {

        private final List<String> done = new ArrayList<>();
        private final VirtualClock clock;
        private Instant from = Instant.EPOCH;
        private int failures;
        private boolean isToldToSlowDown;

        Syncs(VirtualClock clock) {
            this.clock = clock;
        }

        @DelayJobListener(topic = "sync", queue = QUEUE)
        void sync(String shop) {
            if (isToldToSlowDown) {
                isToldToSlowDown = false;
                throw new RateLimitedException(Duration.ofHours(1));
            } else if (failures > 0) {
                failures--;
                throw new IllegalStateException("not now");
            }
            done.add(shop + " after " + Duration.between(from, clock.now()).toSeconds() + " s");
        }

        @DelayJobListener(topic = "spread", queue = SPREAD)
        void syncOfAnyShard(String shop) {
            sync(shop);
        }
    }

    @Autowired
    private DelayJobProducer producer;

    @Autowired
    private DelayJobAdmin admin;

    @Autowired
    private Syncs syncs;

    @Autowired
    private VirtualClock clock;

    @Autowired
    private SubmittedJobs jobs;

    @BeforeEach
    void forget() {
        admin.clearLimits(QUEUE);
        syncs.done.clear();
        syncs.from = clock.now();
    }

    private void submit(String shop, int number) {
        producer.submitDelayJob(DelayJobRequest.toTopic("sync", shop + number).withKey(shop), Duration.ZERO);
    }

    @Test
    void theRateInTheSettingsSpreadsTheJobsOfEachKey() {
        submit("a", 1);
        submit("a", 2);
        submit("a", 3);
        submit("b", 1);
        clock.advance(MINUTE);
        assertThat(syncs.done).containsExactly("a1 after 0 s", "b1 after 0 s", "a2 after 30 s", "a3 after 60 s");
        jobs.assertSubmitted("sync").withKey("a").times(3);
    }

    @Test
    void aStrictKeyWaitsForAFailedJobAndOthersDoNot() {
        admin.setLimits(QUEUE, Limits.NONE.withPerKey(Limits.NONE.withOrder(Limits.Order.STRICT)));
        syncs.failures = 1;
        submit("c", 1);
        submit("c", 2);
        submit("d", 1);
        clock.advance(Duration.ofMinutes(10));
        assertThat(syncs.done).containsExactly("d1 after 0 s", "c1 after 600 s", "c2 after 600 s");
    }

    @Test
    void aDeadJobHoldsItsKeyInThatOrderUntilItIsPurged() {
        admin.setLimits(QUEUE, Limits.NONE.withPerKey(Limits.NONE.withOrder(Limits.Order.STRICT_HOLD)));
        syncs.failures = 10;
        submit("h", 1);
        submit("h", 2);
        clock.advance(Duration.ofDays(1));
        assertThat(syncs.done).isEmpty();
        assertThat(admin.limits(QUEUE).longest())
                .singleElement()
                .satisfies(key -> assertThat(key.dead()).hasSize(1));
        admin.purgeDead(QUEUE, Duration.ZERO, 9);
        clock.advance(Duration.ofSeconds(1));
        assertThat(syncs.done).containsExactly("h2 after 86400 s");
    }

    @Test
    void aHandlerThatIsToldToSlowDownSpendsNoAttempt() {
        admin.setLimits(QUEUE, Limits.NONE);
        syncs.isToldToSlowDown = true;
        submit("e", 1);
        submit("e", 2);
        submit("f", 1);
        clock.advance(Duration.ofHours(1));
        assertThat(syncs.done).containsExactly("f1 after 0 s", "e1 after 3600 s", "e2 after 3600 s");
        assertThat(admin.limits(QUEUE).keyedJobs()).isZero();
    }

    @Test
    void aHandlerOfAJobWithoutAKeySlowsAllShardsOfItsQueue() {
        syncs.isToldToSlowDown = true;
        for (int number = 0; number < 40; number++) {
            producer.submitDelayJob(
                    DelayJobRequest.toTopic("spread", "s" + number).withQueue(SPREAD), Duration.ZERO);
        }
        clock.advance(Duration.ZERO);
        // One job of each other shard may have been claimed before.
        assertThat(syncs.done).hasSizeLessThan(4);
        clock.advance(Duration.ofHours(1));
        assertThat(syncs.done).hasSize(40);
    }

    @Test
    void aPausedKeyKeepsItsJobs() {
        admin.pause(QUEUE, "g");
        submit("g", 1);
        clock.advance(MINUTE);
        assertThat(syncs.done).isEmpty();
        assertThat(admin.limits(QUEUE).longest()).singleElement().satisfies(key -> {
            assertThat(key.key()).isEqualTo("g");
            assertThat(key.paused()).isTrue();
        });
        String id = admin.limits(QUEUE).longest().get(0).next();
        assertThat(admin.find(QUEUE, id).orElseThrow().state()).isEqualTo(JobState.READY);
        admin.resume(QUEUE, "g");
        clock.advance(Duration.ZERO);
        assertThat(syncs.done).hasSize(1);
    }

    @Test
    void theKeyThatIsOneTooManyIsRefusedByName() {
        String full = "full";
        for (int n = 0; n < 10_000; n++) {
            admin.pause(full, "key-" + n);
        }
        assertThatExceptionOfType(TooManyKeysException.class)
                .isThrownBy(() -> admin.pause(full, "one more"))
                .withMessageContaining("'one more'");
        assertThatExceptionOfType(TooManyKeysException.class)
                .isThrownBy(() -> admin.setLimits(full, "one more", Limits.NONE.withConcurrency(1)));
    }
}
