package io.delayjob.demo.delivery;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.netflix.eureka.EurekaDiscoveryClient;
import org.springframework.core.env.MapPropertySource;
import org.springframework.stereotype.Component;

/**
 * A Eureka server with one service in it, in a context and on a port of its own, and what its client knows. A company has a registry that runs
 * already; this one starts when the first job goes to the service, because that takes it some seconds.
 */
@Component
class Registry implements DiscoveryClient, DisposableBean {

    static final String SERVICE = "demo-service";
    static final String PATH = "/arrivals";

    private static final Logger log = LoggerFactory.getLogger(Registry.class);

    private final DeliveryLog arrivals;
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile @Nullable AnnotationConfigServletWebServerApplicationContext context;

    Registry(DeliveryLog arrivals) {
        this.arrivals = arrivals;
    }

    /** Starts it, once, and does not wait for it: jobs do, as long as the service has no instance. */
    void start() {
        if (started.compareAndSet(false, true)) {
            Thread thread = new Thread(this::open, "demo-registry");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private synchronized void open() {
        int port = freePort();
        AnnotationConfigServletWebServerApplicationContext opening =
                new AnnotationConfigServletWebServerApplicationContext();
        try {
            opening.getEnvironment().getPropertySources().addFirst(new MapPropertySource(SERVICE, properties(port)));
            opening.registerBean(DeliveryLog.class, () -> arrivals);
            opening.register(RegistryWithService.class);
            opening.refresh();
            context = opening;
            log.info("Eureka is at port {}, with the service {}", port, SERVICE);
        } catch (RuntimeException e) {
            log.error("Eureka has not started, so jobs to the service {} wait", SERVICE, e);
            opening.close();
            started.set(false);
        }
    }

    private static Map<String, Object> properties(int port) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("spring.application.name", SERVICE);
        properties.put("server.address", "127.0.0.1");
        properties.put("server.port", port);
        properties.put("spring.cloud.compatibility-verifier.enabled", false);
        properties.put("delayjob.enabled", false);
        properties.put("delayjob.delivery.enabled", false);
        // Server and client are in one process: the server's library would make the client call by it, too.
        properties.put("eureka.client.enabled", true);
        properties.put("eureka.client.jersey.enabled", false);
        properties.put("eureka.client.service-url.defaultZone", "http://127.0.0.1:%d/eureka/".formatted(port));
        properties.put("eureka.client.registry-fetch-interval-seconds", 1);
        properties.put("eureka.client.initial-instance-info-replication-interval-seconds", 0);
        properties.put("eureka.client.healthcheck.enabled", false);
        properties.put("eureka.instance.hostname", "127.0.0.1");
        properties.put("eureka.instance.ip-address", "127.0.0.1");
        properties.put("eureka.instance.prefer-ip-address", true);
        properties.put("eureka.dashboard.enabled", false);
        properties.put("eureka.server.enable-self-preservation", false);
        properties.put("eureka.server.registry-sync-retries", 0);
        properties.put("eureka.server.wait-time-in-ms-when-sync-empty", 0);
        properties.put("eureka.server.response-cache-update-interval-ms", 200);
        return properties;
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<ServiceInstance> getInstances(String service) {
        var open = context;
        return open == null
                ? List.of()
                : open.getBean(EurekaDiscoveryClient.class).getInstances(service);
    }

    @Override
    public List<String> getServices() {
        var open = context;
        return open == null
                ? List.of()
                : open.getBean(EurekaDiscoveryClient.class).getServices();
    }

    @Override
    public String description() {
        return "the registry of the demo";
    }

    @Override
    public synchronized void destroy() {
        var open = context;
        if (open != null) {
            open.close();
        }
    }
}
