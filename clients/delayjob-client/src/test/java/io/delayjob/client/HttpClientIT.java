package io.delayjob.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.Backoff;
import io.delayjob.ClaimedJob;
import io.delayjob.Dedupe;
import io.delayjob.DelayJobException;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobClaim;
import io.delayjob.JobSettlement;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.JobSubmissionException;
import io.delayjob.Progress;
import io.delayjob.SubmitResult;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.testing.RealRedis;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The client with a real server. */
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HttpClientIT {

    private static final Duration WAIT = JobClaim.MAX_WAIT;

    private TestServer server;
    private HttpDelayJobProducer producer;
    private HttpDelayJobClaims claims;

    @BeforeAll
    void start() {
        server = new TestServer("delayjob.queues.sharded.shards=4", "delayjob.lease=2m");
        producer = new HttpDelayJobProducer(server.settings());
        claims = new HttpDelayJobClaims(server.settings());
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private ClaimedJob claimed(String queue) throws InterruptedException {
        return claimed(JobClaim.of(queue).withMaxWait(WAIT));
    }

    private ClaimedJob claimed(JobClaim claim) throws InterruptedException {
        List<ClaimedJob> jobs = claims.claim(claim);
        assertThat(jobs).hasSize(1);
        return jobs.get(0);
    }

    @Test
    void aJobGoesFromSubmitToComplete() throws InterruptedException {
        Map<String, Object> param = Map.of("price", new BigDecimal("12345678901234567890.1234567890123456789000"));
        SubmitResult stored = producer.submit(
                DelayJobRequest.toTopic("greet", param).withQueue("whole").withHeader("shop", "7"),
                Duration.ofSeconds(1));
        assertThat(stored.outcome()).isEqualTo(Outcome.STORED);

        ClaimedJob job = claimed(JobClaim.of("whole").withMaxWait(WAIT).withWorker("w-1"));

        assertThat(job.id()).isEqualTo(stored.id());
        assertThat(job.queue()).isEqualTo("whole");
        assertThat(job.topic()).isEqualTo("greet");
        assertThat(job.param()).isEqualTo("{\"price\":12345678901234567890.1234567890123456789000}");
        assertThat(job.headers()).containsEntry("shop", "7");
        assertThat(job.attempt()).isEqualTo(1);
        assertThat(job.dueAt()).isBeforeOrEqualTo(Instant.now().plusMillis(50));
        assertThat(server.admin().find("whole", stored.id()))
                .get()
                .returns(JobState.RESERVED, JobSnapshot::state)
                .returns("w-1", JobSnapshot::node);
        assertThat(claims.settle(List.of(new JobSettlement.Complete(job.handle(), "{\"sent\": true}"))))
                .containsExactly(true);
        assertThat(claims.settle(List.of(new JobSettlement.Complete(job.handle(), null))))
                .containsExactly(false);
        assertThat(server.admin().find("whole", stored.id())).isEmpty();
    }

    @Test
    void everyOptionArrives() {
        DelayJobRequest<String> request = DelayJobRequest.toTopic("greet", "Ann")
                .withId("all")
                .withQueue("options")
                .withMaxAttempts(3)
                .withBackoff(Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1)))
                .withLease(Duration.ofSeconds(30))
                .withTimeout(Duration.ofSeconds(20))
                .withTimeToLive(Duration.ofHours(1))
                .withDedupe(Dedupe.untilFinished("ann"));
        Instant dueAt = Instant.parse("2100-01-31T08:00:00.123Z");

        assertThat(producer.submit(request, dueAt).outcome()).isEqualTo(Outcome.STORED);
        assertThat(producer.submit(request.withId("other"), dueAt))
                .isEqualTo(new SubmitResult("options", "all", Outcome.KEPT));
        assertThat(server.admin().find("options", "all")).get().returns(dueAt, JobSnapshot::dueAt);
    }

    @Test
    void manyJobsAreSubmittedAndClaimedAndCompletedTogether() throws InterruptedException {
        List<DelayJobRequest<Integer>> requests = IntStream.range(0, 1200)
                .mapToObj(i -> DelayJobRequest.toTopic("t", i).withId("j-" + i).withQueue("many"))
                .toList();

        assertThat(producer.submitAll(requests, Duration.ZERO))
                .hasSize(1200)
                .allMatch(result -> result.outcome() == Outcome.STORED);
        assertThat(producer.submitAll(requests.subList(0, 2), Duration.ZERO))
                .extracting(SubmitResult::outcome)
                .containsOnly(Outcome.EXISTS);
        int done = 0;
        while (done < 1200) {
            List<ClaimedJob> jobs =
                    claims.claim(JobClaim.of("many").withMax(1000).withMaxWait(WAIT));
            assertThat(jobs).isNotEmpty();
            assertThat(claims.settle(jobs.stream()
                            .map(job -> new JobSettlement.Complete(job.handle(), null))
                            .toList()))
                    .containsOnly(true);
            done += jobs.size();
        }
        assertThat(done).isEqualTo(1200);
    }

    @Test
    void aCancelledClaimLeavesTheJobToAnother() {
        // Once more if its answer was on its way: the job then comes back when its lease ends, as a second attempt.
        await().untilAsserted(this::cancelOneOfTwoClaims);
    }

    private void cancelOneOfTwoClaims() {
        String queue = "cancel-" + UUID.randomUUID();
        CompletableFuture<List<ClaimedJob>> first =
                claims.claimAsync(JobClaim.of(queue).withMaxWait(Duration.ofSeconds(60)));
        await().until(() -> !server.admin().nodes(queue).isEmpty());
        CompletableFuture<List<ClaimedJob>> second =
                claims.claimAsync(JobClaim.of(queue).withMaxWait(Duration.ofSeconds(10)));

        first.cancel(true);
        producer.submit(DelayJobRequest.toTopic("t").withId("a").withQueue(queue), Duration.ZERO);

        assertThat(second).succeedsWithin(Duration.ofMinutes(2)).satisfies(jobs -> {
            assertThat(jobs).singleElement().returns("a", ClaimedJob::id).returns(1, ClaimedJob::attempt);
        });
    }

    @Test
    void aClaimIsAnsweredWithoutJobsWhenItsWaitEnds() throws InterruptedException {
        long begun = System.nanoTime();

        assertThat(claims.claim(JobClaim.of("nothing").withMaxWait(Duration.ofSeconds(1))))
                .isEmpty();

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isBetween(Duration.ofMillis(990), WAIT);
    }

    @Test
    void aFailedAttemptIsRetriedUntilTheJobIsDead() throws InterruptedException {
        producer.submit(
                DelayJobRequest.toTopic("t").withId("a").withQueue("retry").withMaxAttempts(2), Duration.ZERO);

        for (int attempt = 1; attempt <= 2; attempt++) {
            ClaimedJob job = claimed("retry");
            assertThat(job.attempt()).isEqualTo(attempt);
            assertThat(claims.settle(List.of(new JobSettlement.Retry(job.handle(), Duration.ZERO, "smtp down"))))
                    .containsExactly(true);
        }

        assertThat(server.admin().find("retry", "a"))
                .get()
                .returns(JobState.DEAD, JobSnapshot::state)
                .satisfies(job -> assertThat(job.lastError()).contains("smtp down"));
    }

    @Test
    void everySettlementApplies() throws InterruptedException {
        producer.submit(DelayJobRequest.toTopic("t").withId("a").withQueue("settle"), Duration.ZERO);
        ClaimedJob job = claimed(JobClaim.of("settle").withMaxWait(WAIT).withLease(Duration.ofSeconds(20)));

        assertThat(claims.settle(List.of(
                        new JobSettlement.Extend(job.handle(), Duration.ofMinutes(10)),
                        new JobSettlement.Report(job.handle(), new Progress(40, "half")))))
                .containsExactly(true, true);
        assertThat(server.admin().find("settle", "a"))
                .get()
                .returns(new Progress(40, "half"), JobSnapshot::progress)
                .satisfies(held ->
                        assertThat(held.leaseExpiresAt()).isAfter(Instant.now().plusSeconds(500)));
        assertThat(claims.settle(List.of(new JobSettlement.Release(job.handle()))))
                .containsExactly(true);
        ClaimedJob again = claimed("settle");
        assertThat(again.attempt()).isEqualTo(1);
        assertThat(claims.settle(List.of(new JobSettlement.Bury(again.handle(), "half \uD83D"))))
                .containsExactly(true);
        assertThat(server.admin().find("settle", "a")).get().returns(JobState.DEAD, JobSnapshot::state);
    }

    @Test
    void aClaimWithAnIdIsRepeated() throws InterruptedException {
        producer.submit(DelayJobRequest.toTopic("t").withQueue("repeat"), Duration.ZERO);
        producer.submit(DelayJobRequest.toTopic("t").withQueue("repeat"), Duration.ZERO);
        JobClaim claim = JobClaim.of("repeat").withMaxWait(WAIT).withId("c-1");

        assertThat(claimed(claim).id()).isEqualTo(claimed(claim).id());
    }

    @Test
    void aJobWithADedupeKeyGetsAnIdAlsoInAQueueOfSeveralShards() {
        DelayJobRequest<Void> request =
                DelayJobRequest.toTopic("t").withQueue("sharded").withDedupe(Dedupe.untilFinished("k"));

        SubmitResult first = producer.submit(request, Duration.ofHours(1));
        SubmitResult second = producer.submit(request, Duration.ofHours(1));

        assertThat(first.outcome()).isEqualTo(Outcome.STORED);
        assertThat(second).isEqualTo(new SubmitResult("sharded", first.id(), Outcome.KEPT));
    }

    @Test
    void theTraceOfASubmitComesToItsWorker() throws InterruptedException {
        String trace = "0af7651916cd43dd8448eb211c80319c";
        HttpDelayJobProducer traced = new HttpDelayJobProducer(server.settings()
                .withSubmitHeaders(() -> Map.of("traceparent", "00-" + trace + "-b7ad6b7169203331-01")));

        traced.submit(DelayJobRequest.toTopic("t", "x").withQueue("traced"), Duration.ZERO);

        List<ClaimedJob> jobs = claims.claim(JobClaim.of("traced").withMaxWait(WAIT));
        assertThat(jobs).hasSize(1);
        assertThat(jobs.get(0).headers().get("traceparent")).contains(trace);
    }

    @Test
    void whatTheServerRefusesIsReported() {
        HttpDelayJobSettings stranger = new HttpDelayJobSettings(
                server.settings().url(),
                "djt_unknown",
                "whole",
                Duration.ofSeconds(8),
                server.settings().mapper(),
                server.settings().httpClient(),
                Map::of);
        DelayJobRequest<String> huge =
                DelayJobRequest.toTopic("t", "x".repeat(300_000)).withQueue("refused");

        assertThatThrownBy(() -> producer.submit(huge, Duration.ZERO))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("delayjob.max-param-size");
        assertThatThrownBy(() -> claims.settle(List.of(new JobSettlement.Release("h-1"))))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'h-1'");
        assertThatThrownBy(() -> new HttpDelayJobProducer(stranger).submitDelayJob("t", "x", Duration.ZERO))
                .isInstanceOf(JobSubmissionException.class)
                .hasMessageContaining("401 (unauthenticated)")
                .hasMessageNotContaining("djt_unknown");
        assertThatThrownBy(() -> new HttpDelayJobClaims(stranger).claim(JobClaim.of("whole")))
                .isInstanceOf(DelayJobException.class)
                .hasMessageContaining("delayjob.client.token");
    }
}
