package io.delayjob.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.Backoff;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.demo.job.Behaviour;
import io.delayjob.demo.job.ParamDTO;
import io.delayjob.demo.job.TestDelayJob;
import io.delayjob.testing.RealRedis;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import tools.jackson.databind.JsonNode;

@RealRedis
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "delayjob.backoff.initial=3s",
            "delayjob.backoff.multiplier=1",
            "delayjob.max-attempts=3",
            "delayjob.lease=30s"
        })
final class DemoApiIT extends RunningDemo {

    private static final Set<String> EXECUTION_FIELDS =
            Set.of("id", "name", "age", "attempt", "dueAt", "startedAt", "latenessMillis", "outcome");

    private final String id = UUID.randomUUID().toString();

    @Test
    void runsAJobSubmittedByGetAndNeverEarly() {
        Instant before = Instant.now();

        Reply submitted = demo.submit("name=Ann&age=30&delay=1500&unit=milliseconds&id=" + id);

        assertThat(submitted.status()).isEqualTo(200);
        assertThat(submitted.body().propertyNames()).containsExactlyInAnyOrder("status", "id", "queue", "dueAt");
        assertThat(submitted.text("status")).isEqualTo("success");
        assertThat(submitted.text("id")).isEqualTo(id);
        assertThat(submitted.text("queue")).isEqualTo("default");
        JsonNode attempt = completed();
        assertThat(attempt.propertyNames()).containsExactlyInAnyOrderElementsOf(EXECUTION_FIELDS);
        assertThat(attempt.path("name").asString()).isEqualTo("Ann");
        assertThat(attempt.path("age").asInt()).isEqualTo(30);
        assertThat(attempt.path("attempt").asInt()).isEqualTo(1);
        assertThat(attempt.path("dueAt").asString()).isEqualTo(submitted.text("dueAt"));
        assertThat(startOf(attempt)).isAfterOrEqualTo(before.plusMillis(1490));
        assertThat(attempt.path("latenessMillis").asLong()).isBetween(0L, 120_000L);
    }

    @Test
    void stopsTakingJobsBeforeTheWebServerStops(@Autowired Map<String, SmartLifecycle> phases) {
        assertThat(phase(phases, "delayJobLifecycle"))
                .isGreaterThan(phase(phases, "webServerGracefulShutdown"))
                .isGreaterThan(phase(phases, "webServerStartStop"));
    }

    private static int phase(Map<String, SmartLifecycle> phases, String name) {
        return Objects.requireNonNull(phases.get(name), name).getPhase();
    }

    @Test
    void letsTheActuatorLookButNotActUnlessItIsTold() {
        assertThat(demo.actuator(HttpMethod.GET, "/delayjob/default", null).status())
                .isEqualTo(200);
        assertThat(demo.actuator(HttpMethod.POST, "/delayjob/default", "{\"action\":\"pause\"}")
                        .status())
                .isEqualTo(405);
        assertThat(demo.actuator(HttpMethod.POST, "/delayjob/default/x", "{\"action\":\"cancel\"}")
                        .status())
                .isEqualTo(405);
    }

    @Test
    void runsAJobSubmittedAsAForm() {
        Reply submitted = demo.post(
                MediaType.APPLICATION_FORM_URLENCODED, "name=Bob&age=&delay=0&unit=&sleepMillis=&fail=&id=" + id);

        assertThat(submitted.status()).isEqualTo(200);
        JsonNode attempt = completed();
        assertThat(attempt.path("name").asString()).isEqualTo("Bob");
        assertThat(attempt.path("age").isNull()).isTrue();
    }

    @Test
    void runsAJobSubmittedAsJson() {
        Reply submitted = demo.post(
                MediaType.APPLICATION_JSON,
                "{\"name\": \"Eve\", \"age\": 7, \"delay\": 1, \"unit\": \"Milliseconds\", \"id\": \"" + id + "\"}");

        assertThat(submitted.status()).isEqualTo(200);
        assertThat(completed().path("age").asInt()).isEqualTo(7);
    }

