package io.delayjob.redisson.node;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.delayjob.Backoff;
import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobClaims;
import io.delayjob.DelayJobRequest;
import io.delayjob.Explanation;
import io.delayjob.JobClaim;
import io.delayjob.JobEvent;
import io.delayjob.JobSettlement;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.NodeSnapshot;
import io.delayjob.Progress;
import io.delayjob.QueueCounts;
import io.delayjob.engine.Note;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Jobs that are claimed by workers that are no beans, and settled by handle. */
@RealRedis
class ClaimsIT {

    private static final Duration LONG = JobClaim.MAX_WAIT;
    private static final QueueCounts NOTHING = new QueueCounts(0, 0, 0, 0, 0, false);

    private final String queue = TestSettings.queue();
    private final EventLog log = new EventLog();
    private final TestNode node = start(log.extensions());
    private final DelayJobClaims claims = node.engine.claims();

    /** A node whose workers run another queue. */
    private static TestNode start(Extensions extensions) {
        return TestNode.start(RedisServer.shared().url(), TestSettings.queue(), TestNode.patient(), extensions);
    }

    @AfterEach
    void close() {
        node.close();
    }

    private DelayJobRequest<Note> job(String id) {
        return DelayJobRequest.toTopic("close-order", new Note(id, 1))
                .withId(id)
                .withQueue(queue);
    }

    private void submit(String id, Duration delay) {
        node.producer().submit(job(id), delay);
    }

    private ClaimedJob claimOne() throws InterruptedException {
        List<ClaimedJob> claimed = claims.claim(JobClaim.of(queue).withMaxWait(LONG));
        assertThat(claimed).hasSize(1);
        return claimed.get(0);
    }

    private boolean settle(JobSettlement settlement) {
        return claims.settle(List.of(settlement)).get(0);
    }

    private JobSnapshot find(String id) {
        return node.admin().find(queue, id).orElseThrow();
    }

    private static List<String> ids(List<ClaimedJob> jobs) {
        return jobs.stream().map(ClaimedJob::id).toList();
    }

    @Test
    void handsOutADueJobWithAllThatItsWorkerNeeds() throws InterruptedException {
        node.producer().submit(job("a").withHeader("tenant", "7"), Duration.ZERO);
        ClaimedJob claimed = claimOne();
        assertThat(claimed.queue()).isEqualTo(queue);
        assertThat(claimed.id()).isEqualTo("a");
        assertThat(claimed.topic()).isEqualTo("close-order");
        assertThat(claimed.param()).isEqualTo("{\"text\":\"a\",\"number\":1}");
        assertThat(claimed.headers()).containsEntry("tenant", "7");
        assertThat(claimed.attempt()).isEqualTo(1);
        JobSnapshot running = find("a");
        assertThat(running.state()).isEqualTo(JobState.RESERVED);
        assertThat(claimed.leaseEndsAt()).isEqualTo(running.leaseExpiresAt());
        assertThat(claimed.dueAt()).isEqualTo(running.dueAt());
        assertThat(claims.claim(JobClaim.of(queue))).isEmpty();
        assertThat(settle(new JobSettlement.Complete(claimed.handle(), null))).isTrue();
        assertThat(node.admin().counts(queue)).isEqualTo(NOTHING);
        assertThat(settle(new JobSettlement.Complete(claimed.handle(), null))).isFalse();
    }

    @Test
    void waitsForTheFirstJobAndHandsItOutWhenItIsDue() throws InterruptedException {
        CompletableFuture<List<ClaimedJob>> waiting =
                claims.claimAsync(JobClaim.of(queue).withMaxWait(LONG));
        submit("a", Duration.ofHours(1));
        assertThat(claims.claim(JobClaim.of(queue))).isEmpty();
        assertThat(waiting).isNotDone();
        node.admin().reschedule(queue, "a", Duration.ofMillis(700));
        ClaimedJob claimed = waiting.orTimeout(120, SECONDS).join().get(0);
        Instant begun = find("a").startedAt();
        assertThat(begun).isAfterOrEqualTo(claimed.dueAt());
    }

