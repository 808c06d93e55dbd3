package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.server.Api.Answer;
import io.delayjob.testing.OwnRedis;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Requests while Redis is away, and after it has come back. */
@ExtendWith(OutputCaptureExtension.class)
class RedisAwayIT {

    private static final String JOB = "{\"id\": \"a\", \"topic\": \"t\", \"delay\": \"PT1H\"}";

    @Tag("proof")
    @Test
    void startsWithoutRedisAndServesAsSoonAsItComes(CapturedOutput output) {
        try (OwnRedis redis = OwnRedis.start()) {
            redis.stop();
            try (TestServer server = TestServer.startOn(redis.url(), TestServer.prefix(), "delayjob.fail-fast=false")) {
                startsToServe(redis::restart, server);
            }
        }
        assertThat(output).containsOnlyOnce("until Redis answers, requests are answered with 503");
    }

    @Tag("proof")
    @Test
    void startsWhereRedisIsSilentAndServesAsSoonAsItAnswers() {
        try (OwnRedis redis = OwnRedis.start()) {
            redis.pause();
            try (TestServer server = TestServer.startOn(redis.url(), TestServer.prefix(), "delayjob.fail-fast=false")) {
                startsToServe(redis::resume, server);
            }
        }
    }

    /** There, no token is looked for, and a key is the first that the server asks Redis for. */
    @Test
    void requestsWithAKeyKeepNoOtherFromBeingAnsweredUntilRedisComes(@TempDir Path folder) {
        WebTokenMaker issuer = new WebTokenMaker();
        try (OwnRedis redis = OwnRedis.start()) {
            redis.pause();
            try (TestServer server = TestServer.Kind.NETTY.startSecuredOn(
                    redis.url(), SpringSecurityIT.Pages.class, issuer.trustedBy(folder), "delayjob.fail-fast=false")) {
                Api ann = server.api(issuer.token("ann", Map.of("scope", "delayjob.admin")));
                // The first request of a server takes its time, which is not that of Redis.
                assertThat(ann.get("/unknown").status()).isEqualTo(404);
                // Again where the machine stood still for so long that all had ended.
                await().untilAsserted(() -> anotherIsAnsweredWhileTheyWait(ann));
                redis.resume();
                await().untilAsserted(() -> assertThat(
                                ann.withKey("key-0").post("/queues/q/jobs", JOB).status())
                        .isEqualTo(201));
            }
        }
    }

    private static void anotherIsAnsweredWhileTheyWait(Api ann) {
        List<CompletableFuture<Answer>> posts = IntStream.range(0, 32)
                .mapToObj(i -> ann.withKey("key-" + i).postAsync("/queues/q/jobs", JOB))
                .toList();

        assertThat(ann.get("/unknown").status()).isEqualTo(404);
        assertThat(posts).anyMatch(post -> !post.isDone());

        assertThat(posts)
                .allSatisfy(post -> assertThat(
                                post.orTimeout(120, TimeUnit.SECONDS).join().problem())
                        .isEqualTo("redis-unavailable"));
    }

    private static void startsToServe(Runnable comes, TestServer server) {
        Api api = server.api();
        for (Answer early : List.of(api.get("/queues"), api.post("/queues/q/jobs", JOB), api.get("/queues"))) {
            assertThat(early.status()).as("%s", early).isEqualTo(503);
            assertThat(early.problem()).isEqualTo("redis-unavailable");
            assertThat(early.response().headers().firstValue("Retry-After")).isPresent();
        }
        comes.run();
        await().untilAsserted(() ->
                assertThat(api.post("/queues/q/jobs", JOB).status()).isEqualTo(201));
        assertThat(server.api("made-up").get("/queues").status()).isEqualTo(401);
    }

    @Test
    void failsItsStartWhereRedisMustBeThere() {
        try (OwnRedis redis = OwnRedis.start()) {
            redis.stop();
            assertThatThrownBy(() -> TestServer.startOn(redis.url(), TestServer.prefix()))
                    .hasStackTraceContaining("127.0.0.1:" + redis.port());
        }
    }

