package io.delayjob.brokers;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.testing.RedisServer;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/** An application as its authors would write it: delayjob, and the starter of a broker. */
record Shop(ConfigurableApplicationContext context) implements AutoCloseable {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /** Starts it on the tests' Redis. */
    static Shop open(ApplicationContextInitializer<GenericApplicationContext> beans, String... properties) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setBannerMode(Banner.Mode.OFF);
        application.setRegisterShutdownHook(false);
        application.addInitializers(context -> beans.initialize((GenericApplicationContext) context));
        application.setDefaultProperties(Map.of(
                "spring.data.redis.url",
                RedisServer.shared().url(),
                "spring.activemq.embedded.enabled",
                false,
                "delayjob.default-queue",
                "q-" + UUID.randomUUID(),
                "delayjob.max-param-size",
                "4MB",
                // A broker may take minutes to start.
                "delayjob.max-attempts",
                10_000,
                "delayjob.backoff.initial",
                "200ms",
                "delayjob.backoff.max",
                "200ms"));
        return new Shop(application.run(
                Stream.of(properties).map(property -> "--" + property).toArray(String[]::new)));
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    DelayJobProducer producer() {
        return bean(DelayJobProducer.class);
    }

    DelayJobAdmin admin() {
        return bean(DelayJobAdmin.class);
    }

    @Override
    public void close() {
        context.close();
    }
}
