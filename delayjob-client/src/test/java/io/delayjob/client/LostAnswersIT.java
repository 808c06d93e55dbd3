package io.delayjob.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobClaim;
import io.delayjob.JobSettlement;
import io.delayjob.SubmitResult;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.testing.RealRedis;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A network that loses answers of a real server. */
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LostAnswersIT {

    private TestServer server;
    private LossyProxy proxy;
    private HttpDelayJobProducer producer;
    private HttpDelayJobClaims claims;

    @BeforeAll
    void start() throws IOException {
        server = new TestServer();
        HttpDelayJobSettings direct = server.settings();
        proxy = new LossyProxy(direct.url());
        HttpDelayJobSettings lossy = new HttpDelayJobSettings(
                URI.create(proxy.url()), direct.token(), null, direct.timeout(), direct.mapper(), direct.httpClient());
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
        proxy.lose(2);

        List<SubmitResult> results = producer.submitAll(requests, Duration.ofHours(1));

        assertThat(proxy.left()).isZero();
        assertThat(results).allMatch(result -> result.outcome() == Outcome.STORED);
        assertThat(results).extracting(SubmitResult::id).doesNotHaveDuplicates();
        assertThat(server.admin().counts("submit").delayed()).isEqualTo(100);
    }

    @Test
    void aClaimWithAnIdGetsTheJobsOfItsLostAnswer() throws InterruptedException {
        producer.submit(DelayJobRequest.toTopic("t").withId("a").withQueue("claim"), Duration.ZERO);
        proxy.lose(1);

        List<ClaimedJob> jobs = claims.claim(
                JobClaim.of("claim").withMaxWait(Duration.ofSeconds(20)).withId("c-1"));

        assertThat(proxy.left()).isZero();
        assertThat(jobs).singleElement().returns("a", ClaimedJob::id).returns(1, ClaimedJob::attempt);
        proxy.lose(1);
        assertThat(claims.settle(List.of(new JobSettlement.Complete(jobs.get(0).handle(), null))))
                .containsExactly(false);
        assertThat(server.admin().find("claim", "a")).isEmpty();
    }
}
