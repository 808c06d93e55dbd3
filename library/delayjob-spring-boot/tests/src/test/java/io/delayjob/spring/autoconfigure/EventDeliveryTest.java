package io.delayjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.JobEvent;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.spi.JobEventListener;
import io.delayjob.spi.JobInterceptor;
import io.delayjob.support.Checks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Tests which listeners receive job events, and when. */
@ExtendWith(OutputCaptureExtension.class)
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
            delivered.get(2, TimeUnit.MINUTES);
            assertThat(context.getBean(Heard.class).heard).hasSize(3);
        });
    }

    @Test
    void dropsEventsOfAnApplicationThatNeverStartedOrHasEnded() {
        runner.run(context -> {
            EventDelivery delivery = new EventDelivery(context.getBeanProvider(JobEventListener.class), context);
            CompletableFuture<Void> delivered = CompletableFuture.runAsync(() -> delivery.deliver(REDRIVEN));
            delivery.destroy();
            delivered.get(2, TimeUnit.MINUTES);
            delivery.deliver(REDRIVEN);
            assertThat(context.getBean(Heard.class).heard).isEmpty();
        });
    }

    /** Fails at every event. */
    static final class FailingPublished {

        @EventListener
        void on(JobEvent.Redriven event) {
            Checks.atLeastOne(0, "broken");
        }
    }

    @Test
    void namesWhoFailed(CapturedOutput output) {
        new ApplicationContextRunner().withBean(FailingPublished.class).run(context -> {
            EventDelivery delivery = new EventDelivery(context.getBeanProvider(JobEventListener.class), context);
            delivery.afterSingletonsInstantiated();
            delivery.deliver(REDRIVEN);
            assertThat(output).contains("an @EventListener of the application failed on Redriven of job 7");
        });
    }

    @Test
    void makesNoEventsWhereNobodyListens() {
        assertThat(heardBy(OtherEvents.class)).isEmpty();
        runner.run(context -> assertThat(heard(context)).isEqualTo(JobEvents.KINDS));
    }

    @Test
    void makesTheKindsOfEventsThatApplicationListenersAskFor() {
        assertThat(heardBy(OneKind.class)).containsExactly(JobEvent.Buried.class);
        assertThat(heardBy(SeveralKinds.class))
                .containsExactlyInAnyOrder(JobEvent.Cancelled.class, JobEvent.Rescheduled.class);
        assertThat(heardBy(Programmatic.class)).containsExactly(JobEvent.Completed.class);
        assertThat(heardBy(OfAttempts.class))
                .contains(JobEvent.Claimed.class, JobEvent.Lost.class)
                .doesNotContain(JobEvent.Submitted.class, JobEvent.Redriven.class);
        assertThat(heardBy(AnyPayload.class)).isEqualTo(JobEvents.KINDS);
    }

    @Test
    void makesTheKindsThatOnlyTheDefinitionOfAListenerNames() {
        assertThat(heardBy(OnlyDeclared.class))
                .containsExactlyInAnyOrder(JobEvent.Buried.class, JobEvent.Retried.class, JobEvent.Completed.class);
    }

    private static Set<Class<? extends JobEvent>> heardBy(Class<?> listens) {
        Set<Class<? extends JobEvent>> kinds = new HashSet<>();
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(JacksonAutoConfiguration.class, DelayJobAutoConfiguration.class))
                .withPropertyValues("delayjob.consume=false")
                .withBean(Backend.class, () -> Mockito.mock(Backend.class))
                .withBean(listens)
                .run(context -> kinds.addAll(heard(context)));
        return kinds;
    }

    private static Set<Class<? extends JobEvent>> heard(ApplicationContext context) {
        EventDelivery delivery = context.getBean(EventDelivery.class);
        return JobEvents.KINDS.stream().filter(delivery::hears).collect(Collectors.toSet());
    }

    /** Listens to what others publish. */
    static final class OtherEvents implements ApplicationListener<ApplicationEvent> {

        @Override
        public void onApplicationEvent(ApplicationEvent event) {}

        @EventListener
        void on(ContextRefreshedEvent event) {}

        @EventListener
        void on(String payload) {}
    }

    /** Listens to one kind. */
    static final class OneKind {

        @EventListener
        void on(JobEvent.Buried dead) {}
    }

    /** Listens to some, named by the annotation. */
    static final class SeveralKinds {

        @EventListener({JobEvent.Cancelled.class, JobEvent.Rescheduled.class})
        void on() {}
    }

    /** Listens to what attempts do. */
    static final class OfAttempts {

        @EventListener
        void on(JobEvent.OfAttempt step) {}
    }

    /** Listens to everything. */
    static final class AnyPayload {

        @EventListener
        void on(Object event) {}
    }

    /** Listens without an annotation. */
    static final class Programmatic implements ApplicationListener<PayloadApplicationEvent<JobEvent.Completed>> {

        @Override
        public void onApplicationEvent(PayloadApplicationEvent<JobEvent.Completed> event) {}
    }

    /** Listens without an object that says to what. */
    @Configuration(proxyBeanMethods = false)
    static class OnlyDeclared {

        @Bean
        ApplicationListener<PayloadApplicationEvent<JobEvent.Buried>> lambda() {
            return event -> {};
        }

        @Bean
        ApplicationListener<PayloadApplicationEvent<JobEvent.Retried>> payload() {
            return ApplicationListener.forPayload(event -> {});
        }

        @Bean
        @Lazy
        Programmatic notMadeYet() {
            return new Programmatic();
        }

        @Bean
        ApplicationListener<ContextRefreshedEvent> other() {
            return event -> {};
        }
    }

    /** Needs what it is part of. */
    static final class Submitting implements JobInterceptor, Ordered {

        Submitting(DelayJobProducer producer) {
            assertThat(producer).isNotNull();
        }

        @Override
        public int getOrder() {
            return 2;
        }
    }

    @Test
    void interceptorsComeInTheirOrderAndMayNeedTheProducer() {
        runner.withBean(Submitting.class)
                .withBean(FirstInterceptor.class)
                .run(context -> assertThat(
                                context.getBean(Extensions.class).interceptors().get())
                        .extracting(interceptor -> interceptor.getClass().getSimpleName())
                        .containsExactly("FirstInterceptor", "Submitting"));
    }

    /** Comes first. */
    static final class FirstInterceptor implements JobInterceptor, Ordered {

        @Override
        public int getOrder() {
            return 1;
        }
    }
}
