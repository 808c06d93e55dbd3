package io.delayjob.client;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** A server that answers as it is told, else that all jobs are stored, and keeps what it was asked. */
final class FakeServer implements AutoCloseable {

    static final String TOKEN = "djt_secret";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private volatile Answer usual = FakeServer::stored;
    private final List<Heard> heard = new CopyOnWriteArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);

    /** A request that the server received, at a time of {@link System#nanoTime}. */
    record Heard(String path, String authorization, Headers headers, JsonNode body, long atNanos) {

        List<String> ids() {
            return body.path("jobs")
                    .valueStream()
                    .map(job -> job.path("id").asString(""))
                    .toList();
        }

        JsonNode job() {
            return Objects.requireNonNull(body.path("jobs").get(0));
        }
    }

    @FunctionalInterface
    interface Answer {

        void to(Heard heard, HttpExchange exchange) throws IOException, InterruptedException;
    }

    FakeServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        Heard one = new Heard(
                exchange.getRequestURI().toString(),
                exchange.getRequestHeaders().getFirst("Authorization"),
                exchange.getRequestHeaders(),
                Json.MAPPER.readTree(exchange.getRequestBody().readAllBytes()),
                System.nanoTime());
        heard.add(one);
        Answer answer = answers.poll();
        try {
            (answer == null ? usual : answer).to(one, exchange);
        } catch (InterruptedException e) {
            exchange.close();
        }
    }

    private static void stored(Heard heard, HttpExchange exchange) throws IOException {
        write(exchange, 200, outcomes(heard.ids(), "STORED"));
    }

    static String outcomes(List<String> ids, String outcome) {
        return ids.stream()
                .map(id -> "{\"id\": \"" + id + "\", \"outcome\": \"" + outcome + "\"}")
                .collect(Collectors.joining(",", "{\"jobs\": [", "]}"));
    }

    private static void write(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** Requests for which no other answer is left are answered so. */
    FakeServer usually(Answer answer) {
        usual = answer;
        return this;
    }

    FakeServer then(Answer answer) {
        answers.add(answer);
        return this;
    }

    FakeServer thenAnswers(int status, String body) {
        return then(answer(status, body));
    }

    static Answer answer(int status, String body) {
        return (heard, exchange) -> write(exchange, status, body);
    }

    FakeServer thenProblem(int status, String type, String detail) {
        return thenAnswers(status, problem(type, detail, ""));
    }

    static String problem(String type, String detail, String more) {
        return "{\"type\": \"urn:delayjob:problem:%s\", \"detail\": \"%s\"%s}".formatted(type, detail, more);
    }

    FakeServer thenRetryAfter(int status, String seconds) {
        return then(retryAfter(status, seconds));
    }

    static Answer retryAfter(int status, String seconds) {
        return (heard, exchange) -> {
            exchange.getResponseHeaders().set("Retry-After", seconds);
            write(exchange, status, "");
        };
    }

    /** An action of the server before it answers. */
    @FunctionalInterface
    interface Step {

        void run() throws InterruptedException;
    }

    /** Answers that the jobs are stored. */
    FakeServer thenStores(Step before) {
        return then((heard, exchange) -> {
            before.run();
            stored(heard, exchange);
        });
    }

    /** Answers that the jobs exist. */
    FakeServer thenExist() {
        return then((heard, exchange) -> write(exchange, 200, outcomes(heard.ids(), "EXISTS")));
    }

    /** Reads a request and closes its connection. */
    FakeServer thenCuts() {
        return then(cut());
    }

    static Answer cut() {
        return (heard, exchange) -> exchange.close();
    }

    /** Reads a request and says nothing. */
    FakeServer thenStalls() {
        return then(stall());
    }

    Answer stall() {
        return (heard, exchange) -> {
            closing.await();
            exchange.close();
        };
    }

    /** Begins an answer and never ends it. */
    FakeServer thenStallsInTheBody() {
        return then((heard, exchange) -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            closing.await();
        });
    }

    List<Heard> heard() {
        return new ArrayList<>(heard);
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    HttpDelayJobSettings settings() {
        return HttpDelayJobSettings.of(url(), TOKEN).withQueue("mail").withTimeout(Duration.ofMinutes(2));
    }

    HttpDelayJobProducer producer() {
        return new HttpDelayJobProducer(settings());
    }

    HttpDelayJobClaims claims() {
        return new HttpDelayJobClaims(settings());
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
