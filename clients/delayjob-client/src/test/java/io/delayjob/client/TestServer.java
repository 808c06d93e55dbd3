package io.delayjob.client;

import io.delayjob.DelayJobAdmin;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.util.UUID;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A real server, with keys of its own on the shared Redis. */
public final class TestServer implements AutoCloseable {

    private static final String TOKEN = "the-first-token";

    private final ConfigurableApplicationContext context;

    @EnableAutoConfiguration
    static class Application {}

    public TestServer(String... properties) {
        context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.REACTIVE)
                .properties(
                        "server.port=0",
                        "server.address=127.0.0.1",
                        "spring.main.banner-mode=off",
                        "spring.reactor.netty.shutdown-quiet-period=0s",
                        "eureka.client.enabled=false",
                        "delayjob.redis.url=" + RedisServer.shared().url(),
                        "delayjob.key-prefix=client-" + UUID.randomUUID(),
                        "delayjob.server.admin-token=" + TOKEN)
                .properties(properties)
                .run();
    }

    public HttpDelayJobSettings settings() {
        return HttpDelayJobSettings.of("http://127.0.0.1:" + port(), TOKEN).withTimeout(Duration.ofSeconds(30));
    }

    private String port() {
        return context.getEnvironment().getRequiredProperty("local.server.port");
    }

    public DelayJobAdmin admin() {
        return bean(DelayJobAdmin.class);
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    @Override
    public void close() {
        context.close();
    }
}
