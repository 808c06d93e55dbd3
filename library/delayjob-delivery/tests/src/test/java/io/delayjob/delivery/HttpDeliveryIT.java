package io.delayjob.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.testing.RealRedis;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Jobs that are delivered over HTTP to a server that answers as a test says. */
@Execution(ExecutionMode.CONCURRENT)
@RealRedis
class HttpDeliveryIT {

    private static final String OLD = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String NEW = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

    record Received(String path, Headers headers, String body, long nanos) {

        String header(String name) {
            return headers.getFirst(name);
        }

        HttpHeaders all() {
            return HttpHeaders.of(headers, (name, value) -> true);
        }
    }

    interface Answer {
        void to(HttpExchange exchange, int call) throws IOException;
    }

    private static final Queue<Received> RECEIVED = new ConcurrentLinkedQueue<>();
    private static final Map<String, Answer> ANSWERS = new ConcurrentHashMap<>();
    private static HttpServer server;
    private static DeliveryNode node;

    @BeforeAll
    static void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", HttpDeliveryIT::answer);
        server.start();
        node = DeliveryNode.open(DeliveryNode.prefix(), beans -> {}, "delayjob.delivery.http.open-networks=127.0.0.1");
    }

    @AfterAll
    static void close() {
        node.close();
        server.stop(0);
    }

    private static void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        RECEIVED.add(new Received(path, exchange.getRequestHeaders(), body, System.nanoTime()));
        try (exchange) {
            Objects.requireNonNull(ANSWERS.get(path))
                    .to(exchange, received(path).size());
        }
    }

    private static List<Received> received(String path) {
        return RECEIVED.stream().filter(one -> one.path().equals(path)).toList();
    }

    private static Answer status(int status, String body) {
        return (exchange, call) -> send(exchange, status, body);
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /** A topic of its own, bound to a path of the same name. */
    private static String bind(Answer answer) {
        String topic = "t-" + UUID.randomUUID();
        ANSWERS.put("/" + topic, answer);
        node.targets().bind(binding(topic));
        return topic;
    }

    private static Binding binding(String topic) {
        return Binding.of(topic, "http://127.0.0.1:" + server.getAddress().getPort() + "/" + topic + "?key=secret")
                .withTimeout(Duration.ofMinutes(2));
    }

    private static JobSnapshot ended(String topic, String id) {
        // Longer than a call may take: one that got no answer is made again.
        await().until(() -> node.job(topic, id).state() == JobState.COMPLETED
                || node.job(topic, id).state() == JobState.DEAD);
        return node.job(topic, id);
    }

    @Test
    void sendsTheParamSignedWithEverySecretAndSaysWhatItIsAbout() {
        String topic = bind(status(200, "{\"stored\": true}"));
        node.targets().bind(binding(topic).withSecrets(NEW, OLD));
        node.submit(DelayJobRequest.toTopic(topic, Map.of("order", 7))
                .withId("order/ü 7")
                .withMaxAttempts(4)
                .withHeader("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                .withHeader("tenant", "acme")
                .withHeader("host", "evil.example")
                .withHeader("not a token", "x"));

        JobSnapshot job = ended(topic, "order/ü 7");
        assertThat(job.state()).isEqualTo(JobState.COMPLETED);
        assertThat(job.result()).isEqualTo("{\"status\":200,\"body\":{\"stored\":true}}");

        Received call = received("/" + topic).get(0);
        assertThat(call.body()).isEqualTo("{\"order\":7}");
        assertThat(call.header("content-type")).isEqualTo("application/json");
        assertThat(call.header("webhook-id")).isEqualTo("order/%C3%BC%207");
        assertThat(call.header("delayjob-attempt")).isEqualTo("1");
        assertThat(call.header("delayjob-options")).contains("\"maxAttempts\":4");
        assertThat(call.header("delayjob-queue")).isEqualTo(topic);
        assertThat(call.header("delayjob-topic")).isEqualTo(topic);
        assertThat(Instant.parse(call.header("delayjob-due"))).isBeforeOrEqualTo(Instant.now());
        assertThat(call.header("traceparent")).startsWith("00-0af7");
        assertThat(call.header("delayjob-header-tenant")).isEqualTo("acme");
        assertThat(call.header("host")).startsWith("127.0.0.1");
        for (String secret : List.of(NEW, OLD)) {
            assertThatCode(() -> new Webhook(secret).verify(call.body(), call.all()))
                    .doesNotThrowAnyException();
        }
        assertThatThrownBy(() -> new Webhook(NEW).verify("{\"order\":8}", call.all()))
                .isInstanceOf(WebhookVerificationException.class);
    }

    @Test
    void givesUpAfterTheLastAttemptWithTheStatusAndTheStartOfTheAnswer() {
        String topic = bind(status(500, "no database " + "x".repeat(20_000)));
        node.submit(DelayJobRequest.toTopic(topic, "x").withId("1").withMaxAttempts(2));
        JobSnapshot job = ended(topic, "1");
        assertThat(job.state()).isEqualTo(JobState.DEAD);
        assertThat(job.lastError())
                .contains("attempt 2 of 2")
                .contains("HTTP 500")
                .contains("no database")
                .doesNotContain("secret")
                .hasSizeLessThan(2000);
        assertThat(received("/" + topic))
                .extracting(call -> call.header("delayjob-attempt"))
                .containsExactly("1", "2");
        assertThat(received("/" + topic))
                .extracting(call -> call.header("webhook-id"))
                .containsOnly("1");
    }

    @Test
    void waitsAsLongAsRetryAfterSays() {
        for (int status : List.of(429, 503)) {
            String topic = bind((exchange, call) -> {
                if (call == 1) {
                    exchange.getResponseHeaders().set("Retry-After", "2");
                }
                send(exchange, call == 1 ? status : 204, "");
            });
            node.submit(topic, "1", "x");
            assertThat(ended(topic, "1").state()).isEqualTo(JobState.COMPLETED);
            List<Received> calls = received("/" + topic);
            assertThat(Duration.ofNanos(calls.get(1).nanos() - calls.get(0).nanos()))
                    .isGreaterThanOrEqualTo(Duration.ofSeconds(2));
        }
    }

    @Test
    void unbindsAfter410() {
        String topic = bind(status(410, "moved away"));
        node.submit(topic, "1", "x");
        await().untilAsserted(() -> assertThat(node.targets().find(topic).orElseThrow())
                .satisfies(status -> assertThat(status.state()).isEqualTo(BindingStatus.State.CLOSED))
                .satisfies(status ->
                        assertThat(status.reason()).contains("HTTP 410").contains("moved away")));
        // Given back a moment after the topic was closed, or before.
        await().untilAsserted(() -> assertThat(node.job(topic, "1").state()).isEqualTo(JobState.READY));
    }

    @Test
    void countsATargetThatDoesNotAnswerInTimeAsFailed() {
        CountDownLatch over = new CountDownLatch(1);
        String topic = bind((exchange, call) -> {
            if (call == 1) {
                // Later calls have the time that they need.
                node.targets().bind(binding(exchange.getRequestURI().getPath().substring(1)));
                awaitQuietly(over);
            }
            send(exchange, 200, "");
        });
        // Leaves time for the call to arrive, even on a machine that stalls.
        node.targets().bind(binding(topic).withTimeout(Duration.ofSeconds(5)));
        node.submit(topic, "1", "x");
        await().until(() -> node.job(topic, "1").attempt() == 2);
        assertThat(ended(topic, "1").state()).isEqualTo(JobState.COMPLETED);
        assertThat(received("/" + topic)).hasSize(2);
        over.countDown();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            var unused = latch.await(2, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void keepsAnswersThatAreNoJsonOrTooLongAsText() {
        String text = bind(status(201, "thanks"));
        node.submit(text, "1", "x");
        assertThat(ended(text, "1").result()).isEqualTo("{\"status\":201,\"body\":\"thanks\"}");
        String large = bind(status(200, "\u0001".repeat(100_000)));
        node.submit(large, "1", "x");
        assertThat(ended(large, "1").result()).startsWith("{\"status\":200").hasSizeLessThanOrEqualTo(8192);
    }

    /** An endpoint that never ends its answer has confirmed the job all the same. */
    @Test
    void completesByTheStatusThoughTheAnswerDoesNotEnd() {
        String topic = bind((exchange, call) -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('x');
            exchange.getResponseBody().flush();
            try {
                Thread.sleep(6000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        node.submit(topic, "1", "x");
        assertThat(ended(topic, "1").result()).isEqualTo("{\"status\":200,\"body\":\"x\"}");
        assertThat(received("/" + topic)).hasSize(1);
    }
}
