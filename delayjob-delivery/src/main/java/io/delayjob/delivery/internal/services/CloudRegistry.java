package io.delayjob.delivery.internal.services;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** What Spring Cloud's load balancer would choose from: instances of any DiscoveryClient, with its health checks, zones and cache. */
public final class CloudRegistry implements Registry {

    private final LoadBalancerClientFactory services;

    public CloudRegistry(LoadBalancerClientFactory services) {
        this.services = services;
    }

    @Override
    public CompletionStage<List<Instance>> instances(String service) {
        return Flux.defer(() -> {
                    ServiceInstanceListSupplier supplier =
                            services.getInstance(service, ServiceInstanceListSupplier.class);
                    return supplier == null ? Flux.just(List.<ServiceInstance>of()) : supplier.get();
                })
                // A DiscoveryClient may ask its registry and wait.
                .subscribeOn(Schedulers.boundedElastic())
                .next()
                .map(found -> found.stream().map(CloudRegistry::instance).toList())
                .defaultIfEmpty(List.of())
                .toFuture();
    }

    private static Instance instance(ServiceInstance found) {
        String id = found.getInstanceId();
        return new Instance(
                id == null ? found.getUri().toString() : id, found.getUri(), Map.copyOf(found.getMetadata()));
    }
}
