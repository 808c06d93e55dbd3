package io.delayjob.delivery.internal.clients;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.context.SmartLifecycle;

/** Binds the types of jobs that applications of a registry name in their metadata, when they are first seen. */
public final class RegistryScan implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(RegistryScan.class);
    private static final long PERIOD_SECONDS = 5;

    private final DiscoveryClient registry;
    private final Clients clients;
    private volatile @Nullable ScheduledExecutorService looks;
    private @Nullable String lastFailure;

    public RegistryScan(DiscoveryClient registry, Clients clients) {
        this.registry = registry;
        this.clients = clients;
    }

    @Override
    public void start() {
        ScheduledExecutorService started = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "delayjob-clients");
            thread.setDaemon(true);
            return thread;
        });
        started.scheduleWithFixedDelay(this::look, 1, PERIOD_SECONDS, TimeUnit.SECONDS);
        looks = started;
    }

    private void look() {
        try {
            registry.getServices()
                    .forEach(service -> registry.getInstances(service)
                            .forEach(instance -> ClientProcess.types(instance.getMetadata())
                                    .forEach(type -> clients.bind(service, type))));
            lastFailure = null;
        } catch (RuntimeException e) {
            if (!String.valueOf(e.getMessage()).equals(lastFailure)) {
                lastFailure = String.valueOf(e.getMessage());
                log.warn("the types of jobs in the registry cannot be bound; it is tried again: {}", lastFailure);
            }
        }
    }

    @Override
    public void stop() {
        ScheduledExecutorService started = looks;
        looks = null;
        if (started != null) {
            started.shutdownNow();
        }
    }

    @Override
    public boolean isRunning() {
        return looks != null;
    }
}
