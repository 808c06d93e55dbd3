package io.delayjob.delivery.autoconfigure;

import io.delayjob.DelayJobClaims;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.DelayJobTargets;
import io.delayjob.delivery.internal.binding.Bindings;
import io.delayjob.delivery.internal.binding.RedisBindings;
import io.delayjob.delivery.internal.binding.Transports;
import io.delayjob.delivery.internal.clients.ClientStore;
import io.delayjob.delivery.internal.clients.ClientTransport;
import io.delayjob.delivery.internal.clients.Clients;
import io.delayjob.delivery.internal.clients.RegistryScan;
import io.delayjob.delivery.internal.http.AddressRules;
import io.delayjob.delivery.internal.http.HttpCalls;
import io.delayjob.delivery.internal.http.HttpTransport;
import io.delayjob.delivery.internal.http.Names;
import io.delayjob.delivery.internal.running.CallObserver;
import io.delayjob.delivery.internal.running.Couriers;
import io.delayjob.delivery.internal.running.ExplainedTargets;
import io.delayjob.delivery.internal.running.RoutedSubmits;
import io.delayjob.delivery.internal.running.Sightings;
import io.delayjob.delivery.internal.running.Targets;
import io.delayjob.delivery.internal.services.CloudRegistry;
import io.delayjob.delivery.internal.services.FanOut;
import io.delayjob.delivery.internal.services.Found;
import io.delayjob.delivery.internal.services.RedisTakers;
import io.delayjob.delivery.internal.services.Registry;
import io.delayjob.delivery.internal.services.ServiceTransport;
import io.delayjob.delivery.internal.watching.TargetHealth;
import io.delayjob.delivery.internal.watching.TargetMeters;
import io.delayjob.delivery.spi.Transport;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.engine.handler.HandlerRegistry;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.spring.InvalidConfigurationException;
import io.delayjob.spring.autoconfigure.DelayJobAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.core.env.Environment;

/**
 * Delivers the jobs of bound topics: {@link DelayJobTargets}, and the transports of the libraries that are there. Every {@link Transport}
 * and {@link Binding} bean of the application is used. Switched off by {@code delayjob.delivery.enabled=false}.
 */
@AutoConfiguration(
        after = DelayJobAutoConfiguration.class,
        afterName = {
            "org.springframework.cloud.loadbalancer.config.LoadBalancerAutoConfiguration",
            "org.springframework.cloud.client.discovery.composite.CompositeDiscoveryClientAutoConfiguration"
        })
@ConditionalOnProperty(name = "delayjob.delivery.enabled", matchIfMissing = true)
@ConditionalOnBean({DelayJobClaims.class, DelayJobRedis.class})
@EnableConfigurationProperties(DelayJobDeliveryProperties.class)
public final class DelayJobDeliveryAutoConfiguration {

    private DelayJobDeliveryAutoConfiguration() {}

    @Bean
    static AddressRules delayJobAddressRules(DelayJobDeliveryProperties properties) {
        try {
            return new AddressRules(
                    properties.http().allowedHosts(), properties.http().openNetworks());
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException("delayjob.delivery.http: " + e.getMessage(), e);
        }
    }

    @Bean
    @ConditionalOnMissingBean
    static Names delayJobNames() {
        return Names.DNS;
    }

    @Bean
    static HttpCalls delayJobHttpCalls(AddressRules rules, Names names, DelayJobDeliveryProperties properties) {
        return new HttpCalls(rules, names, properties.http().maxRetryAfter());
    }

    @Bean
    static HttpTransport delayJobHttpTransport(HttpCalls calls, Environment environment) {
        return new HttpTransport(calls, () -> environment.getProperty("local.server.port", Integer.class));
    }

    /** For applications with Spring Cloud's load balancer. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(LoadBalancerClientFactory.class)
    @ConditionalOnBean(LoadBalancerClientFactory.class)
    static class Services {

        @Bean
        Registry delayJobRegistryOfServices(
                LoadBalancerClientFactory services, ObjectProvider<DiscoveryClient> discovery) {
            return new CloudRegistry(services, discovery.getIfAvailable());
        }

        @Bean
        @ConditionalOnBean(DiscoveryClient.class)
        RegistryScan delayJobRegistryScan(DiscoveryClient registry, Clients clients) {
            return new RegistryScan(registry, clients);
        }

        @Bean
        ServiceTransport delayJobServiceTransport(
                Registry registry,
                HttpCallsToServices calls,
                FanOut fanOut,
                @Value("${spring.application.name:}") String ownName) {
            return new ServiceTransport(registry, calls.calls(), fanOut, ownName);
        }
    }

    @Bean
    static FanOut delayJobFanOut(DelayJobRedis redis) {
        return new FanOut(new RedisTakers(redis.redisson(), redis.keyPrefix()));
    }

    /** Instances of services may be called inside, targets with an address of their own may not. */
    record HttpCallsToServices(HttpCalls calls) implements AutoCloseable {

