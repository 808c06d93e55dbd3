package io.delayjob.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.server.console.TestConsole.Browser;
import io.delayjob.testing.OwnRedis;
import io.delayjob.testing.RealRedis;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A page that is open while Redis is away says so, and so does one that is opened then; both come back by themselves. */
@Tag("proof")
@RealRedis
class RedisAwayIT {

    @Test
    void saysSoAndComesBack() throws Exception {
        try (OwnRedis redis = OwnRedis.start("--appendonly", "yes", "--appendfsync", "always");
                TestConsole console = TestConsole.startOn(
                        redis.url(),
                        TestConsole.Kind.NETTY,
                        "delayjob.submit-timeout=4s",
                        "delayjob.redis.timeout=2s")) {
            Browser admin = console.signedIn(TestConsole.ADMIN);
            console.api(TestConsole.ADMIN, "/queues/kept/jobs", "{\"id\":\"k\",\"topic\":\"t\",\"delay\":\"PT1H\"}");
            try (Watcher watcher = Watcher.of(admin)) {
                await().until(() -> watcher.last().contains("kept"));

                redis.kill();

                await().untilAsserted(() -> assertThat(watcher.last()).contains("Redis does not answer", "kept"));
                HttpResponse<String> opened = admin.get("/queues/kept");
                assertThat(opened.statusCode()).isEqualTo(503);
                assertThat(opened.body()).contains("Redis did not answer", "asks again by itself");
                assertThat(opened.headers().firstValue("Refresh")).isPresent();

                redis.restart();

                await().untilAsserted(() -> assertThat(watcher.last()).doesNotContain("Redis does not answer"));
                await().until(() -> admin.get("/queues/kept").statusCode() == 200);
            }
        }
    }
}
