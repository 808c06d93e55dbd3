package io.delayjob.server;

import io.delayjob.server.Api.Answer;
import io.delayjob.testing.KeptConnections;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A client of an older protocol, which says nothing of content types. */
record OldClient(String url, String token) {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    Answer get(String path) {
        return send("GET", path, null);
    }

    /** With single quotes instead of double ones. */
    Answer post(String path, String body) {
        return send("POST", path, body);
    }

    CompletableFuture<Answer> postAsync(String path, String body) {
        return HTTP.sendAsync(request("POST", path, body), HttpResponse.BodyHandlers.ofString())
                .thenApply(Answer::of);
    }

    Answer send(String method, String path, @Nullable String body) {
        try {
            return Answer.of(
                    KeptConnections.send(HTTP, request(method, path, body), HttpResponse.BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private HttpRequest request(String method, String path, @Nullable String body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + path)).timeout(Duration.ofMinutes(2));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return request.method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(
                                        body.replace('\'', '"').getBytes(StandardCharsets.UTF_8)))
                .build();
    }
}
