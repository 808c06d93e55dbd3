package io.delayjob.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of the API that has a token, and sends a key if it has one. */
record Api(String url, String token, @Nullable String key) {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    Api(String url, String token) {
        this(url, token, null);
    }

    /** The same with an Idempotency-Key. */
    Api withKey(String other) {
        return new Api(url, token, other);
    }

    /** What a request was answered with. */
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
        try {
            return Answer.of(HTTP.send(request(method, path, body), HttpResponse.BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    CompletableFuture<Answer> postAsync(String path, String body) {
        return HTTP.sendAsync(request("POST", path, body), HttpResponse.BodyHandlers.ofString())
                .thenApply(Answer::of);
    }

    private HttpRequest request(String method, String path, @Nullable String body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + "/api/v1" + path)).timeout(Duration.ofSeconds(70));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        if (key != null) {
            request.header("Idempotency-Key", key);
        }
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        return request.method(
                        method,
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body))
                .build();
    }
}
