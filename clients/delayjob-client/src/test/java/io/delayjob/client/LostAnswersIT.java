package io.delayjob.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobClaim;
import io.delayjob.JobSettlement;
import io.delayjob.SubmitResult;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.testing.CuttingProxy;
import io.delayjob.testing.CuttingProxy.Cut;
import io.delayjob.testing.RealRedis;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A network that loses answers of a real server. */
@Tag("proof")
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LostAnswersIT {

    private TestServer server;
    private final Queue<Cut> plan = new ConcurrentLinkedQueue<>();
    private CuttingProxy proxy;
    private HttpDelayJobProducer producer;
    private HttpDelayJobClaims claims;

    @BeforeAll
    void start() throws IOException {
        server = new TestServer();
        HttpDelayJobSettings direct = server.settings();
        proxy = new CuttingProxy(
                direct.url(), () -> Optional.ofNullable(plan.poll()).orElse(Cut.NOT));
        HttpDelayJobSettings lossy = new HttpDelayJobSettings(
                URI.create(proxy.url()),
                direct.token(),
                null,
                direct.timeout(),
                direct.mapper(),
                direct.httpClient(),
                Map::of);
        producer = new HttpDelayJobProducer(lossy);
        claims = new HttpDelayJobClaims(lossy);
    }

    @AfterAll
    void stop() throws IOException {
        proxy.close();
        server.close();
    }

    @Test
    void everyJobIsStoredOnce() {
        List<DelayJobRequest<Integer>> requests = IntStream.range(0, 100)
                .mapToObj(i -> DelayJobRequest.toTopic("t", i).withQueue("submit"))
                .toList();
        plan.addAll(List.of(Cut.BEFORE_THE_ANSWER, Cut.BEFORE_THE_ANSWER));

        List<SubmitResult> results = producer.submitAll(requests, Duration.ofHours(1));

        assertThat(plan).isEmpty();
        assertThat(results).allMatch(result -> result.outcome() == Outcome.STORED);
        assertThat(results).extracting(SubmitResult::id).doesNotHaveDuplicates();
        assertThat(server.admin().counts("submit").delayed()).isEqualTo(100);
    }

    @Test
    void aClaimWithAnIdGetsTheJobsOfItsLostAnswer() throws InterruptedException {
        producer.submit(DelayJobRequest.toTopic("t").withId("a").withQueue("claim"), Duration.ZERO);
        plan.add(Cut.BEFORE_THE_ANSWER);

        List<ClaimedJob> jobs =
                claims.claim(JobClaim.of("claim").withMaxWait(JobClaim.MAX_WAIT).withId("c-1"));

        assertThat(plan).isEmpty();
        assertThat(jobs).singleElement().returns("a", ClaimedJob::id).returns(1, ClaimedJob::attempt);
        plan.add(Cut.BEFORE_THE_ANSWER);
        assertThat(claims.settle(List.of(new JobSettlement.Complete(jobs.get(0).handle(), null))))
                .containsExactly(false);
        assertThat(server.admin().find("claim", "a")).isEmpty();
    }
}
