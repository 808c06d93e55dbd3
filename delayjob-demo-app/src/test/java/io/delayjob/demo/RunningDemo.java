package io.delayjob.demo;

import io.delayjob.testing.RedisServer;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** A test of the demo over HTTP, on the shared Redis under a prefix of its own. */
abstract class RunningDemo {

    DemoClient demo = new DemoClient(0);

    @DynamicPropertySource
    static void redis(DynamicPropertyRegistry properties) {
        properties.add("spring.data.redis.url", () -> RedisServer.shared().url());
        String prefix = "demo-" + UUID.randomUUID();
        properties.add("delayjob.key-prefix", () -> prefix);
    }

    @BeforeEach
    void connect(@LocalServerPort int port) {
        demo = new DemoClient(port);
    }
}
