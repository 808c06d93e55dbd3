package io.delayjob.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.engine.DelayJobEngine;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.Api.Answer;
import io.delayjob.testing.RealRedis;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.client.codec.StringCodec;

/** How much callers may ask of a server. */
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LimitsIT {

    private static final Pattern FOUND = Pattern.compile("cmdstat_hget:calls=(\\d+)");

    private TestServer server;
    private Api admin;

    @BeforeAll
    void start() {
        server = TestServer.start(
                "delayjob.server.limits.burst=1s",
                "delayjob.server.limits.failed-logins-per-minute=5",
                "delayjob.server.limits.waiting-claims=4",
                "delayjob.server.limits.waiting-claims-per-token=2",
                "delayjob.server.limits.claimed-queues=100",
                "delayjob.server.limits.claimed-queues-per-token=2",
                "delayjob.server.limits.queues-per-token=5",
                "delayjob.server.limits.kept-answers-per-token=1KB",
                "delayjob.server.limits.event-streams-per-token=1");
        admin = server.api();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private Api with(String name, String limits) {
        Answer made = admin.post(
                "/tokens", "{\"name\": \"%s\", \"roles\": [\"read\", \"submit\", \"work\"]%s}".formatted(name, limits));
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        return server.api(made.json().path("token").asString());
    }

    /** After how many seconds a refused request may be made again. */
    private static int retryAfter(Answer refused) {
        assertThat(refused.status()).as("%s", refused).isEqualTo(429);
        assertThat(refused.problem()).isEqualTo("too-many-requests");
        int seconds = refused.response()
                .headers()
                .firstValue("Retry-After")
                .map(Integer::valueOf)
                .orElseThrow();
        assertThat(seconds)
                .isPositive()
                .isEqualTo(refused.json().path("retryAfter").asInt());
        assertThat(refused.json().path("detail").asString()).contains("wait " + seconds + " s");
        return seconds;
    }

    private static void awaitAllowed(Api api, int seconds) {
        await().pollDelay(Duration.ofSeconds(seconds))
                .until(() -> api.get("/queues/any").status() == 200);
    }

    private static Answer refused(Api api) {
        return await().until(() -> api.get("/queues/any"), answer -> answer.status() == 429);
    }

    @Test
    void requestsOverTheLimitOfATokenAreRefusedAndOthersAreNot() {
        Api slow = with("slow", ", \"requestsPerSecond\": 1");
        Api other = with("other", ", \"requestsPerSecond\": 1");
        assertThat(slow.get("/queues/any").status()).isEqualTo(200);

        Answer refused = refused(slow);

        assertThat(refused.json().path("detail").asString())
                .contains("token 'slow'", "1 requests a second that requestsPerSecond");
        assertThat(other.get("/queues/any").status()).isEqualTo(200);
        awaitAllowed(slow, retryAfter(refused));
    }

    @Test
    void eachQueueOfAListCountsAsARequest() {
        for (int i = 0; i < 8; i++) {
            Answer stored = with("makes-listed-" + i, "")
                    .post("/queues/listed-" + i + "/jobs", "{\"topic\": \"t\", \"delay\": \"PT1H\"}");
            assertThat(stored.status()).isEqualTo(201);
        }
        Api lister = with("lister", ", \"requestsPerSecond\": 1, \"queues\": [\"listed-*\"]");

        assertThat(lister.get("/queues").json().path("queues")).hasSize(8);

        Answer refused = refused(lister);
        assertThat(refused.json().path("detail").asString()).contains("token 'lister'", "1 requests a second");
        assertThat(retryAfter(refused)).as("a request alone would wait for 1 s").isGreaterThan(1);
    }

    /** A hundred are answered at once, and then 10 a second: 150 take more than three seconds, however fast or slow the machine is. */
    private static void assertHeldBack(IntFunction<Answer> refused) {
        long begun = System.nanoTime();

        assertThat(IntStream.range(0, 150).mapToObj(refused))
                .allSatisfy(answer -> assertThat(answer.status()).isIn(401, 403, 429));

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(2900));
    }

    @Test
    void theAnswersToACallerThatIsRefusedAgainAndAgainAreHeldBack() {
        Api stubborn = with("stubborn", "");

        assertHeldBack(i -> stubborn.post("/queues/stubborn/pause", "{}"));
    }

    /** Without a token and with wrong ones, whoever else shares the address. */
    @Test
    void theAnswersToAnAddressWithoutAValidTokenAreHeldBack() {
        try (TestServer flooded = TestServer.start()) {
            assertHeldBack(i -> flooded.api(i % 2 == 0 ? "" : "wrong").get("/queues"));

            assertThat(flooded.api().get("/queues").status()).isEqualTo(200);
        }
    }

    /** Twice as much as a body may have is read, and thrown away. */
    @Test
    void aBodyThatGoesOnAfterItsRefusalEndsTheConnection() throws IOException {
        try (TestServer small = TestServer.start("delayjob.server.max-body-size=1MB");
                Socket sender = new Socket(InetAddress.getLoopbackAddress(), small.port())) {
            byte[] part = new byte[100_000];
            sender.getOutputStream()
                    .write(("POST /api/v1/queues/long/jobs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                                    + "Content-Length: 9000000000\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));

            assertThatThrownBy(() -> {
                        for (int sent = 0; sent < 1000; sent++) {
                            sender.getOutputStream().write(part);
                        }
                    })
                    .isInstanceOf(SocketException.class);
        }
    }

    @Test
    void bytesOverTheLimitOfATokenAreRefusedUntilTheyAreMadeUpFor() {
        Api slow = with("few-bytes", ", \"bytesPerSecond\": 1000");
        String large = "{\"topic\": \"t\", \"delay\": \"PT1H\", \"param\": \"%s\"}".formatted("x".repeat(2500));
        assertThat(slow.post("/queues/bytes/jobs", large).status()).isEqualTo(201);

        int stored = 1;
        Answer refused = slow.post("/queues/bytes/jobs", large);
        // Where the machine stood still, the bytes of the one before are made up for.
        while (refused.status() == 201) {
            stored++;
            refused = slow.post("/queues/bytes/jobs", large);
        }

        assertThat(retryAfter(refused)).isBetween(1, 3);
        assertThat(refused.json().path("detail").asString()).contains("1000 bytes of bodies a second");
        assertThat(admin.get("/queues/bytes").json().path("delayed").asInt()).isEqualTo(stored);
        awaitAllowed(slow, retryAfter(refused));
    }

    @Test
    void bytesOfBodiesThatAreReadAndThenRefusedCountToo() {
        for (int length : new int[] {300_000, 9_000_000}) {
            Api slow = with("refused-" + length, ", \"bytesPerSecond\": 1000");
            Answer refused = slow.post("/queues/bytes/jobs", "{\"none\": \"%s\"}".formatted("x".repeat(length)));
            assertThat(refused.status()).isEqualTo(length == 300_000 ? 400 : 413);

            assertThat(retryAfter(slow.get("/queues"))).isGreaterThanOrEqualTo(length / 3000);
        }
    }

    @Test
    void limitsAreShownAndChangedByARotation() {
        with("shown", ", \"requestsPerSecond\": 7, \"bytesPerSecond\": 8000");

        Answer rotated = admin.post("/tokens/shown/rotate", "{\"requestsPerSecond\": 9}");

        assertThat(rotated.json().path("requestsPerSecond").asInt()).isEqualTo(9);
        assertThat(admin.get("/tokens").response().body())
                .contains("\"name\":\"shown\"", "\"requestsPerSecond\":9,\"bytesPerSecond\":8000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"requestsPerSecond\": 0", "\"bytesPerSecond\": -1", "\"requestsPerSecond\": 1000001"})
    void limitsOutOfRangeAreRefused(String limit) {
        Answer refused = admin.post("/tokens", "{\"name\": \"bad\", \"roles\": [\"read\"], %s}".formatted(limit));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().path("detail").asString()).contains("PerSecond must be 1 to");
    }

    @Test
    void wrongTokensAreLookedForOnlyAFewTimesAMinute() {
        try (TestServer guessed = TestServer.start("delayjob.server.limits.failed-logins-per-minute=2")) {
            Answer made = guessed.api().post("/tokens", "{\"name\": \"later\", \"roles\": [\"read\"]}");
            for (int i = 0; i < 2; i++) {
                assertThat(guessed.api("wrong-" + i).get("/queues").status()).isEqualTo(401);
            }
            int before = lookUps(guessed);

            for (int i = 2; i < 100; i++) {
                Answer refused = guessed.api("wrong-" + i).get("/queues");
                assertThat(retryAfter(refused)).isBetween(1, 30);
                assertThat(refused.json().path("detail").asString()).contains("failed-logins-per-minute");
            }

            assertThat(lookUps(guessed) - before).isLessThan(60);
            assertThat(guessed.api(made.json().path("token").asString())
                            .get("/queues")
                            .status())
                    .as("a valid token that was not seen before")
                    .isEqualTo(200);
            assertThat(guessed.api("").get("/queues").status()).isEqualTo(401);
        }
    }

    /** How often a field of a hash was read from Redis. */
    private static int lookUps(TestServer server) {
        String stats = server.bean(DelayJobRedis.class)
                .redisson()
                .getScript(StringCodec.INSTANCE)
                .eval(
                        org.redisson.api.RScript.Mode.READ_ONLY,
                        "return redis.call('info', 'commandstats')",
                        org.redisson.api.RScript.ReturnType.VALUE);
        Matcher found = FOUND.matcher(stats);
        return found.find() ? Integer.parseInt(found.group(1)) : 0;
    }

    @Test
    void aBodyThatArrivesTooSlowlyIsRefused() throws IOException {
        try (TestServer hasty = TestServer.start("delayjob.server.body-timeout=1s")) {
            for (String key : new String[] {"", "Idempotency-Key: slow\r\n"}) {
                assertThat(answerToTheBeginOfABody(hasty, key))
                        .startsWith("HTTP/1.1 408 ")
                        .contains("urn:delayjob:problem:body-too-slow", "delayjob.server.body-timeout=PT1S");
            }
        }
    }

    private static String answerToTheBeginOfABody(TestServer server, String header) throws IOException {
        try (Socket sender = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            sender.setSoTimeout(120_000);
            sender.getOutputStream()
                    .write(("POST /api/v1/queues/slow/jobs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                                    + "Authorization: Bearer " + TestServer.ADMIN + "\r\n" + header
                                    + "Content-Length: 100\r\n\r\n{\"topic\":")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(sender.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static CompletableFuture<Answer> waiting(Api api, String queue) {
        return api.postAsync("/queues/" + queue + "/claims", "{\"wait\": \"PT60S\"}");
    }

    private void awaitWaiting(int count) {
        await().until(() -> server.bean(DelayJobEngine.class).claimVitals().waiting() == count);
    }

    @Test
    void claimsThatWaitAreBoundedAndARefusedOneLeasesNothing() {
        Api first = with("first-worker", "");
        Api second = with("second-worker", "");
        Api third = with("third-worker", "");
        CompletableFuture<Answer> one = waiting(first, "bound");
        CompletableFuture<Answer> two = waiting(first, "bound");
        awaitWaiting(2);

        Answer refused = first.post("/queues/bound/claims", "{\"wait\": \"PT30S\"}");

        assertThat(retryAfter(refused)).isPositive();
        assertThat(refused.json().path("detail").asString())
                .contains("token 'first-worker'", "waiting-claims-per-token");
        assertThat(first.post("/queues/bound/claims", "{}").status()).isEqualTo(200);
        CompletableFuture<Answer> three = waiting(second, "bound");
        CompletableFuture<Answer> four = waiting(second, "bound");
        awaitWaiting(4);
        assertThat(third.post("/queues/bound/claims", "{\"wait\": \"PT30S\"}")
                        .json()
                        .path("detail")
                        .asString())
                .contains("waiting-claims allows");

        for (int i = 0; i < 4; i++) {
            admin.post("/queues/bound/jobs", "{\"topic\": \"t\", \"delay\": \"PT0S\"}");
        }
        for (CompletableFuture<Answer> claim : java.util.List.of(one, two, three, four)) {
            Answer claimed = claim.orTimeout(120, SECONDS).join();
            assertThat(claimed.json().path("jobs")).hasSize(1);
            assertThat(claimed.json().path("jobs").get(0).path("attempt").asInt())
                    .isEqualTo(1);
        }
        await().until(() ->
                third.post("/queues/bound/claims", "{\"wait\": \"PT0.01S\"}").status() == 200);
    }

    @Test
    void eventStreamsOfATokenAreBounded() {
        Api one = with("follower", "");
        Api other = with("other-follower", "");
        try (EventClient follower = EventClient.listen(one, "", null)) {
            Answer refused = one.get("/events");

            assertThat(retryAfter(refused)).isPositive();
            assertThat(refused.json().path("detail").asString())
                    .contains("token 'follower' follows events 1 times", "event-streams-per-token");
            EventClient.listen(other, "", null).close();
            assertThat(follower.hasEnded()).isFalse();
        }
        await().ignoreExceptions()
                .untilAsserted(() -> EventClient.listen(one, "", null).close());
    }

    @Test
    void topicsThatArePoppedHaveABoundOfTheirOwn() {
        try (TestServer few =
                TestServer.start("delayjob.server.limits.claimed-queues=1", "delayjob.server.limits.popped-topics=2")) {
            OldClient client = new OldClient("http://127.0.0.1:" + few.port(), TestServer.ADMIN);
            String pop = "{'command':'pop','topic':'%s'}";
            assertThat(few.api().post("/queues/a/claims", "{}").status()).isEqualTo(200);
            for (String topic : List.of("a", "b", "a")) {
                assertThat(client.post("/protocols/delay-queue", pop.formatted(topic))
                                .status())
                        .isEqualTo(200);
            }

            Answer refused = client.post("/protocols/delay-queue", pop.formatted("c"));

            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.response().headers().firstValue("Retry-After")).isPresent();
            assertThat(refused.json().path("error").asString()).contains("2 topics", "popped-topics");
            assertThat(few.api().post("/queues/a/claims", "{}").status()).isEqualTo(200);
        }
    }

    @Test
    void queuesThatOneTokenClaimsFromKeepNoOtherFromItsFirstClaim() {
        Api greedy = with("claims-much", "");
        Api other = with("claims-little", "");
        assertThat(greedy.post("/claims", "{\"queues\": [\"g-1\", \"g-2\"]}").status())
                .isEqualTo(200);

        Answer refused = greedy.post("/queues/g-3/claims", "{}");

        assertThat(retryAfter(refused)).isPositive();
        assertThat(refused.json().path("detail").asString())
                .contains("2 queues for token 'claims-much'", "claimed-queues-per-token");
        assertThat(greedy.post("/queues/g-2/claims", "{}").status()).isEqualTo(200);
        assertThat(other.post("/queues/o-1/claims", "{}").status()).isEqualTo(200);
    }

    @Test
    void aTokenMakesNoMoreQueuesThanItMay() {
        Api greedy = with("makes-much", "");
        String job = "{\"topic\": \"t\", \"delay\": \"PT1H\"}";
        for (int i = 0; i < 5; i++) {
            assertThat(greedy.post("/queues/made-" + i + "/jobs", job).status()).isEqualTo(201);
        }

        Answer refused = greedy.post("/queues/made-5/jobs", job);

        assertThat(retryAfter(refused)).isPositive();
        assertThat(refused.json().path("detail").asString())
                .contains("token 'makes-much' has used 5 queues", "queues-per-token");
        for (Answer answer : List.of(
                greedy.post("/queues/made-5/jobs/batch", "{\"jobs\": [%s]}".formatted(job)),
                greedy.post("/queues/made-5/claims", "{}"),
                new OldClient("http://127.0.0.1:" + server.port(), greedy.token())
                        .post(
                                "/protocols/delay-queue",
                                "{'command':'add','topic':'x','id':'1','delay':9,'TTR':60,'body':''}"))) {
            assertThat(answer.status()).as("%s", answer).isEqualTo(429);
        }
        assertThat(greedy.post("/queues/made-4/jobs", job).status()).isEqualTo(201);
        assertThat(with("makes-little", "").post("/queues/made-6/jobs", job).status())
                .isEqualTo(201);
        assertThat(admin.get("/queues/made-5").json().path("delayed").asInt()).isZero();
    }

    @Test
    void queuesAreListedPageByPage() {
        Api one = with("lists", "");
        String job = "{\"topic\": \"t\", \"delay\": \"PT1H\"}";
        for (String queue : List.of("page-a", "page-b", "page-c")) {
            one.post("/queues/" + queue + "/jobs", job);
        }
        Api pages = server.api(
                admin.post("/tokens", "{\"name\": \"pages\", \"roles\": [\"read\"], \"queues\": [\"page-*\"]}")
                        .json()
                        .path("token")
                        .asString());

        Answer first = pages.get("/queues?limit=2");

        assertThat(first.json().path("queues").findValuesAsString("queue")).containsExactly("page-a", "page-b");
        assertThat(first.json().path("next").asString()).isEqualTo("page-b");
        Answer second = pages.get("/queues?limit=2&after=page-b");
        assertThat(second.json().path("queues").findValuesAsString("queue")).containsExactly("page-c");
        assertThat(second.json().path("next").isMissingNode()).isTrue();
        assertThat(pages.get("/queues?limit=1001").status()).isEqualTo(400);
        assertThat(pages.get("/nodes?limit=1").json().path("next").asString()).isEqualTo("page-a");
    }

    @Test
    void answersOfATokenAreKeptForRepeatsOnlyAsFarAsItMay() {
        Api keeps = with("keeps-much", "");
        String job = "{\"topic\": \"t\", \"delay\": \"PT1H\"}";
        Answer refused = null;
        for (int i = 0; i < 10 && (refused == null || refused.status() == 201); i++) {
            refused = keeps.withKey("kept-" + i).post("/queues/kept/jobs", job);
        }

        assertThat(retryAfter(refused)).isPositive();
        assertThat(refused.json().path("detail").asString()).contains("token 'keeps-much'", "kept-answers-per-token");
        assertThat(keeps.post("/queues/kept/jobs", job).status()).isEqualTo(201);
    }

    @Test
    void queuesThatAreWatchedAreBounded() {
        try (TestServer few = TestServer.start("delayjob.server.limits.claimed-queues=3")) {
            Api api = few.api();
            api.post("/queues/d/jobs", "{\"topic\": \"t\", \"delay\": \"PT0S\"}");
            assertThat(api.post("/claims", "{\"queues\": [\"a\", \"b\", \"c\"]}")
                            .status())
                    .isEqualTo(200);

            Answer refused = api.post("/claims", "{\"queues\": [\"c\", \"d\"], \"wait\": \"PT30S\"}");

            assertThat(retryAfter(refused)).isPositive();
            assertThat(refused.json().path("detail").asString()).contains("3 queues", "claimed-queues");
            assertThat(api.get("/queues/d").json().path("reserved").asInt()).isZero();
            assertThat(api.post("/claims", "{\"queues\": [\"b\", \"a\"]}").status())
                    .isEqualTo(200);
        }
    }
}
