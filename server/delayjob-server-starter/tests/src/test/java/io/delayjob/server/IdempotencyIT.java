package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.Api.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.redisson.api.options.KeysScanOptions;

/** Requests that are repeated with the same Idempotency-Key. */
@EachServer
@SuppressWarnings("NullAway.Init")
class IdempotencyIT {

    private static final String JOB = "{\"topic\": \"t\", \"delay\": \"PT1H\"}";

    @Parameter
    private TestServer.Kind kind;

    private TestServer server;
    private TestServer other;

    @BeforeParameterizedClassInvocation
    void start() {
        String prefix = TestServer.prefix();
        server = kind.start(prefix, new String[0]);
        other = kind.start(prefix, new String[0]);
    }

    @AfterParameterizedClassInvocation
    void stop() {
        server.close();
        other.close();
    }

    private int stored(String queue) {
        return server.api().get("/queues/" + queue).json().path("delayed").asInt();
    }

    @Test
    void theSecondIsAnsweredAsTheFirstAtAnyServer() {
        Answer first = server.api().withKey("k-1").post("/queues/once/jobs", JOB);
        Answer second = other.api().withKey("k-1").post("/queues/once/jobs", JOB);

        assertThat(first.status()).as("%s", first).isEqualTo(201);
        assertThat(second.status()).isEqualTo(201);
        assertThat(second.response().body()).isEqualTo(first.response().body());
        assertThat(second.response().headers().firstValue("Idempotency-Replayed"))
                .hasValue("true");
        assertThat(stored("once")).isEqualTo(1);
    }

    @Test
    void anotherBodyOrPathIsRefused() {
        server.api().withKey("k-2").post("/queues/other/jobs", JOB);

        Answer body = server.api().withKey("k-2").post("/queues/other/jobs", JOB.replace("PT1H", "PT2H"));
        Answer path = server.api().withKey("k-2").post("/queues/others/jobs", JOB);

        assertThat(body.status()).isEqualTo(422);
        assertThat(body.problem()).isEqualTo("key-reused");
        assertThat(path.status()).isEqualTo(422);
        assertThat(stored("other")).isEqualTo(1);
    }

    @Test
    void jobsAreStoredOnceEvenIfTheAnswerWasNotKept() {
        String batch = "{\"jobs\": [%s, %s]}".formatted(JOB, JOB);
        server.api().withKey("k-3").post("/queues/lost/jobs/batch", batch);
        DelayJobRedis redis = server.bean(DelayJobRedis.class);
        redis.redisson().getKeys().deleteByPattern(redis.keyPrefix() + ":server:idempotency:*");

        Answer again = server.api().withKey("k-3").post("/queues/lost/jobs/batch", batch);

        assertThat(again.json().path("jobs").findValuesAsString("outcome")).containsExactly("EXISTS", "EXISTS");
        assertThat(stored("lost")).isEqualTo(2);
    }

    /** The key of its dedupe says which shard it belongs to, and an id would say another. */
    @Test
    void aJobWithADedupeKeyGetsNoIdFromTheKeyOfItsRequest() {
        String job = JOB.replace("}", ", \"dedupe\": {\"key\": \"d\", \"scope\": \"UNTIL_FINISHED\"}}");

        Answer first = server.api().withKey("k-7").post("/queues/dedupe/jobs", job);
        Answer second = other.api().withKey("k-7").post("/queues/dedupe/jobs", job);

        assertThat(first.status()).as("%s", first).isEqualTo(201);
        assertThat(first.json().path("id").asString()).doesNotStartWith("key-");
        assertThat(second.response().body()).isEqualTo(first.response().body());
    }

    @Test
    void anAnswerIsKeptEvenIfItsCallerHangsUp() throws IOException {
        try (Socket caller = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            caller.getOutputStream()
                    .write(("POST /api/v1/queues/hung-up/jobs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                                    + "Authorization: Bearer " + TestServer.ADMIN + "\r\nIdempotency-Key: k-8\r\n"
                                    + "Content-Length: " + JOB.length() + "\r\n\r\n" + JOB)
                            .getBytes(StandardCharsets.US_ASCII));
            await().until(() -> stored("hung-up") == 1);
        }

        await().untilAsserted(() -> {
            Answer again = other.api().withKey("k-8").post("/queues/hung-up/jobs", JOB);
            assertThat(again.status()).isEqualTo(201);
            assertThat(again.response().headers().firstValue("Idempotency-Replayed"))
                    .isPresent();
        });
    }

