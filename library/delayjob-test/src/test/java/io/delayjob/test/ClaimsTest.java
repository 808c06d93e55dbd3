package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobClaims;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.Explanation;
import io.delayjob.JobClaim;
import io.delayjob.JobEvent;
import io.delayjob.JobSettlement;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.NodeSnapshot;
import io.delayjob.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Workers elsewhere on the virtual clock. No bean runs the jobs of queue "pictures"; the application runs queue "shared" itself. */
@DelayJobTest(
        classes = Notes.class,
        properties = {"delayjob.queues.shared.max-attempts=2", "delayjob.max-attempts=3", "delayjob.backoff.initial=1m"
        })
@ExtendWith(OutputCaptureExtension.class)
class ClaimsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Of real time. */
    private static final Duration LONG = Duration.ofMinutes(2);

    private static final JobClaim CLAIM = JobClaim.of("pictures");
    private static final JobClaim WAITING = CLAIM.withMaxWait(MINUTE);

    private static CompletableFuture<List<ClaimedJob>> leftWaiting = CompletableFuture.completedFuture(List.of());

    @Autowired
    private DelayJobProducer producer;

    @Autowired
    private DelayJobAdmin admin;

    @Autowired
    private DelayJobClaims claims;

    @Autowired
    private Notes notes;

    @Autowired
    private VirtualClock clock;

    @Autowired
    private SubmittedJobs jobs;

    @BeforeEach
    void forget() {
        notes.clear();
    }

    private void submit(String id, Duration delay) {
        producer.submitDelayJob(request(id), delay);
    }

    private static DelayJobRequest<String> request(String id) {
        return DelayJobRequest.toTopic("thumbnail", id).withId(id).withQueue("pictures");
    }

    private static List<String> ids(List<ClaimedJob> claimed) {
        return claimed.stream().map(ClaimedJob::id).toList();
    }

    private ClaimedJob claimOne() throws InterruptedException {
        List<ClaimedJob> claimed = claims.claim(CLAIM);
        assertThat(claimed).hasSize(1);
        return claimed.get(0);
    }

    private boolean settle(JobSettlement settlement) {
        return claims.settle(List.of(settlement)).get(0);
    }

    private JobSnapshot find(String id) {
        return admin.find("pictures", id).orElseThrow();
    }

    @Test
    void getsWhatIsDueAndNothingEarly() throws InterruptedException {
        submit("a", MINUTE);
        submit("b", MINUTE);

        clock.advance(MINUTE.minusMillis(1));
        assertThat(claims.claim(CLAIM.withMax(10))).isEmpty();

        assertThat(clock.advance(Duration.ofMillis(1))).isZero();
        assertThat(ids(claims.claim(CLAIM.withMax(10)))).containsExactly("a", "b");
    }

    @Test
    void aClaimThatWaitsIsAnsweredAtTheDueTimeOfItsJob() {
        List<Instant> answered = new ArrayList<>();
        Instant start = clock.now();
        CompletableFuture<List<ClaimedJob>> claimed = claims.claimAsync(WAITING);
        var unused = claimed.thenRun(() -> answered.add(clock.now()));
        submit("a", MINUTE.dividedBy(2));

        clock.advance(Duration.ofHours(1));

        assertThat(ids(claimed.join())).containsExactly("a");
        assertThat(claimed.join().get(0).dueAt()).isEqualTo(start.plus(MINUTE.dividedBy(2)));
        assertThat(answered).containsExactly(start.plus(MINUTE.dividedBy(2)));
    }

    @Test
    void aWaitEndsByTheVirtualClock() {
        CompletableFuture<List<ClaimedJob>> claimed = claims.claimAsync(WAITING);

        clock.advance(MINUTE.minusMillis(1));
        assertThat(claimed).isNotDone();

        clock.advance(Duration.ofMillis(1));
        assertThat(claimed).isCompletedWithValue(List.of());
    }

    @Test
    void aJobThatIsDueAfterTheEndOfAWaitDoesNotAnswerIt() {
        CompletableFuture<List<ClaimedJob>> claimed = claims.claimAsync(WAITING);
        submit("a", MINUTE.plusMillis(1));

        clock.advance(Duration.ofHours(1));

        assertThat(claimed).isCompletedWithValue(List.of());
        assertThat(find("a").state()).isEqualTo(JobState.READY);
    }

    @Test
    void claimsThatWaitGetJobsInTheOrderInWhichTheyCame() {
        List<CompletableFuture<List<ClaimedJob>>> claimed =
                IntStream.range(0, 3).mapToObj(i -> claims.claimAsync(WAITING)).toList();
        IntStream.range(0, 3).forEach(i -> submit("job-" + i, SECOND.multipliedBy(i)));

        clock.advance(MINUTE.dividedBy(2));

        assertThat(claimed.stream().map(claim -> ids(claim.join())))
                .containsExactly(List.of("job-0"), List.of("job-1"), List.of("job-2"));
    }

    @Test
    void aJobIsHandedOutAgainWhenItsLeaseIsOverAndTheFirstHandleAppliesNoMore() throws InterruptedException {
        submit("a", Duration.ZERO);
        ClaimedJob first = claims.claim(CLAIM.withLease(Duration.ofSeconds(5))).get(0);
        assertThat(first.leaseEndsAt()).isEqualTo(clock.now().plusSeconds(5));

        clock.advance(Duration.ofSeconds(5).minusMillis(1));
        assertThat(claims.claim(CLAIM)).isEmpty();
        CompletableFuture<List<ClaimedJob>> next = claims.claimAsync(WAITING);
        clock.advance(Duration.ofMillis(1));

        ClaimedJob second = next.join().get(0);
        assertThat(second.attempt()).isEqualTo(2);
        assertThat(settle(new JobSettlement.Complete(first.handle(), null))).isFalse();
        assertThat(settle(new JobSettlement.Complete(second.handle(), null))).isTrue();
        jobs.assertCompleted("thumbnail").inAttempt(2).times(1);
    }

    @Test
    void anExtensionKeepsAJobForLonger() throws InterruptedException {
        submit("a", Duration.ZERO);
        ClaimedJob claimed =
                claims.claim(CLAIM.withLease(Duration.ofSeconds(5))).get(0);

        assertThat(settle(new JobSettlement.Extend(claimed.handle(), MINUTE))).isTrue();
        clock.advance(MINUTE.minusMillis(1));
        assertThat(claims.claim(CLAIM)).isEmpty();

        clock.advance(Duration.ofMillis(1));
        assertThat(claimOne().attempt()).isEqualTo(2);
    }

    @Test
    void settlementsAreWhatAssertionsSee() throws InterruptedException {
        submit("a", Duration.ZERO);
        assertThat(settle(new JobSettlement.Release(claimOne().handle()))).isTrue();
        ClaimedJob first = claimOne();
        assertThat(first.attempt()).isEqualTo(1);
        assertThat(settle(new JobSettlement.Report(first.handle(), new Progress(50, "half of it"))))
                .isTrue();
        assertThat(find("a").progress()).isEqualTo(new Progress(50, "half of it"));
        assertThat(claims.settleAsync(List.of(new JobSettlement.Retry(first.handle(), null, "no space"))))
                .isCompletedWithValue(List.of(true));
        jobs.assertRetried("thumbnail").inAttempt(1).withReasonContaining("no space");

        clock.advance(Duration.ofMinutes(2));
        assertThat(settle(new JobSettlement.Bury(claimOne().handle(), "not a picture")))
                .isTrue();

        jobs.assertDead("thumbnail").inAttempt(2).withReasonContaining("not a picture");
        assertThat(find("a").lastError()).isEqualTo("not a picture");
    }

    @Test
    void aJobIsDeadAfterTheLastAttemptThatItMayHave() throws InterruptedException {
        submit("a", Duration.ZERO);
        for (int attempt = 1; attempt <= 3; attempt++) {
            settle(new JobSettlement.Retry(claimOne().handle(), Duration.ZERO, "no space"));
        }

        jobs.assertDead("thumbnail").inAttempt(3).withReasonContaining("attempt 3 of 3 failed: no space");
    }

    @Test
    void aClaimGetsAJobBeforeTheBeanThatCouldRunIt() {
        CompletableFuture<List<ClaimedJob>> claimed =
                claims.claimAsync(JobClaim.of("default").withMaxWait(MINUTE));
        producer.submitDelayJob(Notes.class, "tea", SECOND);
        producer.submitDelayJob(Notes.class, "cake", SECOND.multipliedBy(2));

        assertThat(clock.advance(Duration.ofSeconds(5))).isEqualTo(1);

        assertThat(claimed.join().get(0).param()).isEqualTo("\"tea\"");
        assertThat(notes.taken()).containsExactly("cake");
    }

    @Test
    void aJobThatNoBeanCanRunInAQueueOfTheApplicationIsClaimedAtOnceAndInItsFirstAttempt() throws InterruptedException {
        Instant start = clock.now();
        producer.submitDelayJob(request("a").withQueue("shared"), SECOND);
        clock.advance(Duration.ofSeconds(3));

        List<ClaimedJob> claimed = claims.claim(JobClaim.of("shared"));

        assertThat(claimed)
                .singleElement()
                .returns(1, ClaimedJob::attempt)
                .returns(start.plusSeconds(1), ClaimedJob::dueAt);
    }

    @Test
    void aClaimMakesItsNodeOneThatTakesAnyJobForAMinute() throws InterruptedException {
        assertThat(claims.claim(CLAIM)).isEmpty();
        submit("a", Duration.ZERO);

        assertThat(admin.nodes("pictures")).singleElement().matches(NodeSnapshot::claims);
        assertThat(admin.explain("pictures", "a").reason()).isEqualTo(Explanation.Reason.WORKERS_BUSY);

        clock.advance(MINUTE);
        assertThat(admin.nodes("pictures")).isEmpty();
        assertThat(admin.explain("pictures", "a").reason()).isEqualTo(Explanation.Reason.NO_CONSUMER);
    }

    @Test
    void aPausedQueueAnswersNoClaimUntilItIsResumed() {
        admin.pause("pictures");
        submit("a", Duration.ZERO);
        CompletableFuture<List<ClaimedJob>> claimed = claims.claimAsync(WAITING);
        clock.advance(SECOND);
        assertThat(claimed).isNotDone();

        admin.resume("pictures");
        clock.runDue();

        assertThat(ids(claimed.join())).containsExactly("a");
    }

    @Test
    void aCancelledClaimGetsNothing() {
        CompletableFuture<List<ClaimedJob>> gone = claims.claimAsync(WAITING);
        CompletableFuture<List<ClaimedJob>> next = claims.claimAsync(WAITING);
        gone.cancel(true);
        submit("a", SECOND);

        clock.advance(SECOND);

        assertThat(ids(next.join())).containsExactly("a");
    }

    @Test
    void drainingReachesTheJobsThatClaimsWaitFor() {
        CompletableFuture<List<ClaimedJob>> claimed = claims.claimAsync(WAITING);
        Instant start = clock.now();
        submit("a", SECOND);

        assertThat(clock.drain()).isZero();

        assertThat(ids(claimed.join())).containsExactly("a");
        assertThat(clock.now()).isEqualTo(start.plus(SECOND));
    }

    @Test
    @WithDelayJobMode(DelayJobMode.INLINE)
    void aSubmitAnswersAClaimThatWaitsWhereJobsRunWithinTheirSubmit() {
        CompletableFuture<List<ClaimedJob>> claimed = claims.claimAsync(WAITING);

        submit("a", SECOND);

        assertThat(claimed).isCompletedWithValueMatching(jobs -> ids(jobs).equals(List.of("a")));
    }

    @Test
    void aRepeatedClaimGetsTheSameJob() throws InterruptedException {
        submit("a", Duration.ZERO);
        submit("b", Duration.ZERO);
        JobClaim claim = CLAIM.withId("claim-1");

        assertThat(ids(claims.claim(claim))).containsExactly("a");
        assertThat(ids(claims.claim(claim))).containsExactly("a");
        assertThat(find("b").state()).isEqualTo(JobState.READY);
    }

    @Test
    void aClaimThatNobodyMovesTheClockForEndsInRealTime() throws InterruptedException {
        assertThat(claims.claim(CLAIM.withMaxWait(Duration.ofMillis(50)))).isEmpty();
    }

    @Test
    void theClockPassesNoLeaseOfAnotherThreadBeforeThatHasSettled() throws InterruptedException {
        clock.awaitAcknowledgments(LONG);
        assertThat(handedOutTwiceWhileAThreadWorksOn("a", Duration.ofMillis(200)))
                .isFalse();
        jobs.assertCompleted("thumbnail").inAttempt(1);
    }

    @Test
    void theClockPassesALeaseOfAnotherThreadIfItIsToldNotToWait() throws InterruptedException {
        clock.awaitAcknowledgments(Duration.ZERO);
        assertThat(handedOutTwiceWhileAThreadWorksOn("a", LONG)).isTrue();
    }

    /**
     * Whether a claim that waits gets a job whose lease of 5 s ends by the virtual clock while a thread works on it.
     *
     * @param atMost how long it works, unless the clock has passed the lease by then
     */
    private boolean handedOutTwiceWhileAThreadWorksOn(String id, Duration atMost) throws InterruptedException {
        submit(id, Duration.ZERO);
        CountDownLatch claimed = new CountDownLatch(1);
        CountDownLatch passed = new CountDownLatch(1);
        ExecutorService worker = Executors.newSingleThreadExecutor();
        try {
            Future<Boolean> settled = worker.submit(() -> {
                ClaimedJob job =
                        claims.claim(CLAIM.withLease(Duration.ofSeconds(5))).get(0);
                claimed.countDown();
                boolean unused = passed.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
                return settle(new JobSettlement.Complete(job.handle(), null));
            });
            claimed.await();
            CompletableFuture<List<ClaimedJob>> waiting = claims.claimAsync(WAITING);
            clock.advance(Duration.ofSeconds(10));
            passed.countDown();
            assertThat(settled).succeedsWithin(LONG).isEqualTo(!waiting.isDone());
            return waiting.isDone();
        } finally {
            worker.shutdownNow();
        }
    }

    @Test
    void aWorkersErrorForgesNoLineOfTheLog(CapturedOutput output) throws InterruptedException {
        submit("forging", Duration.ZERO);
        ClaimedJob job = claims.claim(CLAIM).get(0);

        settle(new JobSettlement.Bury(job.handle(), "failed\n2030-01-01 ERROR all jobs are lost\u001b[2K"));

        assertThat(output)
                .contains("is dead", "\n\t2030-01-01 ERROR all jobs are lost")
                .doesNotContain("\n2030-01-01", "\u001b");
    }

    @Test
    void theClockWaitsForThreadsThatWorkOnClaimedJobs(CapturedOutput output) throws InterruptedException {
        clock.awaitAcknowledgments(LONG);
        List<String> done = new CopyOnWriteArrayList<>();
        ExecutorService workers = Executors.newSingleThreadExecutor();
        try {
            workers.execute(() -> work(done));
            IntStream.range(0, 5).forEach(i -> submit("job-" + i, Duration.ofHours(i + 1)));
            while (done.size() < 5) {
                clock.advance(Duration.ofHours(1));
            }
        } finally {
            workers.shutdownNow();
            assertThat(workers.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(done).containsExactlyInAnyOrder("job-0", "job-1", "job-2", "job-3", "job-4");
        assertThat(jobs.events().stream().filter(JobEvent.Completed.class::isInstance))
                .hasSize(5)
                .allMatch(event -> ((JobEvent.Completed) event).attempt() == 1);
        assertThat(output).doesNotContain("was not acknowledged");
    }

    /** Claims and completes jobs until the thread is interrupted. */
    private void work(List<String> done) {
        try {
            while (true) {
                for (ClaimedJob job : claims.claim(WAITING)) {
                    Thread.sleep(50);
                    settle(new JobSettlement.Complete(job.handle(), null));
                    done.add(job.id());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @RepeatedTest(2)
    void waitsAreOverBeforeTheNextTest() {
        assertThat(leftWaiting).isCompletedWithValue(List.of());

        leftWaiting = claims.claimAsync(WAITING);
        assertThat(leftWaiting).isNotDone();
    }
}
