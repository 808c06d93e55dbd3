package io.delayjob.delivery;

import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobSnapshot;
import io.delayjob.delivery.autoconfigure.DelayJobDeliveryAutoConfiguration;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.redisson.autoconfigure.DelayJobRedisAutoConfiguration;
import io.delayjob.spring.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/** An application that delivers jobs, on the shared Redis under a prefix of keys. */
record DeliveryNode(ConfigurableApplicationContext context) implements AutoCloseable {

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        JacksonAutoConfiguration.class,
        DelayJobRedisAutoConfiguration.class,
        DelayJobAutoConfiguration.class,
        DelayJobDeliveryAutoConfiguration.class
    })
    static class Application {}

    static String prefix() {
        return "delivery-" + UUID.randomUUID();
    }

    static DeliveryNode open(String prefix, Consumer<GenericApplicationContext> beans, String... properties) {
        return open(Application.class, prefix, beans, properties);
    }

    static DeliveryNode open(
            Class<?> source, String prefix, Consumer<GenericApplicationContext> beans, String... properties) {
        SpringApplication application = new SpringApplication(source);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setBannerMode(Banner.Mode.OFF);
        application.setRegisterShutdownHook(false);
        application.setDefaultProperties(Map.of(
                "delayjob.observation-enabled", false,
                "delayjob.backoff.initial", "100ms",
                "delayjob.backoff.jitter", "0",
                "delayjob.retention.time", "1h"));
        application.addInitializers(context -> beans.accept((GenericApplicationContext) context));
        return new DeliveryNode(application.run(Stream.concat(
                        Stream.of(
                                "spring.data.redis.url=" + RedisServer.shared().url(), "delayjob.key-prefix=" + prefix),
                        Stream.of(properties))
                .map(property -> "--" + property)
                .toArray(String[]::new)));
    }

    DelayJobTargets targets() {
        return context.getBean(DelayJobTargets.class);
    }

    /** Waits until the other nodes can see that this one can deliver to a topic, so that they give up none of its jobs. */
    void awaitNoted(String topic) {
        DelayJobRedis redis = context.getBean(DelayJobRedis.class);
        String note = redis.keyPrefix() + ":{targets}:reachable:" + topic;
        await().until(() -> redis.redisson().getBucket(note, DelayJobRedis.TEXT).isExists());
    }

    DelayJobAdmin admin() {
        return context.getBean(DelayJobAdmin.class);
    }

    void submit(String topic, String id, Object param) {
        submit(DelayJobRequest.toTopic(topic, param).withId(id));
    }

    void submit(DelayJobRequest<?> request) {
        var unused = context.getBean(DelayJobProducer.class).submit(request, Duration.ZERO);
    }

    JobSnapshot job(String queue, String id) {
        return admin().find(queue, id).orElseThrow();
    }

    @Override
    public void close() {
        context.close();
    }
}
