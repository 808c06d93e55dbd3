package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobRequest;
import io.delayjob.JobEvent;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.testing.OwnRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Redis is away for longer than leases last: jobs that run are not handed out again when it is back, but keep their leases. */
class LongOutageIT {

    private static final List<String> IDS =
            IntStream.range(0, 8).mapToObj(i -> "job-" + i).toList();

    /** It does not end before the outage, and is renewed soon after it. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    private final OwnRedis redis = OwnRedis.start("--appendonly", "yes", "--appendfsync", "always");
    private final String queue = TestSettings.queue();
    private final CountDownLatch over = new CountDownLatch(1);
    private final NoteJob job = new NoteJob(execution -> {
        if (IDS.contains(execution.id())) {
            over.await();
        }
    });

    @AfterEach
    void close() {
        redis.close();
    }

    @Tag("proof")
    @Test
    void eachJobRunsOnceThoughRedisStoodStillForLongerThanALease() throws Exception {
        eachJobRunsOnce(redis::pause, redis::resume);
    }

    @Test
    void eachJobRunsOnceThoughRedisWasGoneForLongerThanALease() throws Exception {
        eachJobRunsOnce(redis::kill, redis::restart);
    }

    private void eachJobRunsOnce(Runnable away, Runnable back) throws InterruptedException {
        EventLog events = new EventLog();
        try (TestNode first = start(events);
                TestNode second = start(events)) {
            IDS.forEach(id -> submit(first, id));
            await().atMost(TestSettings.SOON).until(() -> job.ids().size() == IDS.size());
            away.run();
            // The outage is what is tested.
            Thread.sleep(LEASE.plusSeconds(3).toMillis());
            int renewed = events.of(JobEvent.Renewed.class).size();
            back.run();
            await().atMost(TestSettings.SOON)
                    .until(() -> events.of(JobEvent.Renewed.class).stream()
                                    .skip(renewed)
                                    .map(JobEvent::id)
                                    .distinct()
                                    .count()
                            == IDS.size());
            submit(second, "after");
            await().atMost(TestSettings.SOON).until(() -> job.ids().contains("after"));
            over.countDown();
            await().atMost(TestSettings.SOON)
                    .until(() -> IDS.stream()
                            .allMatch(id -> first.admin().find(queue, id).isEmpty()));
            assertThat(job.ids()).hasSize(IDS.size() + 1).containsAll(IDS);
            assertThat(events.await(JobEvent.Completed.class, IDS.size() + 1)).hasSize(IDS.size() + 1);
            assertThat(events.of(JobEvent.Lost.class)).isEmpty();
        } finally {
            over.countDown();
        }
    }

    @Tag("proof")
    @Test
    void theJobOfANodeThatDiedInTheOutageRunsOnAnotherAfterTheGracePeriod() throws InterruptedException {
        EventLog events = new EventLog();
        TestNode dies = start(events);
        submit(dies, "job-0");
        await().atMost(TestSettings.SOON).until(() -> job.ids().size() == 1);
        try (TestNode lives = start(events)) {
            redis.pause();
            dies.kill();
            Thread.sleep(LEASE.plusSeconds(3).toMillis());
            redis.resume();
            over.countDown();
            await().atMost(TestSettings.SOON).until(() -> job.ids().equals(List.of("job-0", "job-0")));
            await().atMost(TestSettings.SOON)
                    .until(() -> lives.admin().counts(queue).reserved() == 0);
            assertThat(lives.admin().find(queue, "job-0")).isEmpty();
            assertThat(lives.admin().counts(queue).dead()).isZero();
        }
    }

    private TestNode start(EventLog events) {
        return TestNode.start(
                redis.url(),
                queue,
                TestNode.leasing(TestSettings.defaults(), LEASE),
                events.extensions(),
                TestSettings.registered(job));
    }

    private static void submit(TestNode node, String id) {
        node.producer()
                .submitDelayJob(
                        DelayJobRequest.of(NoteJob.class, new Note(id, 1)).withId(id), Duration.ZERO);
    }
}