    @Tag("proof")
    @Test
    void answersWhatIsKnownAndGoesOnAfterwards() {
        try (OwnRedis redis = OwnRedis.start("--appendonly", "yes", "--appendfsync", "always");
                TestServer server = TestServer.startOn(
                        redis.url(),
                        TestServer.prefix(),
                        "delayjob.submit-timeout=1s",
                        "delayjob.redis.timeout=500ms")) {
            Api api = server.api();
            Answer submitted = submittedAfterAKill(redis, api);

            assertThat(submitted.status()).as("%s", submitted).isEqualTo(503);
            assertThat(submitted.problem()).as("%s", submitted).isEqualTo("not-confirmed");
            assertThat(submitted.json().path("outcome").asString()).isIn("NOT_STORED", "UNKNOWN");
            assertThat(submitted.json().path("jobs").findValuesAsString("id")).containsExactly("a");
            assertThat(submitted.response().headers().firstValue("Retry-After")).isPresent();
            await().untilAsserted(
                            () -> assertThat(api.get("/queues/q").problem()).isEqualTo("redis-unavailable"));
            theProtocolsSaySoInTheirOwnShape(new OldClient(api.url() + "/protocols", TestServer.ADMIN));

            redis.restart();

            await().until(() -> api.post("/queues/q/jobs", JOB).status() < 300);
            assertThat(api.get("/queues/q").json().path("delayed").asInt()).isEqualTo(1);
        }
    }

    /** Again where the machine stood still for so long that the token, too, has to be read from Redis: it is believed for a second. */
    private static Answer submittedAfterAKill(OwnRedis redis, Api api) {
        return await().until(
                        () -> {
                            redis.restart();
                            await().until(() -> api.get("/queues").status() == 200);
                            redis.kill();
                            return api.post("/queues/q/jobs", JOB);
                        },
                        submitted -> !submitted.problem().equals("redis-unavailable"));
    }

    private static void theProtocolsSaySoInTheirOwnShape(OldClient client) {
        Answer added =
                client.post("/delay-queue", "{'command':'add','topic':'t','id':'i','delay':0,'TTR':1,'body':''}");
        assertThat(added.status()).as("%s", added).isEqualTo(503);
        assertThat(added.json().propertyNames()).contains("success", "error");
        assertThat(added.json().path("success").asBoolean(true)).isFalse();
        Answer pushed = client.post("/mykit/push", "{'topic':'t','id':'i'}");
        assertThat(pushed.status()).as("%s", pushed).isEqualTo(503);
        assertThat(pushed.json().propertyNames()).containsExactlyInAnyOrder("success", "data", "message", "code");
        assertThat(pushed.json().path("code").asInt()).isEqualTo(500);
    }

    @Tag("proof")
    @Test
    void thoseWhoFollowEventsStayAndGoOnAfterwards() {
        try (OwnRedis redis = OwnRedis.start("--appendonly", "yes", "--appendfsync", "always");
                TestServer server = TestServer.startOn(
                        redis.url(),
                        TestServer.prefix(),
                        "delayjob.submit-timeout=1s",
                        "delayjob.redis.timeout=500ms");
                EventClient client = EventClient.listen(server, "?kind=submitted")) {
            String before = heard(server, client, "before-");
            redis.kill();

            assertThat(server.api().get("/events").status()).isEqualTo(503);
            await().until(() -> client.comments().contains("heartbeat"));

            redis.restart();
            heard(server, client, "after-");
            assertThat(client.hasEnded()).isFalse();
            assertThat(client.kindsOf(before)).hasSize(1);
        }
    }

    /** Submits a job after the other until one is heard of, which it returns: an event is lost if Redis does not take it in time. */
    private static String heard(TestServer server, EventClient client, String prefix) {
        return await().until(
                        () -> {
                            String id = "\"" + prefix + UUID.randomUUID() + "\"";
                            server.api().post("/queues/q/jobs", JOB.replace("\"a\"", id));
                            return client.events().stream()
                                    .map(EventClient.Event::job)
                                    .filter(job -> job.startsWith(prefix))
                                    .findFirst();
                        },
                        Optional::isPresent)
                .orElseThrow();
    }
}
