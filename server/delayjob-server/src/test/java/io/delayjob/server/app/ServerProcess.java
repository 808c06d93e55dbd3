package io.delayjob.server.app;

import io.delayjob.testing.JarProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The packaged server in a JVM of its own. */
final class ServerProcess implements AutoCloseable {

    static final String TOKEN = "a-token-of-the-test";

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final JarProcess process;

    private ServerProcess(JarProcess process) {
        this.process = process;
    }

    /** Starts a server whose first token is {@link #TOKEN}; does not wait for it. */
    static ServerProcess start(Path folder, String... properties) {
        return startBare(folder, withToken(properties));
    }

    /** Starts a server whose first token is {@link #TOKEN}, in a JVM as users have it; does not wait for it. */
    static ServerProcess startAsUsersDo(Path folder, String... properties) {
        return start(folder, List.of(), withToken(properties));
    }

    /** Starts a server as {@link #startAsUsersDo} does, with the memory that users give it, in a JVM that compiles lightly. */
    static ServerProcess startWithAllMemory(Path folder, String... properties) {
        return start(folder, List.of("-XX:TieredStopAtLevel=1"), withToken(properties));
    }

    private static List<String> withToken(String... properties) {
        List<String> all = new ArrayList<>(List.of("--delayjob.server.admin-token=" + TOKEN));
        all.addAll(List.of(properties));
        return all;
    }

    /** Starts a server without a token of the test's. */
    static ServerProcess startBare(Path folder, List<String> properties) {
        return start(folder, JarProcess.SHORT_LIVED, properties);
    }

    private static ServerProcess start(Path folder, List<String> options, List<String> properties) {
        Path jar = Path.of(System.getProperty("server.jar", "target/delayjob-server.jar"));
        return new ServerProcess(JarProcess.start(folder, jar, options, properties));
    }

    /** Exit code and output of a command. */
    record Said(int code, String text) {}

    /** Lets the program do a command. */
    static Said command(Path folder, String... arguments) {
        try (ServerProcess command = startBare(folder, List.of(arguments))) {
            int code = command.process.awaitExit();
            return new Said(code, command.log());
        }
    }

    /** The address of the server, as soon as it is ready. */
    String url() {
        return process.url();
    }

    String log() {
        return process.log();
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
        process.killNine();
    }

    /** SIGTERM. */
    void stop() {
        process.stop();
    }

    @Override
    public void close() {
        process.close();
    }
}
