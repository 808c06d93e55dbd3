package io.delayjob.client.beans;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.cloud.client.discovery.event.InstancePreRegisteredEvent;
import org.springframework.cloud.client.serviceregistry.Registration;
import org.springframework.cloud.netflix.eureka.serviceregistry.EurekaRegistration;
import org.springframework.context.ApplicationListener;
import org.springframework.util.ClassUtils;

/**
 * Names the types of this application's jobs in the metadata by which it registers, just before it does, so that a server on the same registry finds
 * it. What the application's own configuration says there stays.
 */
final class RegistryMetadata implements ApplicationListener<InstancePreRegisteredEvent> {

    private static final Logger log = LoggerFactory.getLogger(RegistryMetadata.class);
    private static final String TYPES = "delay-queue:task";
    private static final String PATH = "delay-queue:path";
    private static final boolean EUREKA = ClassUtils.isPresent(
            "org.springframework.cloud.netflix.eureka.serviceregistry.EurekaRegistration",
            RegistryMetadata.class.getClassLoader());

    private final Supplier<List<String>> types;
    private final String path;

    /**
     * Metadata of an application.
     *
     * @param types the types of jobs that it runs; if there are none, nothing is added
     * @param path the path that a server calls
     */
    RegistryMetadata(Supplier<List<String>> types, String path) {
        this.types = types;
        this.path = path;
    }

    @Override
    public void onApplicationEvent(InstancePreRegisteredEvent event) {
        List<String> its = types.get();
        if (!its.isEmpty()) {
            add(event.getRegistration(), its);
        }
    }

    private void add(Registration registration, List<String> its) {
        try {
            Map<String, String> metadata = Objects.requireNonNullElse(registration.getMetadata(), Map.of());
            String all = String.join(",", its);
            String named = Objects.requireNonNullElse(metadata.putIfAbsent(TYPES, all), all);
            metadata.putIfAbsent(PATH, path);
            if (EUREKA) {
                Eureka.update(registration, metadata);
            }
            say(registration.getServiceId(), named, its);
        } catch (UnsupportedOperationException e) {
            log.warn(
                    "the metadata of the registry cannot be changed, so no server finds the jobs {} of this process there; set"
                            + " {} by the registry's own properties, or delayjob.callback.url",
                    its,
                    TYPES);
        }
    }

    private static void say(String service, String named, List<String> its) {
        log.info("this process registers as '{}' for the jobs {}", service, named);
        List<String> unnamed = new ArrayList<>(its);
        unnamed.removeAll(List.of(named.split("[\\s,]+", -1)));
        if (!unnamed.isEmpty()) {
            log.warn(
                    "the metadata {} of this process is '{}', so no server calls it for its other jobs {}; add them"
                            + " there, or remove {} so that all are named",
                    TYPES,
                    named,
                    unnamed,
                    TYPES);
        }
    }

    /** Eureka's client has copied the metadata when it was made. */
    private static final class Eureka {

        static void update(Registration registration, Map<String, String> metadata) {
            if (registration instanceof EurekaRegistration eureka) {
                eureka.getApplicationInfoManager().registerAppMetadata(metadata);
            }
        }
    }
}
