package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.JobEvent;
import io.delayjob.redisson.internal.ledger.Backend;
import io.delayjob.spi.JobEventListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;

/** Who hears of events. */
class EventDeliveryTest {

    private static final JobEvent REDRIVEN = new JobEvent.Redriven("orders", "7");
    private static final JobEvent CANCELLED = new JobEvent.Cancelled("orders", "7", true);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class, DelayJobAutoConfiguration.class))
            .withPropertyValues("delayjob.consume=false")
            .withBean(Backend.class, () -> Mockito.mock(Backend.class))
            .withUserConfiguration(Heard.class);

    /** Listeners of both kinds, that need what delayjob offers. */
    @Configuration(proxyBeanMethods = false)
    static class Heard {

        final List<String> heard = new ArrayList<>();

        @Bean
        @Order(2)
        JobEventListener second(DelayJobProducer producer) {
            return event -> heard.add("second " + event.id());
        }

        @Bean
        @Order(1)
        JobEventListener first(DelayJobAdmin admin) {
            return event -> {
                heard.add("first " + event.id());
                throw new IllegalStateException("no listener spoils it for the others");
            };
        }

        @EventListener
        void on(JobEvent.Redriven event) {
            heard.add("published " + event.id());
        }

        @EventListener
        void onAny(JobEvent.OfAttempt event) {
            heard.add("never " + event.id());
        }
    }

    @Test
    void deliversToListenersInTheirOrderAndPublishes() {
        runner.run(context -> {
            EventDelivery delivery = context.getBean(EventDelivery.class);
            delivery.deliver(REDRIVEN);
            delivery.deliver(CANCELLED);
            assertThat(context.getBean(Heard.class).heard)
                    .containsExactly("first 7", "second 7", "published 7", "first 7", "second 7");
        });
    }

    @Test
    void waitsWithEventsUntilAllBeansAreMade() {
        runner.run(context -> {
            EventDelivery delivery = new EventDelivery(context.getBeanProvider(JobEventListener.class), context);
            CompletableFuture<Void> delivered = CompletableFuture.runAsync(() -> delivery.deliver(REDRIVEN));
            assertThat(delivered).isNotDone();
            delivery.afterSingletonsInstantiated();
            delivered.get(10, TimeUnit.SECONDS);
            assertThat(context.getBean(Heard.class).heard).hasSize(3);
        });
    }

    @Test
    void dropsEventsOfAnApplicationThatNeverStartedOrHasEnded() {
        runner.run(context -> {
            EventDelivery delivery = new EventDelivery(context.getBeanProvider(JobEventListener.class), context);
            CompletableFuture<Void> delivered = CompletableFuture.runAsync(() -> delivery.deliver(REDRIVEN));
            delivery.destroy();
            delivered.get(10, TimeUnit.SECONDS);
            delivery.deliver(REDRIVEN);
            assertThat(context.getBean(Heard.class).heard).isEmpty();
        });
    }
}