    @Test
    void aClaimThatNothingBecomesDueForEndsEmpty() throws InterruptedException {
        submit("later", Duration.ofHours(1));
        assertThat(claims.claim(JobClaim.of(queue).withMaxWait(Duration.ofMillis(300))))
                .isEmpty();
        assertThat(node.admin().counts(queue).delayed()).isEqualTo(1);
    }

    @Test
    void retriesAfterTheJobsBackoffAndIsDeadAfterTheLastAttempt() throws InterruptedException {
        node.producer()
                .submit(job("a").withMaxAttempts(2).withBackoff(Backoff.fixed(Duration.ofMillis(50))), Duration.ZERO);
        assertThat(settle(new JobSettlement.Retry(claimOne().handle(), null, "no answer")))
                .isTrue();
        assertThat(find("a").lastError()).isEqualTo("no answer");
        ClaimedJob second = claimOne();
        assertThat(second.attempt()).isEqualTo(2);
        assertThat(settle(new JobSettlement.Retry(second.handle(), null, "no answer")))
                .isTrue();
        JobSnapshot dead = find("a");
        assertThat(dead.state()).isEqualTo(JobState.DEAD);
        assertThat(dead.lastError()).isEqualTo("attempt 2 of 2 failed: no answer");
    }

    @Test
    void retriesAfterADelayOfTheWorkersChoice() throws InterruptedException {
        submit("a", Duration.ZERO);
        ClaimedJob claimed = claimOne();
        assertThat(settle(new JobSettlement.Retry(claimed.handle(), Duration.ofHours(1), "busy")))
                .isTrue();
        assertThat(find("a").dueAt()).isAfter(claimed.dueAt().plus(Duration.ofMinutes(59)));
    }

    @Test
    void aReleaseSpendsNoAttemptAndABuriedJobIsDead() throws InterruptedException {
        submit("a", Duration.ZERO);
        assertThat(settle(new JobSettlement.Release(claimOne().handle()))).isTrue();
        ClaimedJob again = claimOne();
        assertThat(again.attempt()).isEqualTo(1);
        assertThat(settle(new JobSettlement.Bury(again.handle(), "no such order")))
                .isTrue();
        assertThat(find("a").state()).isEqualTo(JobState.DEAD);
        assertThat(find("a").lastError()).isEqualTo("no such order");
    }

    @Test
    void extendsTheLeaseAndReportsProgress() throws InterruptedException {
        submit("a", Duration.ZERO);
        ClaimedJob claimed = claimOne();
        assertThat(claims.settle(List.of(
                        new JobSettlement.Extend(claimed.handle(), Duration.ofMinutes(10)),
                        new JobSettlement.Report(claimed.handle(), new Progress(40, "half way")))))
                .containsExactly(true, true);
        assertThat(find("a").leaseExpiresAt()).isAfter(claimed.leaseEndsAt().plus(Duration.ofMinutes(4)));
        assertThat(find("a").progress()).isEqualTo(new Progress(40, "half way"));
    }

    @Test
    void aJobWhoseLeaseEndedIsHandedOutAgainAndItsFirstHandleAppliesNoLonger() throws InterruptedException {
        submit("a", Duration.ZERO);
        ClaimedJob first = claims.claim(
                        JobClaim.of(queue).withLease(Duration.ofSeconds(1)).withMaxWait(LONG))
                .get(0);
        ClaimedJob second = claimOne();
        assertThat(second.attempt()).isEqualTo(2);
        assertThat(settle(new JobSettlement.Complete(first.handle(), null))).isFalse();
        assertThat(settle(new JobSettlement.Complete(second.handle(), null))).isTrue();
    }

    @Test
    void anyNodeSettlesAnAttempt() throws InterruptedException {
        submit("a", Duration.ZERO);
        ClaimedJob claimed = claimOne();
        try (TestNode other = start(Extensions.NONE)) {
            assertThat(other.engine.claims().settle(List.of(new JobSettlement.Complete(claimed.handle(), null))))
                    .containsExactly(true);
        }
    }

