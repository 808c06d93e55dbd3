package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobProducer;
import io.delayjob.testing.OwnRedis;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Health of an application whose Redis is away. */
class DelayJobHealthIT {

    /** An application with one job. */
    @Configuration(proxyBeanMethods = false)
    @Import(ParcelJob.class)
    static class App {}

    private static ConfigurableApplicationContext start(OwnRedis redis) {
        return TestApplication.start(App.class, new String[] {
            "spring.data.redis.url=" + redis.url(), "delayjob.fail-fast=false", "delayjob.health.timeout=300ms"
        });
    }

    private static Health health(ConfigurableApplicationContext app) {
        return Objects.requireNonNull(
                app.getBean("delayjobHealthIndicator", HealthIndicator.class).health());
    }

    private static void awaitStatus(ConfigurableApplicationContext app, Status status) {
        await().untilAsserted(() -> assertThat(health(app).getStatus()).isEqualTo(status));
    }

    @Test
    void isDownWhileRedisIsSilentWithoutWaitingForItsAnswerAndUpAgainAfterwards() {
        try (OwnRedis redis = OwnRedis.start();
                ConfigurableApplicationContext app = start(redis)) {
            awaitStatus(app, Status.UP);
            redis.pause();
            awaitStatus(app, Status.DOWN);
            // Between two questions it is how the last one ended.
            await().untilAsserted(() ->
                    assertThat(health(app).getDetails()).asString().contains("Redis: did not answer within PT0.3S"));
            redis.resume();
            awaitStatus(app, Status.UP);
        }
    }

    /** Its default queue is of this test alone, and so is its Redis. */
    @Test
    void namesTheHandlerThatNoNodeHasForAJobThatIsDue() {
        try (OwnRedis redis = OwnRedis.start();
                ConfigurableApplicationContext app = start(redis)) {
            app.getBean(DelayJobProducer.class)
                    .submitDelayJob("misspelt", "a", Instant.now().minusSeconds(400));
            await().untilAsserted(() -> assertThat(health(app).getDetails())
                    .asString()
                    .contains("unhandled={misspelt=1}", "no live node has a handler for misspelt"));
            assertThat(health(app).getStatus()).isEqualTo(Status.DOWN);
        }
    }

    @Test
    void isDownWithoutHangingWhereRedisHasNeverBeenThere() {
        try (OwnRedis redis = OwnRedis.start()) {
            redis.pause();
            try (ConfigurableApplicationContext app = start(redis)) {
                Health health = health(app);
                assertThat(health.getStatus()).isEqualTo(Status.DOWN);
                // The second where the first connection was waited for in vain before this was asked.
                assertThat(health.getDetails())
                        .asString()
                        .containsAnyOf(
                                "Redis: did not answer within PT0.3S",
                                "127.0.0.1:" + redis.port() + " cannot be reached");
                redis.resume();
                awaitStatus(app, Status.UP);
            }
        }
    }
}
