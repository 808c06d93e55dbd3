package io.delayjob.redisson.autoconfigure;

import io.delayjob.spring.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.testing.RedisServer;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.redisson.api.RedissonClient;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Applications on a real Redis. */
final class TestApplication {

    private TestApplication() {}

    /** A minimal Boot application with an inbox. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Base {

        @Bean
        Inbox inbox() {
            return new Inbox();
        }
    }

    /** The client that delayjob uses. */
    static RedissonClient redisson(ApplicationContext context) {
        return context.getBean(DelayJobRedis.class).redisson();
    }

    static String queue() {
        return "q-" + UUID.randomUUID();
    }

    /** A context with an inbox, on the shared Redis, without the rest of Boot. */
    static ApplicationContextRunner runner(String queue) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        JacksonAutoConfiguration.class,
                        DelayJobRedisAutoConfiguration.class,
                        DelayJobAutoConfiguration.class))
                .withBean(Inbox.class)
                .withPropertyValues(
                        "spring.data.redis.url=" + RedisServer.shared().url(), "delayjob.default-queue=" + queue);
    }

    /** A whole application on the shared Redis. */
    static ConfigurableApplicationContext start(Class<?> source, String queue, String... properties) {
        return start(
                source,
                Stream.concat(
                                Stream.of(
                                        "spring.data.redis.url="
                                                + RedisServer.shared().url(),
                                        "delayjob.default-queue=" + queue),
                                Arrays.stream(properties))
                        .toArray(String[]::new));
    }

    /** A whole application. */
    static ConfigurableApplicationContext start(Class<?> source, String[] properties) {
        SpringApplication application = new SpringApplication(Base.class, source);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setBannerMode(Banner.Mode.OFF);
        application.setRegisterShutdownHook(false);
        // A tracer is on the class path of all tests, and observations are the business of one.
        application.setDefaultProperties(Map.of("delayjob.observation-enabled", false));
        return application.run(
                Arrays.stream(properties).map(property -> "--" + property).toArray(String[]::new));
    }
}