    @Test
    void aNodeThatRunsNoJobsSettlesToo() throws InterruptedException {
        submit("a", Duration.ZERO);
        ClaimedJob claimed = claimOne();
        try (TestNode idle = new TestNode(
                RedisServer.shared().url(), TestSettings.queue(), TestSettings.defaults(), Extensions.NONE)) {
            assertThat(idle.engine.claims().settle(List.of(new JobSettlement.Complete(claimed.handle(), null))))
                    .containsExactly(true);
            assertThatIllegalStateException()
                    .isThrownBy(() -> idle.engine.claims().claimAsync(JobClaim.of(queue)))
                    .withMessageContaining("this node claims no jobs");
        }
    }

    @Test
    void aPausedQueueGivesNothingUntilItIsResumed() throws InterruptedException {
        CompletableFuture<List<ClaimedJob>> waiting =
                claims.claimAsync(JobClaim.of(queue).withMaxWait(LONG));
        node.admin().pause(queue);
        submit("a", Duration.ZERO);
        assertThat(claims.claim(JobClaim.of(queue).withMaxWait(Duration.ofMillis(300))))
                .isEmpty();
        assertThat(waiting).isNotDone();
        node.admin().resume(queue);
        assertThat(ids(waiting.orTimeout(120, SECONDS).join())).containsExactly("a");
    }

    @Test
    void theAdminShowsWhoClaimsAndWhoHasAJob() throws InterruptedException {
        String name = node.name() + "~claims";
        CompletableFuture<List<ClaimedJob>> waiting =
                claims.claimAsync(JobClaim.of(queue).withMaxWait(LONG));
        await().atMost(TestSettings.SOON)
                .until(() -> node.admin()
                        .nodes(queue)
                        .equals(List.of(new NodeSnapshot(name, 1, 1, Set.of(NodeSnapshot.ANY_JOB)))));
        submit("a", Duration.ZERO);
        submit("b", Duration.ZERO);
        assertThat(waiting.orTimeout(120, SECONDS).join()).hasSize(1);
        assertThat(find("a").node()).isEqualTo(name);
        assertThat(node.admin().explain(queue, "a").text())
                .contains("attempt 1 runs on a worker elsewhere, which claimed it on node " + node.name() + " since ");
        await().atMost(TestSettings.SOON)
                .until(() -> node.admin().explain(queue, "b").reason() == Explanation.Reason.WORKERS_BUSY);
        assertThat(node.admin().explain(queue, "b").text())
                .contains("no worker elsewhere waits for a job: no claim waits on " + name);
        assertThat(node.admin().unconsumedQueues()).doesNotContainKey(queue);
    }

    @Test
    void aCancelledClaimGetsNothing() {
        CompletableFuture<List<ClaimedJob>> gone =
                claims.claimAsync(JobClaim.of(queue).withMaxWait(LONG));
        CompletableFuture<List<ClaimedJob>> next =
                claims.claimAsync(JobClaim.of(queue).withMaxWait(LONG));
        gone.cancel(true);
        submit("a", Duration.ZERO);
        assertThat(ids(next.orTimeout(120, SECONDS).join())).containsExactly("a");
        assertThat(find("a").attempt()).isEqualTo(1);
    }

