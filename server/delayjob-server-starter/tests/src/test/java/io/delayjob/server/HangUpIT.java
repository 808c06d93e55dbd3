package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.Api.Answer;
import io.delayjob.testing.RealRedis;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.redisson.api.RBucket;
import org.redisson.api.options.KeysScanOptions;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Callers that hang up while their request is being worked on, and ask again. */
@RealRedis
@ExtendWith(OutputCaptureExtension.class)
class HangUpIT {

    private static final String JOB = "{\"topic\": \"t\", \"delay\": \"PT1H\"}";
    private static final String HELD = "X-Held";

    private TestServer server;
    private Gate gate;
    private Door door;

    /** In front of all others: knows who hung up. */
    @Order(Ordered.HIGHEST_PRECEDENCE)
    static class Door implements WebFilter {

        final AtomicInteger hungUp = new AtomicInteger();

        @Override
        public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
            return chain.filter(exchange).doOnCancel(hungUp::incrementAndGet);
        }
    }

    /** Behind all others: holds requests with a header until it is opened. */
    static class Gate implements WebFilter {

        final AtomicInteger reached = new AtomicInteger();
        final AtomicInteger ended = new AtomicInteger();
        final Sinks.Empty<Void> open = Sinks.empty();

        @Override
        public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
            if (exchange.getRequest().getHeaders().getFirst(HELD) == null) {
                return chain.filter(exchange);
            }
            reached.incrementAndGet();
            return open.asMono().then(Mono.defer(() -> chain.filter(exchange))).doOnTerminate(ended::incrementAndGet);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        Door door() {
            return new Door();
        }

        @Bean
        Gate gate() {
            return new Gate();
        }
    }

    @BeforeEach
    void start() {
        server = TestServer.Kind.NETTY.startWith(Beans.class);
        gate = server.bean(Gate.class);
        door = server.bean(Door.class);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private int stored() {
        return server.api().get("/queues/q").json().path("delayed").asInt();
    }

    private void askAndHangUp(String header) throws IOException {
        askAndHangUp(header, JOB);
    }

    private void askAndHangUp(String header, String body) throws IOException {
        try (Socket caller = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            caller.getOutputStream()
                    .write(("POST /api/v1/queues/q/jobs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                                    + HELD
                                    + ": yes\r\nAuthorization: Bearer " + TestServer.ADMIN + "\r\n" + header
                                    + "Content-Length: " + body.length() + "\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));
            await().until(() -> gate.reached.get() == 1);
        }
        await().until(() -> door.hungUp.get() == 1);
    }

    @Test
    void aRequestWithAKeyIsWorkedOnToItsEndAndItsRepeatGetsTheAnswer(CapturedOutput output) throws IOException {
        askAndHangUp("Idempotency-Key: k\r\n");
        Api again = server.api().withKey("k");
        assertThat(again.post("/queues/q/jobs", JOB).problem()).isEqualTo("key-in-use");

        gate.open.tryEmitEmpty();

        await().untilAsserted(() -> {
            Answer answer = again.post("/queues/q/jobs", JOB);
            assertThat(answer.status()).as("%s", answer).isEqualTo(201);
            assertThat(answer.json().path("outcome").asString()).isEqualTo("STORED");
            assertThat(answer.response().headers().firstValue("Idempotency-Replayed"))
                    .hasValue("true");
        });
        assertThat(stored()).isEqualTo(1);
        assertThat(output).doesNotContain("ERROR");
    }

    private RBucket<String> note() {
        DelayJobRedis redis = server.bean(DelayJobRedis.class);
        String key = redis.redisson()
                .getKeys()
                .getKeys(KeysScanOptions.defaults().pattern(redis.keyPrefix() + ":server:idempotency:*"))
                .iterator()
                .next();
        return redis.redisson().getBucket(key, DelayJobRedis.TEXT);
    }

    @Test
    void aKeyIsInUseAsLongAsItsRequestIsWorkedOn() throws IOException {
        askAndHangUp("Idempotency-Key: k\r\n");
        note().expire(Duration.ofSeconds(30));

        await().until(() -> note().remainTimeToLive() > 30_000);

        assertThat(server.api().withKey("k").post("/queues/q/jobs", JOB).problem())
                .isEqualTo("key-in-use");
    }

    @Test
    void aRequestForgetsItsOwnNoteAlone() throws IOException {
        askAndHangUp("Idempotency-Key: k\r\n", "{}");
        note().set("that of another request");

        gate.open.tryEmitEmpty();

        await().until(() -> gate.ended.get() == 1);
        assertThat(note().get()).isEqualTo("that of another request");
    }

    @Test
    void aRequestWithoutAKeyEndsWithItsCaller() throws IOException {
        askAndHangUp("");

        gate.open.tryEmitEmpty();

        assertThat(server.api().post("/queues/q/jobs", JOB).status()).isEqualTo(201);
        assertThat(stored()).isEqualTo(1);
    }
}
