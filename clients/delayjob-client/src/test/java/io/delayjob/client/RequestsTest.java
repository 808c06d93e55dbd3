package io.delayjob.client;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.Backoff;
import io.delayjob.Dedupe;
import io.delayjob.DelayJob;
import io.delayjob.DelayJobName;
import io.delayjob.DelayJobPolicy;
import io.delayjob.DelayJobQueue;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;
import io.delayjob.SubmitResult;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.client.FakeServer.Heard;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the requests that a submit sends. */
class RequestsTest {

    private final FakeServer server = new FakeServer();

    record Greeting(String name) {}

    @DelayJobName("greet")
    static class GreetJob implements DelayJob<Greeting> {

        @Override
        public void execute(JobExecution<Greeting> execution) {}
    }

    static final class LoudGreetJob extends GreetJob {}

    @DelayJobQueue("nights")
    static final class CleanJob implements DelayJob<@Nullable Void> {

        @Override
        public void execute(JobExecution<@Nullable Void> execution) {}
    }

    @DelayJobQueue("${queue}")
    static final class PlaceholderJob implements DelayJob<Greeting> {

        @Override
        public void execute(JobExecution<Greeting> execution) {}
    }

    @DelayJobPolicy(priority = "7")
    static class UrgentJob implements DelayJob<Greeting> {

        @Override
        public void execute(JobExecution<Greeting> execution) {}
    }

    static final class InheritingUrgentJob extends UrgentJob {}

    @DelayJobPolicy(priority = "${priority}")
    static final class PlaceholderPriorityJob implements DelayJob<Greeting> {

        @Override
        public void execute(JobExecution<Greeting> execution) {}
    }

    @DelayJobPolicy(priority = "10")
    static final class TooUrgentJob implements DelayJob<Greeting> {

        @Override
        public void execute(JobExecution<Greeting> execution) {}
    }

    @AfterEach
    void close() {
        server.close();
    }

    private Heard only() {
        assertThat(server.heard()).hasSize(1);
        return server.heard().get(0);
    }

    @Test
    void furtherHeadersAreSentThatTheSubmittingThreadSays() {
        ThreadLocal<String> trace = ThreadLocal.withInitial(() -> "none");
        trace.set("00-one");
        HttpDelayJobProducer producer = new HttpDelayJobProducer(
                server.settings().withSubmitHeaders(() -> Map.of("traceparent", trace.get(), "Authorization", "mine")));

        producer.submitAsync(DelayJobRequest.toTopic("t", "x").withQueue("q"), Duration.ZERO)
                .join();

        assertThat(only().headers().get("traceparent")).containsExactly("00-one");
        assertThat(only().headers().get("Authorization")).containsExactly("Bearer djt_secret");
    }

    @Test
    void everyOptionIsSent() {
        DelayJobRequest<Greeting> request = DelayJobRequest.toTopic("greet", new Greeting("Ann"))
                .withId("greet-ann")
                .withQueue("orders")
                .withMaxAttempts(3)
                .withBackoff(new Backoff(Duration.ofMillis(1500), Duration.ofMinutes(10), 1.5, 0.25))
                .withLease(Duration.ofSeconds(30))
                .withTimeout(Duration.ofMillis(2500))
                .withTimeToLive(Duration.ofHours(26))
                .withPriority(0)
                .withDedupe(Dedupe.within("ann", Duration.ofMinutes(1)).postponing())
                .withHeader("shop", "7");

        SubmitResult result = server.producer().submit(request, Duration.ofMillis(90_500));

        assertThat(result).isEqualTo(new SubmitResult("orders", "greet-ann", Outcome.STORED));
        assertThat(only().path()).isEqualTo("/api/v1/queues/orders/jobs/batch");
        assertThat(only().authorization()).isEqualTo("Bearer djt_secret");
        assertThat(only().body()).isEqualTo(Json.MAPPER.readTree("""
            {"jobs": [{"id": "greet-ann", "topic": "greet", "param": {"name": "Ann"}, "delay": "PT1M30.5S", "maxAttempts": 3,
            "backoff": {"initial": "PT1.5S", "max": "PT10M", "multiplier": 1.5, "jitter": 0.25}, "lease": "PT30S",
            "timeout": "PT2.5S", "timeToLive": "PT26H", "priority": 0, "headers": {"shop": "7"},
            "dedupe": {"key": "ann", "scope": "WINDOW", "mode": "POSTPONE", "window": "PT1M"}}]}
            """));
    }