    @Test
    void whatIsClaimedWhileItsClaimIsCancelledIsGivenBackUnspent() throws InterruptedException {
        int jobs = 200;
        Set<String> seen = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < jobs; i++) {
            submit("job-" + i, Duration.ZERO);
            // Most of these are cancelled while Redis hands out a job to them.
            CompletableFuture<List<ClaimedJob>> claim =
                    claims.claimAsync(JobClaim.of(queue).withMaxWait(LONG).withLease(Duration.ofMinutes(5)));
            if (!claim.cancel(true)) {
                seen.addAll(ids(claim.join()));
            }
        }
        await().atMost(TestSettings.SOON).until(() -> {
            claims.claim(JobClaim.of(queue).withMax(jobs).withLease(Duration.ofMinutes(5)))
                    .forEach(job -> {
                        assertThat(job.attempt()).isEqualTo(1);
                        seen.add(job.id());
                    });
            return seen.size() == jobs;
        });
        // The race was hit.
        log.await(JobEvent.Released.class, 1);
    }

    @Test
    void prefersTheFirstQueue() throws InterruptedException {
        String other = TestSettings.queue();
        node.producer().submit(job("second").withQueue(other), Duration.ZERO);
        submit("first", Duration.ZERO);
        JobClaim both = JobClaim.of(List.of(queue, other)).withMax(10).withMaxWait(LONG);
        assertThat(ids(claims.claim(both))).containsExactly("first");
        assertThat(ids(claims.claim(both))).containsExactly("second");
        CompletableFuture<List<ClaimedJob>> waiting = claims.claimAsync(both);
        node.producer().submit(job("third").withQueue(other), Duration.ofMillis(100));
        assertThat(ids(waiting.orTimeout(120, SECONDS).join())).containsExactly("third");
    }

    @Test
    void oneClaimGetsMoreJobsThanACallCarries() throws InterruptedException {
        node.producer()
                .submitAll(
                        IntStream.range(0, 700).mapToObj(i -> job("job-" + i)).toList(), Duration.ZERO);
        Set<String> seen = ConcurrentHashMap.newKeySet();
        List<ClaimedJob> claimed = claims.claim(JobClaim.of(queue).withMax(650).withMaxWait(LONG));
        assertThat(claimed).hasSize(650);
        claimed.forEach(job -> assertThat(seen.add(job.id())).isTrue());
        assertThat(claims.claim(JobClaim.of(queue).withMax(650))).hasSize(50);
        assertThat(claims.settle(claimed.stream()
                        .map(job -> new JobSettlement.Complete(job.handle(), null))
                        .toList()))
                .hasSize(650)
                .containsOnly(true);
    }

    @Test
    void claimsWaitInTheOrderInWhichTheyCame() {
        List<CompletableFuture<List<ClaimedJob>>> waiting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiting.add(claims.claimAsync(JobClaim.of(queue).withMaxWait(LONG)));
        }
        for (int i = 0; i < 20; i++) {
            submit("job-" + i, Duration.ZERO);
            assertThat(ids(waiting.get(i).orTimeout(120, SECONDS).join())).containsExactly("job-" + i);
        }
    }

    @Test
    void tenThousandClaimsWaitWithoutAThreadEach() {
        int before = Thread.activeCount();
        List<CompletableFuture<List<ClaimedJob>>> waiting = IntStream.range(0, 10_000)
                .mapToObj(i ->
                        claims.claimAsync(JobClaim.of(queue).withMaxWait(LONG).withLease(Duration.ofMinutes(5))))
                .toList();
        assertThat(Thread.activeCount()).isLessThan(before + 50);
        node.producer()
                .submitAll(
                        IntStream.range(0, 500).mapToObj(i -> job("job-" + i)).toList(), Duration.ofMillis(100));
        await().atMost(TestSettings.SOON)
                .until(() -> waiting.stream().filter(CompletableFuture::isDone).count() == 500);
        waiting.forEach(claim -> claim.cancel(true));
        assertThat(node.admin().counts(queue).reserved()).isEqualTo(500);
    }

    @Test
    void aRepeatedClaimGetsTheSameJobsOnAnotherNode() throws InterruptedException {
        submit("a", Duration.ZERO);
        submit("b", Duration.ZERO);
        submit("c", Duration.ZERO);
        JobClaim claim = JobClaim.of(queue).withMax(2).withId("claim-" + queue).withMaxWait(LONG);
        List<ClaimedJob> first = claims.claim(claim);
        assertThat(first).hasSize(2);
        try (TestNode other = start(Extensions.NONE)) {
            List<ClaimedJob> again = other.engine.claims().claim(claim);
            assertThat(ids(again)).containsExactlyElementsOf(ids(first));
            assertThat(again).extracting(ClaimedJob::attempt).containsOnly(1);
            assertThat(other.engine
                            .claims()
                            .settle(List.of(
                                    new JobSettlement.Complete(first.get(0).handle(), null))))
                    .containsExactly(true);
            assertThat(ids(claims.claim(claim))).containsExactly(first.get(1).id());
        }
    }

    @Test
    void aRepeatFindsItsJobsInALaterQueueThoughTheFirstHasJobsNow() throws InterruptedException {
        String other = TestSettings.queue();
        node.producer().submit(job("second").withQueue(other), Duration.ZERO);
        JobClaim claim =
                JobClaim.of(List.of(queue, other)).withId("claim-" + queue).withMaxWait(LONG);
        assertThat(ids(claims.claim(claim))).containsExactly("second");
        submit("first", Duration.ZERO);
        assertThat(ids(claims.claim(claim))).containsExactly("second");
    }

    @Test
    void aStopAnswersWaitingClaims() {
        CompletableFuture<List<ClaimedJob>> waiting =
                claims.claimAsync(JobClaim.of(queue).withMaxWait(Duration.ofSeconds(50)));
        node.engine.stop();
        assertThat(waiting.orTimeout(120, SECONDS).join()).isEmpty();
        assertThatIllegalStateException()
                .isThrownBy(() -> claims.claimAsync(JobClaim.of(queue)))
                .withMessageContaining("this node claims no jobs");
    }

    @Test
    void publishesTheEventsOfEveryAttempt() throws InterruptedException {
        node.producer()
                .submit(job("a").withMaxAttempts(2).withBackoff(Backoff.fixed(Duration.ofMillis(10))), Duration.ZERO);
        settle(new JobSettlement.Release(claimOne().handle()));
        ClaimedJob first = claimOne();
        settle(new JobSettlement.Extend(first.handle(), Duration.ofMinutes(1)));
        settle(new JobSettlement.Retry(first.handle(), null, "busy"));
        settle(new JobSettlement.Retry(claimOne().handle(), null, "still busy"));
        submit("b", Duration.ZERO);
        settle(new JobSettlement.Complete(claimOne().handle(), null));
        assertThat(log.await(JobEvent.Completed.class, 1))
                .singleElement()
                .returns("close-order", JobEvent.Completed::job)
                .returns(1, JobEvent.Completed::attempt);
        assertThat(log.stepsOf("a"))
                .containsExactly("Claimed", "Released", "Claimed", "Renewed", "Retried", "Claimed", "Buried");
        assertThat(log.of(JobEvent.Buried.class))
                .singleElement()
                .returns("attempt 2 of 2 failed: still busy", JobEvent.Buried::reason)
                .returns("{\"text\":\"a\",\"number\":1}", JobEvent.Buried::param);
        assertThat(log.stepsOf("b")).containsExactly("Claimed", "Completed");
    }

    @Test
    void anInvalidHandleIsNamedAndNothingIsSettled() throws InterruptedException {
        submit("a", Duration.ZERO);
        ClaimedJob claimed = claimOne();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> claims.settle(List.of(
                        new JobSettlement.Complete(claimed.handle(), null),
                        new JobSettlement.Complete("made-up", null))))
                .withMessageContaining("not a handle of a claimed job: 'made-up'");
        assertThat(find("a").state()).isEqualTo(JobState.RESERVED);
    }

    @Test
    void aJobWithoutAttemptsLeftIsNotHandedOut() throws InterruptedException {
        node.producer().submit(job("a").withMaxAttempts(1), Duration.ZERO);
        assertThat(claims.claim(
                        JobClaim.of(queue).withLease(Duration.ofSeconds(1)).withMaxWait(LONG)))
                .hasSize(1);
        CompletableFuture<List<ClaimedJob>> waiting =
                claims.claimAsync(JobClaim.of(queue).withMaxWait(LONG));
        assertThat(node.awaitDead(queue, "a").lastError()).contains("never ended");
        assertThat(waiting).isNotDone();
        waiting.cancel(true);
    }
}
