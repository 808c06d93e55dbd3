package io.delayjob.delivery.internal.clients;

import io.delayjob.delivery.ClientType;
import io.delayjob.support.Checks;
import java.util.HashMap;
import java.util.Map;
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
    private Map<String, String> failures = Map.of();

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
        Map<String, String> now = new HashMap<>();
        attempt(
                now,
                "the services of the registry cannot be listed",
                () -> registry.getServices().forEach(service -> look(now, service)));
        failures = now;
    }

    private void look(Map<String, String> now, String service) {
        attempt(
                now,
                "the instances of service " + Checks.shown(service) + " cannot be looked up",
                () -> registry.getInstances(service).stream()
                        .flatMap(instance -> ClientProcess.types(instance.getMetadata()).stream())
                        .distinct()
                        .forEach(type -> bind(now, service, type)));
    }

    private void bind(Map<String, String> now, String service, String type) {
        attempt(
                now,
                "type " + Checks.shown(type) + " of application " + Checks.shown(service)
                        + " in the registry cannot be bound",
                () -> clients.bindOfRegistry(new ClientType(service, type)));
    }

    /** Runs a step whose failure keeps no other one from running. Each failure is logged once as long as it lasts. */
    private void attempt(Map<String, String> now, String failure, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            String why = String.valueOf(e.getMessage());
            now.put(failure, why);
            if (!why.equals(failures.get(failure))) {
                log.warn("{}; it is tried again: {}", failure, why);
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
