package io.delayjob.delivery.internal.services;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** Registry of the instances that Spring Cloud's load balancer would choose from: of any DiscoveryClient, with its health checks, zones and cache. */
public final class CloudRegistry implements Registry {

    private final LoadBalancerClientFactory services;
    private final @Nullable DiscoveryClient discovery;

    /**
     * A registry.
     *
     * @param discovery tells whether the registry has been reached; null if nobody can
     */
    public CloudRegistry(LoadBalancerClientFactory services, @Nullable DiscoveryClient discovery) {
        this.services = services;
        this.discovery = discovery;
    }

    @Override
    public CompletionStage<Found> instances(String service) {
        return Flux.defer(() -> {
                    ServiceInstanceListSupplier supplier =
                            services.getInstance(service, ServiceInstanceListSupplier.class);
                    return supplier == null ? Flux.just(List.<ServiceInstance>of()) : supplier.get();
                })
                // A DiscoveryClient may ask its registry and wait.
                .subscribeOn(Schedulers.boundedElastic())
                .next()
                .defaultIfEmpty(List.of())
                .publishOn(Schedulers.boundedElastic())
                .map(this::found)
                .toFuture();
    }

    private Found found(List<ServiceInstance> found) {
        return new Found(found.stream().map(CloudRegistry::instance).toList(), !found.isEmpty() || knowsServices());
    }

    /** A client that has not reached its registry since it started answers as if there were no services, and does not fail. */
    private boolean knowsServices() {
        return discovery != null && !discovery.getServices().isEmpty();
    }

    private static Instance instance(ServiceInstance found) {
        String id = found.getInstanceId();
        return new Instance(
                id == null ? found.getUri().toString() : id, found.getUri(), withoutNulls(found.getMetadata()));
    }

    private static Map<String, String> withoutNulls(@Nullable Map<String, String> metadata) {
        Map<String, String> known = metadata == null ? new HashMap<>() : new HashMap<>(metadata);
        known.values().removeIf(Objects::isNull);
        return Map.copyOf(known);
    }
}
