package io.delayjob.server.app;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The packaged server in a JVM of its own. */
final class ServerProcess implements AutoCloseable {

    static final String TOKEN = "a-token-of-the-test";

    private static final Pattern READY = Pattern.compile("the server is ready at http://localhost:(\\d+)/");
    private static final Duration START = Duration.ofMinutes(3);
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Process process;
    private final Path log;

    private ServerProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts a server whose first token is {@link #TOKEN}; does not wait for it. */
    static ServerProcess start(Path folder, String... properties) {
        List<String> all = new ArrayList<>(List.of("--delayjob.server.admin-token=" + TOKEN));
        all.addAll(List.of(properties));
        return startBare(folder, all);
    }

    /** Starts a server without a token of the test's. */
    static ServerProcess startBare(Path folder, List<String> properties) {
        try {
            Path log = Files.createTempFile(folder, "server-", ".log");
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    // Up sooner: it does not live for long.
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-jar",
                    System.getProperty("server.jar", "target/delayjob-server.jar"),
                    "--server.port=0",
                    "--embedded-redis.folder=" + folder.resolve("redis")));
            command.addAll(properties);
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("SPRING_"));
            return new ServerProcess(builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address of the server, as soon as it is ready. */
    String url() {
        return "http://localhost:"
                + await().atMost(START)
                        .until(this::readyPort, Optional::isPresent)
                        .orElseThrow();
    }

    private Optional<String> readyPort() {
        if (!process.isAlive()) {
            throw new AssertionError("the server has ended:\n" + log());
        }
        Matcher ready = READY.matcher(log());
        return ready.find() ? Optional.of(ready.group(1)) : Optional.empty();
    }

    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Asks a server; fails unless it answers 2xx. */
    static JsonNode post(String url, String path, String body) {
        return postAsync(url, path, body).join();
    }

    static CompletableFuture<JsonNode> postAsync(String url, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/api/v1" + path))
                .header("Authorization", "Bearer " + TOKEN)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HTTP.sendAsync(request, HttpResponse.BodyHandlers.ofString()).thenApply(answer -> {
            if (answer.statusCode() / 100 != 2) {
                throw new IllegalStateException(answer.statusCode() + " " + answer.body());
            }
            return JsonMapper.shared().readTree(answer.body());
        });
    }

    static JsonNode get(String url, String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/api/v1" + path))
                .header("Authorization", "Bearer " + TOKEN)
                .build();
        return HTTP.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .thenApply(answer -> JsonMapper.shared().readTree(answer.body()))
                .join();
    }

    /** SIGKILL. */
    void killNine() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** SIGTERM. */
    void stop() {
        process.destroy();
        awaitEnd();
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new AssertionError("the server does not end:\n" + log());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        killNine();
    }
}
