package io.delayjob.test.shop;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobClaims;
import io.delayjob.DelayJobException;
import io.delayjob.JobClaim;
import io.delayjob.JobSettlement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A worker that is no bean of the application. */
class ThumbnailWorker implements Runnable {

    private static final JobClaim CLAIM = JobClaim.of("pictures")
            .withMax(10)
            .withMaxWait(Duration.ofSeconds(20))
            .withLease(Duration.ofMinutes(1));

    private final DelayJobClaims claims;
    private final Consumer<String> thumbnails;

    ThumbnailWorker(DelayJobClaims claims, Consumer<String> thumbnails) {
        this.claims = claims;
        this.thumbnails = thumbnails;
    }

    @Override
    public void run() {
        try {
            while (true) {
                claimAndWork();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void claimAndWork() throws InterruptedException {
        try {
            List<ClaimedJob> jobs = claims.claim(CLAIM);
            jobs.forEach(job -> claims.settle(List.of(work(job))));
        } catch (DelayJobException e) {
            // Redis is away. A job whose end it has not heard of runs again after its lease.
            TimeUnit.SECONDS.sleep(1);
        }
    }

    private JobSettlement work(ClaimedJob job) {
        try {
            thumbnails.accept(job.param());
            return new JobSettlement.Complete(job.handle(), null);
        } catch (RuntimeException e) {
            return new JobSettlement.Retry(job.handle(), null, e.toString());
        }
    }
}
