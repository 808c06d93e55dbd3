package io.delayjob.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.ClaimedJob;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.spi.DeliveryOutcome;
import io.delayjob.delivery.spi.Transport;
import io.delayjob.server.console.TestConsole.Browser;
import io.delayjob.testing.RealRedis;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The audit of changes whose caller hangs up before the answer. */
@RealRedis
class HungUpIT {

    private static final String HELD = "X-Held";

    /** Behind all other filters: holds requests with a header until it is opened. */
    @Order(Ordered.LOWEST_PRECEDENCE)
    static class Gate implements WebFilter {

        final CountDownLatch reached = new CountDownLatch(1);
        final Sinks.Empty<Void> open = Sinks.empty();

        @Override
        public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
            if (exchange.getRequest().getHeaders().getFirst(HELD) == null) {
                return chain.filter(exchange);
            }
            reached.countDown();
            return open.asMono().then(Mono.defer(() -> chain.filter(exchange)));
        }
    }

    /** In front of all others: knows who hung up. */
    @Order(Ordered.HIGHEST_PRECEDENCE)
    static class Door implements WebFilter {

        final CountDownLatch hungUp = new CountDownLatch(1);

        @Override
        public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
            return chain.filter(exchange).doOnCancel(hungUp::countDown);
        }
    }

    /** A transport whose check takes as long as a test wants. */
    static class Pigeons implements Transport {

        final CountDownLatch reached = new CountDownLatch(1);
        final CountDownLatch open = new CountDownLatch(1);

        @Override
        public Set<String> schemes() {
            return Set.of("pigeon");
        }

        @Override
        public void check(Binding binding) {
            reached.countDown();
            try {
                reach(open);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public CompletionStage<DeliveryOutcome> deliver(Binding binding, ClaimedJob job) {
            return CompletableFuture.completedFuture(new DeliveryOutcome.Delivered(null));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({Gate.class, Door.class, Pigeons.class})
    static class Beans {}

    private static TestConsole start() {
        return TestConsole.startWith(Beans.class, TestConsole.Kind.NETTY);
    }

    private static void askAndHangUp(
            TestConsole server, CountDownLatch reached, String path, String body, String... headers)
            throws IOException, InterruptedException {
        int port = URI.create(server.url()).getPort();
        try (Socket caller = new Socket(InetAddress.getLoopbackAddress(), port)) {
            caller.getOutputStream()
                    .write(("POST " + path + " HTTP/1.1\r\nHost: x\r\n" + String.join("\r\n", headers)
                                    + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));
            reach(reached);
        }
        reach(server.bean(Door.class).hungUp);
    }

    private static void reach(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(2, TimeUnit.MINUTES)).isTrue();
    }

    /** The entry of the audit that names something, as soon as there is one. */
    private static String entry(TestConsole server, String named) {
        Browser admin = server.signedIn(TestConsole.ADMIN);
        return await().until(
                        () -> Stream.of(admin.get("/audit").body().split("<tr", -1))
                                .filter(row -> row.contains(named))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    @Test
    void aRequestWithAnIdempotencyKeyHasTheEntryOfWhatItDid() throws Exception {
        try (TestConsole server = start()) {
            Gate gate = server.bean(Gate.class);
            askAndHangUp(
                    server,
                    gate.reached,
                    "/api/v1/queues/purged/purge",
                    "{\"olderThan\": \"PT0S\", \"limit\": 10}",
                    "Authorization: Bearer " + TestConsole.ADMIN,
                    "Content-Type: application/json",
                    "Idempotency-Key: k",
                    HELD + ": yes");

            gate.open.tryEmitEmpty();

            assertThat(entry(server, "/queues/purged/purge")).contains(">done<");
        }
    }

    @Test
    void aRequestWithoutOneIsListedAsNotAnswered() throws Exception {
        try (TestConsole server = start()) {
            askAndHangUp(
                    server,
                    server.bean(Gate.class).reached,
                    "/api/v1/queues/paused/pause",
                    "",
                    "Authorization: Bearer " + TestConsole.ADMIN,
                    HELD + ": yes");

            assertThat(entry(server, "/queues/paused/pause")).contains(">not answered, may be done<");
        }
    }

    @Test
    void anActionOfTheConsoleGoesOnAndHasItsEntry() throws Exception {
        try (TestConsole server = start()) {
            Pigeons pigeons = server.bean(Pigeons.class);
            String body = "topic=left&target=pigeon%3Aleft";
            askAndHangUp(
                    server,
                    pigeons.reached,
                    "/console/targets/bind",
                    body,
                    "Cookie: " + server.signedIn(TestConsole.ADMIN).cookie(),
                    "Sec-Fetch-Site: same-origin",
                    "Content-Type: application/x-www-form-urlencoded");

            pigeons.open.countDown();

            assertThat(entry(server, "bind-target")).contains(">done<", "left");
        }
    }
}
