package io.delayjob.test.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobClaims;
import io.delayjob.JobClaim;
import io.delayjob.JobSettlement;
import io.delayjob.test.DelayJobTest;
import io.delayjob.test.SubmittedJobs;
import io.delayjob.test.VirtualClock;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Tests jobs that workers elsewhere claim. */
@DelayJobTest(classes = Pictures.class)
class PicturesTest {

    @Autowired
    Pictures pictures;

    @Autowired
    DelayJobClaims claims;

    @Autowired
    VirtualClock clock;

    @Autowired
    SubmittedJobs jobs;

    @Test
    void leavesThumbnailsToTheWorkerThatClaimsThem() {
        CompletableFuture<List<ClaimedJob>> claimed =
                claims.claimAsync(JobClaim.of("pictures").withMaxWait(Duration.ofSeconds(30)));
        pictures.upload("cat.png");

        clock.advance(Duration.ofSeconds(10));
        ClaimedJob job = claimed.join().get(0);
        assertThat(job.param()).isEqualTo("\"cat.png\"");

        claims.settle(List.of(new JobSettlement.Complete(job.handle(), null)));
        jobs.assertCompleted("thumbnail").inAttempt(1);
    }

    @Test
    void aWorkerOnAThreadOfItsOwnRetriesWhatFails() throws InterruptedException {
        Queue<String> made = new ConcurrentLinkedQueue<>();
        CountDownLatch done = new CountDownLatch(2);
        Thread worker = new Thread(new ThumbnailWorker(claims, file -> {
            made.add(file);
            done.countDown();
            if (made.size() == 1) {
                throw new IllegalStateException("the disk is full");
            }
        }));
        worker.start();
        pictures.upload("cat.png");

        while (done.getCount() > 0) {
            clock.advance(Duration.ofSeconds(5));
        }
        worker.interrupt();
        worker.join();

        assertThat(made).containsExactly("\"cat.png\"", "\"cat.png\"");
        jobs.assertRetried("thumbnail").inAttempt(1).withReasonContaining("the disk is full");
        jobs.assertCompleted("thumbnail").inAttempt(2);
    }
}
