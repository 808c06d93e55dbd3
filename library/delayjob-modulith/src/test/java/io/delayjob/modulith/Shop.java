package io.delayjob.modulith;

import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobListener;
import io.delayjob.JobExecution;
import io.delayjob.JobQuery;
import io.delayjob.JobState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** An application that publishes events in transactions of a database, and runs their jobs. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class Shop {

    private final Queue<String> closed = new ConcurrentLinkedQueue<>();

    static ConfigurableApplicationContext open(String redis, String database, String queue, String... properties) {
        SpringApplication application = new SpringApplication(Shop.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setBannerMode(Banner.Mode.OFF);
        application.setRegisterShutdownHook(false);
        Stream<String> own = Stream.of(
                "spring.data.redis.url=" + redis,
                "spring.datasource.url=" + database,
                "delayjob.default-queue=" + queue,
                "spring.modulith.events.jdbc.schema-initialization.enabled=true");
        return application.run(Stream.concat(own, Arrays.stream(properties))
                .map(property -> "--" + property)
                .toArray(String[]::new));
    }

    @DelayJobListener(topic = "close-order")
    void close(OrderPlaced order, JobExecution<OrderPlaced> execution) {
        closed.add(order.orderId() + " " + execution.id());
    }

    /** The orders that were closed, each with the id of its job. */
    List<String> closed() {
        return new ArrayList<>(closed);
    }

    /** Forgets all that has happened, and cancels what waits. */
    static void clear(ConfigurableApplicationContext shop, String queue) {
        DelayJobAdmin admin = shop.getBean(DelayJobAdmin.class);
        admin.list(JobQuery.of(queue, JobState.DELAYED)).jobs().forEach(job -> admin.cancel(queue, job.id()));
        shop.getBean(JdbcTemplate.class).update("DELETE FROM EVENT_PUBLICATION");
        shop.getBean(Shop.class).closed.clear();
    }

    void awaitClosed(int orders) {
        await().until(() -> closed.size() >= orders);
    }

    /** Publishes events in one transaction. */
    static void publish(ConfigurableApplicationContext shop, Object... events) {
        ApplicationEventPublisher publisher = shop;
        shop.getBean(TransactionTemplate.class)
                .executeWithoutResult(status -> Arrays.stream(events).forEach(publisher::publishEvent));
    }

    /** The publications that the registry has, oldest first. */
    static List<Map<String, Object>> publications(ConfigurableApplicationContext shop) {
        return shop.getBean(JdbcTemplate.class)
                .queryForList("SELECT * FROM EVENT_PUBLICATION ORDER BY PUBLICATION_DATE");
    }

    static void awaitStatus(ConfigurableApplicationContext shop, String status, int publications) {
        await().until(() -> publications(shop).stream()
                        .filter(publication -> status.equals(publication.get("STATUS")))
                        .count()
                == publications);
    }
}
