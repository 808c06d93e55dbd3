package io.delayjob.delivery.autoconfigure;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobClaims;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.DelayJobTargets;
import io.delayjob.delivery.internal.binding.Bindings;
import io.delayjob.delivery.internal.binding.MemoryBindings;
import io.delayjob.delivery.internal.binding.Transports;
import io.delayjob.delivery.internal.running.RoutedSubmits;
import io.delayjob.delivery.internal.running.Targets;
import io.delayjob.delivery.spi.DeliveryOutcome;
import io.delayjob.delivery.spi.Transport;
import io.delayjob.engine.handler.HandlerRegistry;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.spring.autoconfigure.DelayJobAutoConfiguration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.test.context.event.BeforeTestMethodEvent;

/**
 * Binds topics in a test by {@code delayjob-test}, which alone imports this: there is no Redis, submits go to the queues of the bindings, and
 * nothing is delivered.
 */
@AutoConfiguration(after = DelayJobAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "delayjob.delivery.enabled", matchIfMissing = true)
@ConditionalOnBean(DelayJobClaims.class)
@EnableConfigurationProperties(DelayJobDeliveryProperties.class)
final class DelayJobTestTargetsAutoConfiguration {

    private DelayJobTestTargetsAutoConfiguration() {}

    @Bean
    static MemoryBindings delayJobMemoryBindings() {
        return new MemoryBindings();
    }

    @Bean
    static Bindings delayJobBindings(
            DelayJobDeliveryProperties properties,
            ObjectProvider<Binding> beans,
            MemoryBindings store,
            EngineSettings settings,
            HandlerRegistry registry) {
        Transports transports = new Transports(List.of(), new Nowhere());
        return new Bindings(
                ConfiguredBindings.of(properties.bindings(), beans.stream().toList(), transports),
                store,
                transports,
                () -> DelayJobDeliveryAutoConfiguration.queuesOfHandlers(settings, registry));
    }

    @Bean
    @ConditionalOnMissingBean
    static DelayJobTargets delayJobTargets(Bindings bindings) {
        return new Targets(bindings, () -> {}, topic -> Optional.empty());
    }

    @Bean
    static RoutedSubmits delayJobRoutedSubmits(Bindings bindings, HandlerRegistry registry) {
        return new RoutedSubmits(bindings, topic -> registry.named(topic).isPresent());
    }

    @Bean
    static Reset delayJobBindingsReset(MemoryBindings store, Bindings bindings) {
        return new Reset(store, bindings);
    }

    /** Begins the application, and each of its tests, with the bindings of properties and beans. */
    record Reset(MemoryBindings store, Bindings bindings) {

        @EventListener({ContextRefreshedEvent.class, BeforeTestMethodEvent.class})
        void begin() {
            store.clear();
            boolean unused = bindings.refresh();
        }
    }

    /** Lets every target pass: a test looks up no names, and has no brokers. */
    private record Nowhere() implements Transport {

        @Override
        public Set<String> schemes() {
            return Set.of();
        }

        @Override
        public void check(Binding binding) {}

        @Override
        public CompletionStage<DeliveryOutcome> deliver(Binding binding, ClaimedJob job) {
            throw new IllegalStateException("nothing is delivered in a test");
        }
    }
}