    @Test
    void waitsHalfAMinuteIfNothingElseIsAsked() {
        Instant before = Instant.now();

        Reply submitted = demo.submit("");

        assertThat(Instant.parse(submitted.text("dueAt")))
                .isBetween(before.plusMillis(29_990), Instant.now().plusMillis(30_010));
        assertThat(demo.cancel(submitted.text("id")).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "delay, -1",
        "delay, 0.5",
        "delay, soon",
        "delay, 99999999999999999999",
        "unit, FORTNIGHTS",
        "age, old",
        "age, -1",
        "sleepMillis, -5",
        "sleepMillis, 999999999",
        "fail, -1",
        "fail, 1e3",
        "name, a%0Ab",
        "id, a%00b",
    })
    void answersABadValueWithItsParameterAndARemedy(String parameter, String value) {
        Reply reply = demo.submit(parameter + "=" + value);

        assertThat(reply).matches(answer -> answer.isProblem(400), "is a problem with status 400");
        assertThat(reply.text("parameter")).isEqualTo(parameter);
        assertThat(reply.text("value")).isNotEmpty();
        assertThat(reply.text("detail")).startsWith(parameter + " is '").contains("; give ");
    }

    @Test
    void refusesADelayPastTheEndOfTheCalendar() {
        Reply reply = demo.submit("unit=DAYS&delay=" + Long.MAX_VALUE);

        assertThat(reply).matches(answer -> answer.isProblem(400), "is a problem with status 400");
        assertThat(reply.text("parameter")).isEqualTo("delay");
    }

