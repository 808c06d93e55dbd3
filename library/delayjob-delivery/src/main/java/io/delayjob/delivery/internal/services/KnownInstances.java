package io.delayjob.delivery.internal.services;

import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The instances of the services that jobs go to, as they were known a moment ago. A look asks the registry at most once a second, and nobody
 * waits for it. Thread-safe.
 */
public final class KnownInstances {

    private static final Logger log = LoggerFactory.getLogger(KnownInstances.class);
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final Registry registry;
    private final Map<String, Known> services = new ConcurrentHashMap<>();

    private static final class Known {

        private volatile @Nullable Found found;
        private volatile @Nullable String failure;
        private long askedNanos;
        private boolean asking;
    }

    public KnownInstances(Registry registry) {
        this.registry = registry;
    }

    /** The known instances of a service. */
    public List<Instance> of(String service) {
        Found found = look(service).found;
        return found == null ? List.of() : found.instances();
    }

    /** Whether there is no other instance. False while this node cannot see the registry. */
    public boolean isComplete(String service) {
        Known known = look(service);
        Found found = known.found;
        return known.failure == null && found != null && found.complete();
    }

    /** Why there is no instance; empty if there is one. */
    Optional<String> missing(String service) {
        Known known = look(service);
        Found found = known.found;
        if (found != null && !found.instances().isEmpty()) {
            return Optional.empty();
        }
        String failure = known.failure;
        return Optional.of("service '" + service + "' "
                + (failure != null
                        ? "cannot be looked up: " + failure
                        : found == null ? "is being looked up" : "has no instance in the registry"));
    }

    private Known look(String service) {
        Known known = services.computeIfAbsent(service, any -> new Known());
        synchronized (known) {
            boolean fresh = known.askedNanos != 0 && System.nanoTime() - known.askedNanos < FRESH.toNanos();
            if (known.asking || fresh) {
                return known;
            }
            known.asking = true;
            known.askedNanos = System.nanoTime();
        }
        registry.instances(service).whenComplete((found, failure) -> answered(service, known, found, failure));
        return known;
    }

    private static void answered(String service, Known known, @Nullable Found found, @Nullable Throwable failure) {
        if (found != null) {
            known.found = found;
            known.failure = null;
        } else if (known.failure == null) {
            // The instances known so far stay in use.
            known.failure = String.valueOf(failure);
            log.warn("the instances of service {} cannot be looked up: {}", Checks.shown(service), known.failure);
        }
        synchronized (known) {
            known.asking = false;
        }
    }
}
