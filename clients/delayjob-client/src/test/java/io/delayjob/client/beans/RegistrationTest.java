package io.delayjob.client.beans;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.delayjob.client.HttpDelayJobSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process that has stopped is not registered, whatever was under way when it stopped. */
@SuppressWarnings("NullAway.Init")
class RegistrationTest {

    private static final String CLIENT = "/api/v1/clients";

    private final CountDownLatch registering = new CountDownLatch(1);
    private final CountDownLatch removed = new CountDownLatch(1);
    private final Set<String> registered = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext(CLIENT, this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    /** A registration takes so long that a removal beside it is done first. */
    private void answer(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        if (exchange.getRequestMethod().equals("PUT")) {
            registering.countDown();
            awaitRemoval();
            registered.add(CLIENT);
        } else {
            registered.remove(CLIENT);
            removed.countDown();
        }
        exchange.sendResponseHeaders(204, -1);
        exchange.close();
    }

    private void awaitRemoval() {
        try {
            boolean unused = removed.await(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aRegistrationUnderWayIsNotCarriedOutAfterTheRemoval() throws InterruptedException {
        String url = "http://localhost:" + server.getAddress().getPort();
        Registration registration = new Registration(
                HttpDelayJobSettings.of(url, "token"), "shop", "http://localhost:1", "/run", () -> List.of("mail"));
        registration.start();
        assertThat(registering.await(1, TimeUnit.MINUTES)).isTrue();

        registration.stop();

        threads.shutdown();
        assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(removed.getCount()).isZero();
        assertThat(registered).isEmpty();
    }
}
