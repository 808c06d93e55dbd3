package io.delayjob.server;

import io.delayjob.testing.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.http.client.ReactorResourceFactory;

/** An application that serves the API, with keys of its own on the shared Redis. */
final class TestServer implements AutoCloseable {

    static final String ADMIN = "the-first-token";

    private final ConfigurableApplicationContext context;

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {

        /** Of its own, because the end of one server would end the threads of all others of this JVM. */
        @Bean
        ReactorResourceFactory reactorResources() {
            ReactorResourceFactory resources = new ReactorResourceFactory();
            resources.setUseGlobalResources(false);
            return resources;
        }
    }

    private TestServer(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** A server of jobs that no other test sees. */
    static TestServer start(String... properties) {
        return start(prefix(), properties);
    }

    /** A prefix of keys for several servers. */
    static String prefix() {
        return "server-" + UUID.randomUUID();
    }

    static TestServer start(String prefix, String[] properties) {
        return startOn(RedisServer.shared().url(), prefix, properties);
    }

    static TestServer startOn(String redis, String prefix, String... properties) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--spring.main.banner-mode=off",
                "--delayjob.redis.url=" + redis,
                "--delayjob.key-prefix=" + prefix,
                "--delayjob.server.admin-token=" + ADMIN));
        Stream.of(properties).map(property -> "--" + property).forEach(arguments::add);
        return new TestServer(new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.REACTIVE)
                .run(arguments.toArray(String[]::new)));
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    <T> T bean(String name, Class<T> type) {
        return context.getBean(name, type);
    }

    int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    Api api() {
        return api(ADMIN);
    }

    Api api(String token) {
        return new Api("http://127.0.0.1:" + port(), token);
    }

    @Override
    public void close() {
        context.close();
    }
}
