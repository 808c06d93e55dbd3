package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobClaim;
import io.delayjob.JobSettlement;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A queue of which one node runs jobs with a bean, and another hands out jobs by claims. */
@RealRedis
class ClaimsBesideBeansIT {

    private static final Duration LONG = JobClaim.MAX_WAIT;

    private final String url = RedisServer.shared().url();
    private final String queue = TestSettings.queue();
    private final NoteJob job = new NoteJob();

    @Test
    void theBeansOfANodeThatAlsoClaimsInTheirQueueHearOfEachJobAtOnce() throws InterruptedException {
        try (TestNode node = TestNode.start(url, queue, job)) {
            assertThat(node.engine.claims().claim(JobClaim.of(queue))).isEmpty();
            await().atMost(TestSettings.SOON)
                    .until(() -> node.admin().nodes(queue).size() == 2);
            for (int i = 1; i <= 20; i++) {
                int submitted = i;
                node.producer().submitDelayJob(NoteJob.class, new Note("note-" + i, i), 0, TimeUnit.MILLISECONDS);
                await().atMost(TestSettings.SOON).until(() -> job.seen().size() == submitted);
            }
            // Without a ring, a node looks for jobs every 1.5 s or less often.
            assertThat(job.medianLatenessMillis()).isLessThan(400);
        }
    }

    @Test
    void aJobThatNoBeanCanRunGoesToWhoClaimsSoon() throws InterruptedException {
        try (TestNode runs = TestNode.start(url, queue, job);
                TestNode claims = TestNode.start(url, TestSettings.queue())) {
            var waiting = claims.engine.claims().claimAsync(JobClaim.of(queue).withMaxWait(LONG));
            await().atMost(TestSettings.SOON)
                    .until(() -> runs.admin().nodes(queue).size() == 2);
            runs.producer()
                    .submit(
                            DelayJobRequest.toTopic("elsewhere", new Note("a", 1))
                                    .withId("a")
                                    .withQueue(queue),
                            Duration.ZERO);
            List<ClaimedJob> claimed = waiting.join();
            assertThat(claimed).extracting(ClaimedJob::id).containsExactly("a");
            assertThat(claimed.get(0).attempt()).isEqualTo(1);
            assertThat(claims.engine
                            .claims()
                            .settle(List.of(
                                    new JobSettlement.Complete(claimed.get(0).handle(), null))))
                    .containsExactly(true);
        }
        assertThat(job.seen()).isEmpty();
    }
}