        @Override
        public void close() {
            calls.close();
        }
    }

    @Bean
    static HttpCallsToServices delayJobHttpCallsToServices(Names names, DelayJobDeliveryProperties properties) {
        DelayJobDeliveryProperties.Http http = properties.http();
        return new HttpCallsToServices(
                new HttpCalls(AddressRules.ofRegistry(http.openNetworks()), names, http.maxRetryAfter()));
    }

    @Bean
    static ClientStore delayJobClientStore(DelayJobRedis redis) {
        return new ClientStore(redis.redisson(), redis.keyPrefix());
    }

    @Bean
    static ClientTransport delayJobClientTransport(
            ClientStore store,
            ObjectProvider<Registry> registry,
            HttpCalls calls,
            HttpCallsToServices inside,
            FanOut fanOut) {
        Registry none = application -> CompletableFuture.completedFuture(new Found(List.of(), false));
        return new ClientTransport(store, registry.getIfAvailable(() -> none), calls, inside.calls(), fanOut);
    }

    @Bean
    static Clients delayJobClients(ClientStore store, DelayJobTargets targets, HttpCalls calls) {
        return new Clients(store, targets, calls);
    }

    @Bean
    static Transports delayJobTransports(ObjectProvider<Transport> transports) {
        return new Transports(transports.stream().toList());
    }

    @Bean
    static Bindings delayJobBindings(
            DelayJobDeliveryProperties properties,
            ObjectProvider<Binding> beans,
            Transports transports,
            DelayJobRedis redis,
            EngineSettings settings,
            HandlerRegistry registry) {
        return new Bindings(
                ConfiguredBindings.of(properties.bindings(), beans.stream().toList(), transports),
                new RedisBindings(redis.redisson(), redis.keyPrefix()),
                transports,
                () -> queuesOfHandlers(settings, registry));
    }

    static Set<String> queuesOfHandlers(EngineSettings settings, HandlerRegistry registry) {
        Set<String> queues = new TreeSet<>();
        String defaultQueue = settings.queues().defaultQueue();
        if (!registry.names().isEmpty()) {
            queues.add(defaultQueue);
        }
        registry.consumed().forEach(consumed -> queues.add(consumed.queue() == null ? defaultQueue : consumed.queue()));
        return queues;
    }

    @Bean
    static Couriers delayJobCouriers(
            Bindings bindings,
            DelayJobClaims claims,
            DelayJobEngine engine,
            EngineSettings settings,
            DelayJobDeliveryProperties properties,
            DelayJobRedis redis,
            ObjectProvider<CallObserver> observer) {
        return new Couriers(
                bindings,
                claims,
                engine.consumes(),
                properties.noInstanceTimeout(),
                new Sightings(redis.redisson(), redis.keyPrefix(), properties.noInstanceTimeout()),
                settings.consuming().shutdownTimeout(),
                observer.getIfAvailable(() -> CallObserver.NONE));
    }

    @Bean
    @DependsOn("delayJobLifecycle")
    static DeliveryLifecycle delayJobDeliveryLifecycle(Couriers couriers) {
        return new DeliveryLifecycle(couriers);
    }

    @Bean
    @ConditionalOnMissingBean
    static DelayJobTargets delayJobTargets(Bindings bindings, Couriers couriers) {
        return new Targets(bindings, couriers::follow, couriers::held);
    }

    @Bean
    static ExplainedTargets delayJobExplainedTargets(ObjectProvider<DelayJobTargets> targets) {
        return new ExplainedTargets(targets::getObject);
    }

    @Bean
    static RoutedSubmits delayJobRoutedSubmits(Bindings bindings, HandlerRegistry registry) {
        return new RoutedSubmits(bindings, topic -> registry.named(topic).isPresent());
    }

    /** In an application with the health endpoint. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    static class TargetsHealth {

        /** Named so that it is {@code delayjobTargets} among the health components. */
        @Bean
        @ConditionalOnEnabledHealthIndicator("delayjob")
        TargetHealth delayjobTargetsHealthIndicator(DelayJobTargets targets) {
            return new TargetHealth(targets);
        }
    }

    /** In an application with meters. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static class Meters {

        @Bean
        TargetMeters delayJobTargetMeters(ObjectProvider<DelayJobTargets> targets, ObjectProvider<Couriers> couriers) {
            return new TargetMeters(targets::getObject, couriers::getObject);
        }
    }
}
