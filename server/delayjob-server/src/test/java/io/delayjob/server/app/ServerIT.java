package io.delayjob.server.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The packaged server on its embedded default. */
class ServerIT {

    private static final Pattern PRINTED = Pattern.compile("note it: (djt_\\S+)");
    private static final Pattern PART = Pattern.compile("(?:href|src)=\"([^\"]+)\"");
    private static final HttpClient HTTP =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();

    @TempDir
    private static Path folderOfOne;

    /** For tests that neither stop it nor ask what it prints. */
    private static ServerProcess one;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        one = ServerProcess.start(folderOfOne);
    }

    @AfterAll
    static void stop() {
        one.close();
        awaitNoProcessOf(folderOfOne);
    }

    @Test
    void theFirstTokenIsPrintedOnce() throws Exception {
        String token;
        try (ServerProcess first = ServerProcess.startBare(folder, List.of())) {
            String url = first.url();
            Matcher printed = PRINTED.matcher(first.log());
            assertThat(printed.find()).as(first.log()).isTrue();
            token = printed.group(1);
            assertThat(status(url, token)).isEqualTo(200);
            assertThat(first.log()).doesNotContain("password");
            first.stop();
        }
        try (ServerProcess second = ServerProcess.startBare(folder, List.of())) {
            String url = second.url();
            assertThat(PRINTED.matcher(second.log()).find()).as(second.log()).isFalse();
            assertThat(status(url, token)).isEqualTo(200);
            assertThat(status(url, "another")).isEqualTo(401);
        }
    }

    private static int status(String url, String token) throws Exception {
        return at(url + "/api/v1/queues", token);
    }

    private static int at(String address, String token) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    /** Metrics name topics and queues; health says one word. */
    @Test
    void metricsNeedATokenForAllQueuesAndHealthNeedsNone() throws Exception {
        String url = one.url();
        String some = ServerProcess.post(
                        url, "/tokens", "{\"name\": \"some\", \"roles\": [\"read\"], \"queues\": [\"q\"]}")
                .path("token")
                .asString();
        String all = ServerProcess.post(url, "/tokens", "{\"name\": \"all\", \"roles\": [\"read\"]}")
                .path("token")
                .asString();

        await().until(() -> at(url + "/actuator/health", "") == 200);
        assertThat(at(url + "/actuator/health/liveness", "")).isEqualTo(200);
        assertThat(at(url + "/actuator/prometheus", "")).isEqualTo(401);
        assertThat(at(url + "/%61ctuator/prometheus", "")).isEqualTo(401);
        assertThat(at(url + "/actuator/prometheus", "wrong")).isEqualTo(401);
        assertThat(at(url + "/actuator/prometheus", some)).isEqualTo(403);
        assertThat(at(url + "/actuator/prometheus", all)).isEqualTo(200);
    }

    @Test
    void servesTheOpenApiDocumentWithAPageThatLoadsNothingFromElsewhere() throws Exception {
        HttpResponse<String> document = get(one.url() + "/api/openapi");
        assertThat(document.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(document.body()).isEqualTo(Files.readString(Path.of("../../docs/openapi.json")));

        URI tryPage = URI.create(one.url() + "/api/try");
        String page = get(tryPage.toString()).body();
        assertThat(page).contains("url: \"openapi\"").doesNotContain("https://");
        List<String> parts =
                PART.matcher(page).results().map(part -> part.group(1)).toList();
        assertThat(parts)
                .hasSize(3)
                .allSatisfy(part -> get(tryPage.resolve(part).toString()));
    }

    private static HttpResponse<String> get(String url) throws Exception {
        HttpResponse<String> answer =
                HTTP.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(url).isEqualTo(200);
        return answer;
    }

    @Test
    void aJobSubmittedBeforeAKillIsClaimedAfterItAndAStopAnswersTheClaimsThatWait() {
        try (ServerProcess first = ServerProcess.start(folder)) {
            ServerProcess.post(first.url(), "/queues/q/jobs", "{\"id\": \"a\", \"topic\": \"t\", \"delay\": \"PT1S\"}");
            first.killNine();
            try (ServerProcess second = ServerProcess.start(folder)) {
                String url = second.url();
                JsonNode claimed = ServerProcess.post(url, "/queues/q/claims", "{\"wait\": \"PT60S\"}");

                assertThat(claimed.path("jobs").findValuesAsString("id")).containsExactly("a");

                ServerProcess.post(url, "/queues/later/jobs", "{\"topic\": \"t\", \"delay\": \"PT1H\"}");
                CompletableFuture<JsonNode> claim =
                        ServerProcess.postAsync(url, "/queues/later/claims", "{\"wait\": \"PT60S\"}");
                await().until(() -> ServerProcess.get(url, "/nodes")
                        .findValuesAsString("queue")
                        .contains("later"));

                second.stop();

                assertThat(claim.join().toString()).isEqualTo("{\"jobs\":[]}");
            }
        }
    }

    /** Fails if a test leaves a process behind, such as its Redis: it would run for ever. */
    @AfterEach
    void noRedisIsLeft() {
        awaitNoProcessOf(folder);
    }

    private static void awaitNoProcessOf(Path folder) {
        await().untilAsserted(() -> assertThat(ProcessHandle.allProcesses()
                        .flatMap(process -> process.info().commandLine().stream())
                        .filter(command -> command.contains(folder.toString())))
                .isEmpty());
    }
}
