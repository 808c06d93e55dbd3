package io.delayjob.server;

import io.delayjob.testing.KeptConnections;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of the API that has a token, and sends further headers if it has some. */
record Api(String url, String token, Map<String, String> headers) {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    Api(String url, String token) {
        this(url, token, Map.of());
    }

    /** The same with an Idempotency-Key. */
    Api withKey(String other) {
        return withHeader("Idempotency-Key", other);
    }

    /** The same with a header. */
    Api withHeader(String name, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, value);
        return new Api(url, token, Map.copyOf(more));
    }

    /** The answer to a request. */
    record Answer(int status, HttpResponse<String> response) {

        static Answer of(HttpResponse<String> response) {
            return new Answer(response.statusCode(), response);
        }

        JsonNode json() {
            return JSON.readTree(response.body());
        }

        /** The last part of a problem's type. */
        String problem() {
            return json().path("type").asString("").replace("urn:delayjob:problem:", "");
        }

        @Override
        public String toString() {
            return status + " " + response.body();
        }
    }

    Answer get(String path) {
        return send("GET", path, null);
    }

    Answer delete(String path) {
        return send("DELETE", path, null);
    }

    Answer post(String path, String body) {
        return send("POST", path, body);
    }

    Answer post(String path) {
        return send("POST", path, null);
    }

    Answer send(String method, String path, @Nullable String body) {
        return Answer.of(response(() -> KeptConnections.send(HTTP, request(method, path, body), Api::text)));
    }

    /** Posts, and does not post again whatever becomes of the connection. */
    Answer postOnce(String path, String body) {
        return Answer.of(response(() -> HTTP.send(request("POST", path, body), Api::text)));
    }

    private interface Exchange<T> {

        HttpResponse<T> send() throws IOException, InterruptedException;
    }

    private static <T> HttpResponse<T> response(Exchange<T> exchange) {
        try {
            return exchange.send();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The body; nothing of one that has no end. */
    private static HttpResponse.BodySubscriber<String> text(HttpResponse.ResponseInfo info) {
        boolean endless = info.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
        return endless ? new Endless() : HttpResponse.BodySubscribers.ofString(StandardCharsets.UTF_8);
    }

    /** Hangs up. */
    private static final class Endless implements HttpResponse.BodySubscriber<String> {

        @Override
        public CompletionStage<String> getBody() {
            return CompletableFuture.completedFuture("");
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.cancel();
        }

        @Override
        public void onNext(List<ByteBuffer> item) {}

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onComplete() {}
    }

    /** Gets what has no end. */
    HttpResponse<InputStream> stream(String path) {
        return response(() -> HTTP.send(request("GET", path, null), HttpResponse.BodyHandlers.ofInputStream()));
    }

    CompletableFuture<Answer> postAsync(String path, String body) {
        return HTTP.sendAsync(request("POST", path, body), HttpResponse.BodyHandlers.ofString())
                .thenApply(Answer::of);
    }

    private HttpRequest request(String method, String path, @Nullable String body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + "/api/v1" + path)).timeout(Duration.ofMinutes(2));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        headers.forEach(request::header);
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        return request.method(
                        method,
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body))
                .build();
    }
}