    @Test
    void whatIsNotGivenIsLeftOut() {
        server.producer().submit(DelayJobRequest.toTopic("tick"), Instant.parse("2030-01-31T08:00:00.123456789Z"));

        assertThat(only().path()).isEqualTo("/api/v1/queues/mail/jobs/batch");
        assertThat(only().job().propertyNames()).containsExactlyInAnyOrder("id", "topic", "dueAt", "headers");
        assertThat(only().job().path("dueAt").asString()).isEqualTo("2030-01-31T08:00:00.123456789Z");
    }

    @Test
    void numbersKeepAllTheirDigits() {
        BigDecimal price = new BigDecimal("12345678901234567890.123456789012345678900");

        server.producer().submitDelayJob("sum", Map.of("price", price, "count", Long.MAX_VALUE), Duration.ZERO);

        assertThat(only().job().path("param").toString()).contains(price.toString(), "" + Long.MAX_VALUE);
    }

    @Test
    void aJobWithoutAnIdGetsARandomOne() {
        HttpDelayJobProducer producer = server.producer();
        String first = producer.submitDelayJob("greet", "Ann", Duration.ZERO);
        String second = producer.submitDelayJob("greet", "Ann", Duration.ZERO);

        assertThat(first).matches("[A-Za-z0-9_-]{22}").isNotEqualTo(second);
        assertThat(server.heard()).flatExtracting(Heard::ids).containsExactly(first, second);
    }

    @Test
    void theServerMakesTheIdOfAJobWithADedupeKey() {
        server.thenAnswers(200, FakeServer.outcomes(List.of("made-there"), "KEPT"));

        SubmitResult result = server.producer()
                .submit(DelayJobRequest.toTopic("tick").withDedupe(Dedupe.untilStarted("k")), Duration.ZERO);

        assertThat(only().job().has("id")).isFalse();
        assertThat(result).isEqualTo(new SubmitResult("mail", "made-there", Outcome.KEPT));
    }

    @Test
    void aClassIsSubmittedByItsNameToItsQueue() {
        HttpDelayJobProducer producer = server.producer();
        producer.submitDelayJob(GreetJob.class, new Greeting("Ann"), Duration.ZERO);
        producer.submitDelayJob(LoudGreetJob.class, new Greeting("Ann"), Duration.ZERO);
        producer.submitDelayJob(CleanJob.class, null, Duration.ZERO);
        producer.submitDelayJob(DelayJobRequest.of(CleanJob.class, null).withQueue("days"), Duration.ZERO);

        assertThat(server.heard())
                .extracting(Heard::path)
                .containsExactly(
                        "/api/v1/queues/mail/jobs/batch",
                        "/api/v1/queues/mail/jobs/batch",
                        "/api/v1/queues/nights/jobs/batch",
                        "/api/v1/queues/days/jobs/batch");
        assertThat(server.heard())
                .extracting(heard -> heard.job().path("topic").asString())
                .containsExactly("greet", "greet", CleanJob.class.getName(), CleanJob.class.getName());
    }