    @Test
    void refusesAnIdThatIsTooLong() {
        String longest = (id + id + id + id).substring(0, 128);

        assertThat(demo.submit("delay=0&id=" + longest + "x").isProblem(400)).isTrue();
        assertThat(demo.job(longest + "x").isProblem(400)).isTrue();
        assertThat(demo.submit("delay=0&id=" + longest).text("id")).isEqualTo(longest);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{bad", "{\"age\": {}}", "[]", "null"})
    void answersABodyThatIsNoJobWith400(String body) {
        assertThat(demo.post(MediaType.APPLICATION_JSON, body).isProblem(400)).isTrue();
    }

    @Test
    void retriesAJobThatFails() {
        demo.submit("delay=0&fail=1&id=" + id);

        completed();
        List<JsonNode> attempts = demo.attempts(id);
        assertThat(attempts).hasSize(2);
        assertThat(attempts.get(0).path("attempt").asInt()).isEqualTo(2);
        assertThat(attempts.get(1).path("attempt").asInt()).isEqualTo(1);
        assertThat(attempts.get(1).path("outcome").asString()).isEqualTo("FAILED");
        assertThat(attempts.get(0).path("latenessMillis").asLong()).isNotNegative();
    }

    @Test
    void showsAJobInEveryStateOfItsLife(@Autowired DelayJobAdmin admin, @Autowired DelayJobProducer producer) {
        // An attempt takes five seconds, and every other state lasts until the job is told to run.
        producer.submitDelayJob(
                DelayJobRequest.of(TestDelayJob.class, new ParamDTO("Ann", 3))
                        .withHeaders(new Behaviour(5000, 1).toHeaders())
                        .withBackoff(Backoff.fixed(Duration.ofHours(1)))
                        .withId(id),
                Duration.ofHours(1));

        Reply waiting = demo.job(id);
        assertThat(waiting.text("state")).isEqualTo("DELAYED");
        assertThat(waiting.body().path("attempt").asInt()).isZero();
        assertThat(waiting.body().path("param").path("name").asString()).isEqualTo("Ann");
        assertThat(waiting.body().path("param").path("age").asInt()).isEqualTo(3);
        assertThat(Instant.parse(waiting.text("dueAt"))).isAfter(Instant.parse(waiting.text("submittedAt")));
        admin.runNow("default", id);
        Reply running = awaitState("RESERVED");
        assertThat(running.text("node")).isNotEmpty();
        assertThat(running.text("leaseExpiresAt")).isNotEmpty();
        Reply failed = awaitState("DELAYED");
        assertThat(failed.text("lastError")).contains("attempt 1 fails").doesNotContain("\n");
        assertThat(failed.text("lastErrorTrace")).contains("TestDelayJob");
        admin.runNow("default", id);
        Reply completed = awaitState("COMPLETED");
        assertThat(completed.body().path("attempt").asInt()).isEqualTo(2);
        assertThat(completed.body().path("param").path("name").asString()).isEqualTo("Ann");
    }

    @Test
    void cancelsAWaitingJob() {
        demo.submit("delay=3600&id=" + id);

        Reply cancelled = demo.cancel(id);

        assertThat(cancelled.status()).isEqualTo(200);
        assertThat(cancelled.body().propertyNames()).containsExactlyInAnyOrder("status", "id");
        assertThat(cancelled.text("status")).isEqualTo("cancelled");
        assertThat(cancelled.text("id")).isEqualTo(id);
        assertThat(demo.job(id).isProblem(404)).isTrue();
        assertThat(demo.cancel(id).isProblem(404)).isTrue();
        assertThat(demo.attempts(id)).isEmpty();
    }

    @Test
    void interruptsAndCancelsARunningJob() {
        demo.submit("delay=0&sleepMillis=600000&id=" + id);
        awaitState("RESERVED");

        assertThat(demo.cancel(id).text("status")).isEqualTo("cancelled");

        Waits.soon().until(() -> demo.latest(id, "INTERRUPTED").isPresent());
        assertThat(demo.job(id).isProblem(404)).isTrue();
        assertThat(demo.attempts(id)).hasSize(1);
    }

    @Test
    void doesNotCancelADeadJob() {
        demo.submit("delay=0&fail=9&id=" + id);
        Reply dead = awaitState("DEAD");

        assertThat(dead.body().path("attempt").asInt()).isEqualTo(3);
        assertThat(dead.text("diedAt")).isNotEmpty();
        assertThat(demo.cancel(id)).matches(answer -> answer.isProblem(409), "is a problem with status 409");
    }

    @Test
    void knowsNoJobThatWasNeverSubmitted() {
        assertThat(demo.job(id)).matches(answer -> answer.isProblem(404), "is a problem with status 404");
        assertThat(demo.cancel(id)).matches(answer -> answer.isProblem(404), "is a problem with status 404");
    }

    @Test
    void findsAJobWhoseIdHoldsASlash() {
        demo.submit("delay=3600&id=a%2F" + id);

        assertThat(demo.job("a%2F" + id).text("id")).isEqualTo("a/" + id);
        assertThat(demo.cancel("a%2F" + id).status()).isEqualTo(200);
    }

    @Test
    void listsTheNewestExecutionsFirst() {
        demo.submit("delay=0&id=" + id);
        completed();
        // An attempt ends in this list before its job does in Redis, which stores no other one with this id until then.
        awaitState("COMPLETED");
        demo.submit("delay=0&id=" + id);
        Waits.soon().until(() -> demo.attempts(id).size() == 2);

        assertThat(demo.executions("?limit=1").body()).hasSize(1);
        assertThat(demo.attempts(id)).isSortedAccordingTo((a, b) -> startOf(b).compareTo(startOf(a)));
        assertThat(demo.executions("?limit=0").isProblem(400)).isTrue();
        assertThat(demo.executions("?limit=all").isProblem(400)).isTrue();
    }

    private JsonNode completed() {
        return Waits.soon()
                .until(() -> demo.latest(id, "COMPLETED"), found -> found.isPresent())
                .orElseThrow();
    }

    private Reply awaitState(String state) {
        return Waits.soon()
                .until(() -> demo.job(id), reply -> reply.text("state").equals(state));
    }

    private static Instant startOf(JsonNode attempt) {
        return Instant.parse(attempt.path("startedAt").asString());
    }

    @Tag("proof")
    @Test
    void answersWhateverItIsSentWithoutAFaultOfItsOwn() {
        long seed = Long.getLong("delayjob.fuzz.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            String query = Stream.of("name", "age", "delay", "unit", "id", "sleepMillis", "fail", "other")
                    .filter(name -> random.nextInt(3) == 0)
                    .map(name -> name + "=" + odd(random))
                    .collect(Collectors.joining("&"));
            String odd = odd(random);
            List<Reply> replies = List.of(
                    demo.submit(query + "&delay=" + odd),
                    demo.submit("delay=3600&" + query),
                    demo.job("x" + odd),
                    demo.cancel("x" + odd),
                    demo.explanation("x" + odd),
                    demo.order("?secondsToPay=x" + odd),
                    demo.executions("?limit=" + odd));
            assertThat(replies)
                    .as("-Ddelayjob.fuzz.seed=%d, %s, %s", seed, query, odd)
                    .allSatisfy(reply -> {
                        assertThat(reply.status()).isLessThan(500);
                        assertThat(reply.body().toString()).doesNotContain("java.", "org.", "redis://", "Tomcat");
                    });
        }
    }

    /** Text for a query or a path, with every character escaped. */
    private static String odd(Random random) {
        List<String> known = List.of(
                "",
                "-1",
                "0.5",
                "1e99",
                "99999999999999999999",
                "NaN",
                "null",
                "true",
                "\u0000",
                "\n",
                "'\"<b>",
                "%s${x}#{1}",
                "\u202e",
                "seconds",
                "centuries",
                "[]",
                "x".repeat(2000));
        String text = random.nextBoolean()
                ? known.get(random.nextInt(known.size()))
                : random.ints(random.nextInt(20), 1, 0xD800)
                        .mapToObj(Character::toString)
                        .collect(Collectors.joining());
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