    @Test
    void anAnswerIsNotGivenOutAfterTheRightsAreGone() {
        String body = "{\"name\": \"shrunk\", \"roles\": [%s], \"queues\": [%s]}";
        Api before = made(body.formatted("\"submit\", \"read\"", "\"rights\""));
        String job = JOB.replace("}", ", \"id\": \"secret-id\"}");
        Answer first = before.withKey("k-9").post("/queues/rights/jobs", job);
        assertThat(first.status()).as("%s", first).isEqualTo(201);

        server.api().delete("/tokens/shrunk");
        Api elsewhere = made(body.formatted("\"submit\", \"read\"", "\"other\""));
        Answer unknown = elsewhere.withKey("k-9").post("/queues/rights/jobs", job);
        assertThat(unknown.status()).as("%s", unknown).isEqualTo(404);
        assertThat(unknown.response().body()).doesNotContain("secret-id");

        server.api().delete("/tokens/shrunk");
        Api less = made(body.formatted("\"submit\"", "\"rights\""));
        Answer refused = less.withKey("k-9").post("/queues/rights/jobs", job);
        assertThat(refused.status()).as("%s", refused).isEqualTo(403);
        assertThat(refused.response().body()).doesNotContain("secret-id").contains("fewer rights");

        server.api().delete("/tokens/shrunk");
        Api more = made(body.formatted("\"submit\", \"read\", \"operate\"", "\"right*\""));
        assertThat(more.withKey("k-9")
                        .post("/queues/rights/jobs", job)
                        .response()
                        .body())
                .isEqualTo(first.response().body());
    }

    private Api made(String token) {
        return server.api(
                server.api().post("/tokens", token).json().path("token").asString());
    }

    @Test
    void keysBelongToTheirToken() {
        String token = server.api()
                .post("/tokens", "{\"name\": \"second\", \"roles\": [\"submit\"]}")
                .json()
                .path("token")
                .asString();

        server.api().withKey("k-4").post("/queues/tokens/jobs", JOB);
        server.api(token).withKey("k-4").post("/queues/tokens/jobs", JOB);

        assertThat(stored("tokens")).isEqualTo(2);
    }

    @Test
    void aRefusedRequestIsRefusedAgain() {
        Answer first = server.api().withKey("k-5").post("/queues/refused/jobs", "{}");
        Answer second = server.api().withKey("k-5").post("/queues/refused/jobs", "{}");

        assertThat(first.status()).isEqualTo(400);
        assertThat(second.response().body()).isEqualTo(first.response().body());
    }

    @Test
    void aRefusedRequestLeavesNothingInRedis() {
        Api reader = server.api(server.api()
                .post("/tokens", "{\"name\": \"reader\", \"roles\": [\"read\"], \"queues\": [\"read\"]}")
                .json()
                .path("token")
                .asString());
        Set<String> before = notes();

        assertThat(reader.withKey("r-1").post("/queues/read/jobs", JOB).status())
                .isEqualTo(403);
        assertThat(reader.withKey("r-2").post("/queues/other/jobs", JOB).status())
                .isEqualTo(404);
        assertThat(server.api().withKey("r-3").post("/queues/read/jobs", "{}").status())
                .isEqualTo(400);

        assertThat(notes()).isEqualTo(before);
    }

    private Set<String> notes() {
        DelayJobRedis redis = server.bean(DelayJobRedis.class);
        Set<String> notes = new TreeSet<>();
        redis.redisson()
                .getKeys()
                .getKeys(KeysScanOptions.defaults().pattern(redis.keyPrefix() + ":server:idempotency:*"))
                .forEach(notes::add);
        return notes;
    }

    @Test
    void aRequestThatNoRouteAnswersDoesNotKeepItsKey() {
        Answer first = server.api().withKey("k-9").post("/nonsense");
        Answer second = server.api().withKey("k-9").post("/nonsense");

        assertThat(first.status()).isEqualTo(404);
        assertThat(second.status()).as("%s", second).isEqualTo(404);
    }

    @Test
    void claimsAndMalformedKeysAreRefused() {
        assertThat(server.api().withKey("k-6").post("/queues/q/claims", "{}").status())
                .isEqualTo(400);
        assertThat(server.api().withKey("a b").post("/queues/q/jobs", JOB).status())
                .isEqualTo(400);
    }
}
