package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.server.Api.Answer;
import io.delayjob.testing.OwnRedis;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Requests while Redis is away, and after it has come back. */
class RedisAwayIT {

    private static final String JOB = "{\"id\": \"a\", \"topic\": \"t\", \"delay\": \"PT1H\"}";

    @Test
    void answersWhatIsKnownAndGoesOnAfterwards() {
        try (OwnRedis redis = OwnRedis.start("--appendonly", "yes", "--appendfsync", "always");
                TestServer server = TestServer.startOn(
                        redis.url(),
                        TestServer.prefix(),
                        "delayjob.submit-timeout=1s",
                        "delayjob.redis.timeout=500ms")) {
            Api api = server.api();
            assertThat(api.get("/queues").status()).isEqualTo(200);
            redis.kill();

            Answer submitted = api.post("/queues/q/jobs", JOB);

            assertThat(submitted.status()).as("%s", submitted).isEqualTo(503);
            assertThat(submitted.problem()).as("%s", submitted).isEqualTo("not-confirmed");
            assertThat(submitted.json().path("outcome").asString()).isIn("NOT_STORED", "UNKNOWN");
            assertThat(submitted.json().path("jobs").findValuesAsString("id")).containsExactly("a");
            assertThat(submitted.response().headers().firstValue("Retry-After")).isPresent();
            await().untilAsserted(
                            () -> assertThat(api.get("/queues/q").problem()).isEqualTo("redis-unavailable"));

            redis.restart();

            await().atMost(30, TimeUnit.SECONDS)
                    .until(() -> api.post("/queues/q/jobs", JOB).status() < 300);
            assertThat(api.get("/queues/q").json().path("delayed").asInt()).isEqualTo(1);
        }
    }
}