    @Test
    void aQueueMustBeKnown() {
        HttpDelayJobProducer producer = new HttpDelayJobProducer(HttpDelayJobSettings.of(server.url(), "t"));

        assertThatThrownBy(() -> producer.submitDelayJob("greet", "Ann", Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'greet'")
                .hasMessageContaining("withQueue")
                .hasMessageContaining("delayjob.client.queue");
        assertThatThrownBy(() -> producer.submitDelayJob(PlaceholderJob.class, new Greeting("Ann"), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'${queue}'")
                .hasMessageContaining("withQueue");
        assertThat(server.heard()).isEmpty();
    }

    @Test
    void thePriorityOfAClassIsSentUnlessTheRequestStatesAnother() {
        HttpDelayJobProducer producer = server.producer();
        DelayJobRequest<Greeting> request = DelayJobRequest.of(InheritingUrgentJob.class, new Greeting("Ann"));

        producer.submit(request, Duration.ZERO);
        producer.submit(request.withPriority(2), Duration.ZERO);

        assertThat(server.heard())
                .extracting(heard -> heard.job().path("priority").asInt())
                .containsExactly(7, 2);
    }

    @Test
    void refusesThePriorityOfAClassThatIsNoneAndSendsNothing() {
        HttpDelayJobProducer producer = server.producer();

        assertThatThrownBy(
                        () -> producer.submitDelayJob(PlaceholderPriorityJob.class, new Greeting("Ann"), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'${priority}'")
                .hasMessageContaining("withPriority");
        assertThatThrownBy(() -> producer.submitDelayJob(TooUrgentJob.class, new Greeting("Ann"), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("priority in @DelayJobPolicy of " + TooUrgentJob.class.getName()
                        + " must be a whole number, 0 to 9: '10'");
        assertThat(server.heard()).isEmpty();
    }

    static final class Cycle {

        public Cycle getSelf() {
            return this;
        }
    }

    @Test
    void refusesAParamThatCannotBeSent() {
        HttpDelayJobProducer producer = server.producer();

        assertThatThrownBy(() -> producer.submitDelayJob("greet", new Cycle(), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("param of 'greet'");
        assertThatThrownBy(() -> producer.submitDelayJob(GreetJob.class, null, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("greet takes")
                .hasMessageContaining("must not be null");
        assertThat(server.heard()).isEmpty();
    }

    @Test
    void refusesABadTimeBeforeAnythingIsSent() {
        HttpDelayJobProducer producer = server.producer();

        assertThatThrownBy(() -> producer.submitDelayJob("greet", "Ann", Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("delay");
        assertThatThrownBy(() -> producer.submitDelayJob("greet", "Ann", Instant.parse("+10000-01-01T00:00:00Z")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("9999");
        assertThat(server.heard()).isEmpty();
    }

    @Test
    void manyJobsGoInRequestsOfAThousandOfOneQueueEach() {
        List<DelayJobRequest<Void>> requests = IntStream.range(0, 2500)
                .mapToObj(i -> DelayJobRequest.toTopic("t").withId("j-" + i).withQueue(i % 5 == 0 ? "rare" : "often"))
                .toList();

        List<SubmitResult> results = server.producer().submitAll(requests, Duration.ZERO);

        assertThat(results)
                .extracting(SubmitResult::id)
                .containsExactlyElementsOf(
                        requests.stream().map(DelayJobRequest::id).toList());
        assertThat(results.get(5)).isEqualTo(new SubmitResult("rare", "j-5", Outcome.STORED));
        assertThat(server.heard())
                .extracting(heard -> heard.path().replaceAll(".*/queues/|/jobs.*", "") + " "
                        + heard.ids().size())
                .containsExactly("rare 500", "often 1000", "often 1000");
    }

    @Test
    void largeJobsGoInRequestsThatTheServerTakes() {
        List<DelayJobRequest<String>> requests = IntStream.range(0, 10)
                .mapToObj(i -> DelayJobRequest.toTopic("t", "x".repeat(1_000_000)))
                .toList();

        server.producer().submitAll(requests, Duration.ZERO);

        assertThat(server.heard()).extracting(heard -> heard.ids().size()).containsExactly(4, 4, 2);
    }

    @Test
    void nothingIsSentForNoJobs() {
        assertThat(server.producer().submitAll(List.of(), Duration.ZERO)).isEmpty();
        assertThat(server.heard()).isEmpty();
    }

    @Test
    void atMostThirtyTwoRequestsAreUnderWayAtOnce() {
        CountDownLatch oneTooMany = new CountDownLatch(33);
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        IntStream.range(0, 100)
                .forEach(i -> server.thenStores(() -> {
                    most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                    oneTooMany.countDown();
                    if (i < 32) {
                        oneTooMany.await(1, SECONDS);
                    }
                    underWay.decrementAndGet();
                }));
        HttpDelayJobProducer producer = server.producer();

        List<CompletableFuture<SubmitResult>> submits = IntStream.range(0, 100)
                .mapToObj(i -> producer.submitAsync(DelayJobRequest.toTopic("t"), Duration.ZERO))
                .toList();

        assertThat(submits).allSatisfy(submit -> assertThat(submit).succeedsWithin(Duration.ofMinutes(2)));
        assertThat(most.get()).isBetween(2, 32);
        assertThat(server.heard()).hasSize(100);
    }
}
