package io.delayjob.server.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The image without its base: what is in it, and its entry point as a process of this machine. */
@RealRedis
class ImageIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String TOKEN = "token-of-the-image";
    private static final Pattern MANAGEMENT = Pattern.compile("Netty started on port (\\d+)");

    @TempDir
    private static Path folder;

    private static Image image;

    @BeforeAll
    static void unpack() throws IOException, InterruptedException {
        image = Image.unpacked(folder);
    }

    @Test
    void runsTheProgramAsNobodyAndNeedsNoShell() {
        JsonNode container = image.container();
        assertThat(container.path("User").asText()).isEqualTo("10001:10001");
        assertThat(container.path("Entrypoint").get(0).asText()).isEqualTo("java");
        assertThat(container.path("Cmd").isMissingNode()).isTrue();
        assertThat(container.path("ExposedPorts").fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder("8080/tcp", "8081/tcp");
    }

    /** Besides, Jib leaves two small files of its own. */
    @Test
    void hasTheProgramAndNothingElse() throws IOException {
        try (Stream<Path> files = Files.walk(image.root())) {
            List<Path> found = files.filter(Files::isRegularFile)
                    .map(image.root()::relativize)
                    .filter(file ->
                            !file.startsWith("app/jib-classpath-file") && !file.startsWith("app/jib-main-class-file"))
                    .toList();
            assertThat(found).containsExactly(Path.of("app/delayjob-server.jar"));
        }
        assertThat(image.root().resolve("app/delayjob-server.jar"))
                .hasSameBinaryContentAs(Path.of("../target/delayjob-server.jar"));
    }

    @Test
    void endsWith78IfItIsNotToldWhereRedisIsAndWhoMayUseIt() throws Exception {
        Path output = folder.resolve("nothing.log");

        Process process = image.run(List.of(), output);

        assertThat(process.onExit().get().exitValue()).isEqualTo(78);
        assertThat(output).content().contains("SPRING_DATA_REDIS_URL", "DELAYJOB_SERVER_ADMIN_TOKEN");
    }

    @Test
    void namesOnlyWhatIsMissing() throws Exception {
        Path output = folder.resolve("token.log");

        Process process = image.run(List.of("DELAYJOB_SERVER_ADMIN_TOKEN=" + TOKEN), output);

        assertThat(process.onExit().get().exitValue()).isEqualTo(78);
        assertThat(output)
                .content()
                .contains("SPRING_DATA_REDIS_URL")
                .doesNotContain("The first token")
                .doesNotContain(TOKEN);
    }

    @Test
    void servesHealthAndTheApiAtTwoPortsAndStopsInOrder(RedisServer redis) throws Exception {
        Path output = folder.resolve("run.log");
        Process process = image.run(
                List.of(
                        "DELAYJOB_REDIS_URL=" + redis.url(),
                        "DELAYJOB_KEY_PREFIX=image-" + UUID.randomUUID(),
                        "DELAYJOB_SERVER_ADMIN_TOKEN=" + TOKEN,
                        "SERVER_PORT=0",
                        "MANAGEMENT_SERVER_PORT=0"),
                output);
        try {
            await().atMost(PATIENCE).until(() -> Files.readString(output).contains("the server is ready"));
            List<String> ports = MANAGEMENT
                    .matcher(Files.readString(output))
                    .results()
                    .map(port -> port.group(1))
                    .toList();
            Matcher api =
                    Pattern.compile("is ready at http://localhost:(\\d+)/").matcher(Files.readString(output));
            assertThat(api.find()).isTrue();
            String management = ports.stream()
                    .filter(port -> !port.equals(api.group(1)))
                    .findFirst()
                    .orElseThrow();
            assertThat(status(management, "/actuator/health/liveness")).isEqualTo(200);
            assertThat(status(management, "/actuator/health/readiness")).isEqualTo(200);
            assertThat(status(management, "/actuator/prometheus")).isEqualTo(200);
            assertThat(status(api.group(1), "/api/v1/queues")).isEqualTo(200);
            assertThat(status(api.group(1), "/actuator/health")).isNotEqualTo(200);
        } finally {
            process.destroy();
        }
        // 128 and SIGTERM.
        assertThat(process.onExit().get().exitValue()).isEqualTo(143);
        assertThat(output).content().contains("Graceful shutdown complete");
    }

    private static int status(String port, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Authorization", "Bearer " + TOKEN)
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
