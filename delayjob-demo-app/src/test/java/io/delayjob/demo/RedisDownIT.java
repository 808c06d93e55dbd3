package io.delayjob.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.testing.OwnRedis;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@Tag("proof")
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"delayjob.submit-timeout=2s", "delayjob.shutdown-timeout=1s"})
@DirtiesContext
final class RedisDownIT {

    private static final OwnRedis REDIS = OwnRedis.start();

    @DynamicPropertySource
    static void redis(DynamicPropertyRegistry properties) {
        properties.add("spring.data.redis.url", REDIS::url);
    }

    @AfterAll
    static void closeRedis() {
        REDIS.close();
    }

    @Test
    void answers503WhileRedisIsGoneAndSubmitsAgainWhenItIsBack(@LocalServerPort int port) {
        DemoClient demo = new DemoClient(port);
        String id = UUID.randomUUID().toString();
        REDIS.kill();

        Reply refused = demo.submit("delay=0&id=" + id);

        assertThat(refused).matches(answer -> answer.isProblem(503), "is a problem with status 503");
        assertThat(refused.text("id")).isEqualTo(id);
        assertThat(refused.text("outcome")).isIn("NOT_STORED", "UNKNOWN");
        REDIS.restart();
        Waits.soon().until(() -> demo.submit("delay=0&id=" + id).status() == 200);
        Waits.soon().until(() -> demo.latest(id, "COMPLETED").isPresent());
    }
}
