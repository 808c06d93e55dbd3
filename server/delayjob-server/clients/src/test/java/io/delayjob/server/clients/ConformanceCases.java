package io.delayjob.server.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.delayjob.testing.CuttingProxy;
import io.delayjob.testing.CuttingProxy.Cut;
import io.delayjob.testing.JarProcess;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Each client does the same with a real server, over a network that loses answers. A client takes part by a {@link Driver}; its worker
 * claims with one request at a time.
 */
@Tag("proof")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ConformanceCases {

    static final Path ROOT = Path.of("../../..").toAbsolutePath().normalize();

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String TOKEN = "a-token-of-the-test";
    /** Longer than any test. */
    private static final int LONG_MS = 600_000;
    /** The longest wait of a test. */
    private static final int PATIENT_MS = 120_000;

    private static final int SHORT_MS = 2_000;

    @TempDir
    private static Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Driver> drivers = new ArrayList<>();
    private final Queue<Cut> plan = new ConcurrentLinkedQueue<>();
    private final AtomicInteger requests = new AtomicInteger();
    /** Why the client cannot be tested here, null if it can: found out once, because that starts programs. */
    private String obstacle;

    private JarProcess server;
    private volatile String url;
    private CuttingProxy proxy;
    private String queue;

    /** Says why the client cannot be tested here; empty if it can. */
    Optional<String> obstacle() {
        return Optional.empty();
    }

    /** Makes the client ready for its drivers. */
    void install() throws Exception {}

    /** Starts a driver of the client. */
    abstract Driver driver() throws IOException;

    /** The first program of this name on the PATH that runs with these arguments and succeeds. */
    static Optional<Path> programThat(String name, String... arguments) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .map(place -> Path.of(place, name))
                .filter(Files::isExecutable)
                .filter(program -> succeeds(program, arguments))
                .findFirst();
    }

    private static boolean succeeds(Path program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs a program to its end, which must be a success. */
    static String run(Path where, String... command) throws IOException, InterruptedException {
        return run(where, Map.of(), command);
    }

    static String run(Path where, Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(where.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as("%s: %s", String.join(" ", command), output)
                .isZero();
        return output;
    }

    @BeforeAll
    void startServer() throws Exception {
        obstacle = obstacle().orElse(null);
        if (obstacle != null) {
            return;
        }
        install();
        server = program();
        url = server.url();
        proxy = new CuttingProxy(() -> URI.create(url), this::cut);
    }

    private static JarProcess program() {
        return JarProcess.start(
                folder,
                ROOT.resolve("server/delayjob-server/target/delayjob-server.jar"),
                JarProcess.SHORT_LIVED,
                List.of("--delayjob.server.admin-token=" + TOKEN));
    }

    private Cut cut() {
        requests.incrementAndGet();
        return Optional.ofNullable(plan.poll()).orElse(Cut.NOT);
    }

    @AfterAll
    void stopServer() throws IOException {
        // Null if the client cannot be tested.
        if (server != null) {
            proxy.close();
            server.close();
        }
    }

    @BeforeEach
    void nameQueue() {
        assumeTrue(obstacle == null, () -> obstacle);
        queue = "q-" + UUID.randomUUID();
        plan.clear();
    }

    @AfterEach
    void endDrivers() {
        drivers.forEach(Driver::close);
        drivers.clear();
    }

    @Test
    void aSubmittedJobRuns() throws Exception {
        Driver driver = connected();
        work(driver);

        JsonNode submitted = submit(driver, "greet", Map.of("name", "Ann"));

        assertThat(submitted.path("outcome").asString()).as("%s", submitted).isEqualTo("STORED");
        JsonNode ran = driver.next("ran");
        assertThat(ran.path("id")).isEqualTo(submitted.path("id"));
        assertThat(ran.path("attempt").asInt()).isEqualTo(1);
        assertThat(ran.path("param").path("name").asString()).isEqualTo("Ann");
        awaitGone(submitted.path("id").asString());
    }

    @Test
    void aSubmitWhoseAnswerIsLostStoresOneJob() throws Exception {
        Driver driver = connected();
        plan.addAll(List.of(Cut.BEFORE_THE_ANSWER, Cut.WITHIN_THE_ANSWER));

        JsonNode submitted = driver.ask(
                "submit", Map.of("queue", queue, "job", Map.of("topic", "greet", "param", 1, "delay", "PT10M")));

        assertThat(plan).isEmpty();
        assertThat(submitted.path("outcome").asString()).as("%s", submitted).isEqualTo("STORED");
        assertThat(get("/queues/" + queue).path("delayed").asInt()).isEqualTo(1);
    }

    @Test
    void aClaimWhoseAnswerIsLostLosesNoAttempt() throws Exception {
        Driver driver = connected();
        plan.add(Cut.BEFORE_THE_ANSWER);
        work(driver);

        submitLeased("1", "greet", 0, "PT10M");

        assertThat(driver.next("ran").path("attempt").asInt()).isEqualTo(1);
        awaitGone("1");
        assertThat(plan).isEmpty();
        assertThat(driver.all("ran")).hasSize(1);
    }

    @Test
    void aSettlementWhoseAnswerIsLostIsApplied() throws Exception {
        Driver driver = connected();
        plan.addAll(List.of(Cut.NOT, Cut.BEFORE_THE_ANSWER));
        work(driver);
        submitLeased("1", "greet", 0, "PT10M");
        awaitGone("1");

        submitLeased("2", "greet", 0, "PT10M");
        awaitGone("2");

        assertThat(plan).isEmpty();
        assertThat(driver.all("ran"))
                .extracting(ran -> ran.path("id").asString())
                .containsExactly("1", "2");
    }

    @Test
    void eachJobRunsOnceOverANetworkThatLosesHalfOfTheAnswers() throws Exception {
        int jobs = 60;
        for (int i = 0; i < jobs; i++) {
            submitLeased("" + i, "greet", i, "PT10M");
        }
        Driver driver = connected();
        new Random(1)
                .ints(300, 0, 6)
                .mapToObj(i -> Cut.values()[Math.max(0, i - 2)])
                .forEach(plan::add);

        work(driver, 10, PATIENT_MS, PATIENT_MS / 2);

        await().alias("all jobs have ended; " + drivers).until(() -> {
            JsonNode counts = get("/queues/" + queue);
            return counts.path("ready").asInt() + counts.path("reserved").asInt() == 0;
        });
        assertThat(driver.all("ran"))
                .hasSize(jobs)
                .allSatisfy(ran -> assertThat(ran.path("attempt").asInt()).isEqualTo(1))
                .extracting(ran -> ran.path("id").asString())
                .doesNotHaveDuplicates();
    }

    @Test
    void aLeaseIsExtendedWhileItsJobRuns() throws Exception {
        Driver driver = connected();
        work(driver);

        submitLeased("1", "hold", 20_000, "PT8S");

        assertThat(driver.next("ended").path("aborted").asBoolean()).isFalse();
        awaitGone("1");
        assertThat(driver.all("began"))
                .singleElement()
                .satisfies(began -> assertThat(began.path("attempt").asInt()).isEqualTo(1));
    }

    @Test
    void aCancelledJobIsToldToEnd() throws Exception {
        Driver driver = connected();
        work(driver);
        submitLeased("1", "hold", LONG_MS, "PT6S");
        driver.next("began");

        assertThat(call("DELETE", "/queues/" + queue + "/jobs/1", "").body()).contains("\"done\":true");

        assertThat(driver.next("ended").path("aborted").asBoolean()).isTrue();
        awaitGone("1");
    }

    @Test
    void theJobOfAKilledWorkerRunsElsewhereAfterItsLease() throws Exception {
        Driver first = connected();
        work(first);
        submitLeased("1", "hold", LONG_MS, "PT6S");
        first.next("began");

        first.kill();

        Driver second = connected();
        work(second);
        assertThat(second.next("began").path("attempt").asInt()).isEqualTo(2);
    }

    @Test
    void aWorkerOutlivesTheServer() throws Exception {
        Driver driver = connected();
        work(driver);
        submitLeased("1", "hold", SHORT_MS, "PT10M");
        driver.next("began");

        server.killNine();
        driver.next("ended");
        server = program();
        url = server.url();

        awaitGone("1");
        submitLeased("2", "greet", 0, "PT10M");
        assertThat(driver.next("ran").path("id").asString()).isEqualTo("2");
        awaitGone("2");
        assertThat(driver.all("began")).hasSize(1);
    }

    @Test
    void retryAfterIsObeyed() throws Exception {
        String body = "{\"name\": \"%s\", \"roles\": [\"submit\"], \"requestsPerSecond\": 1}".formatted(queue);
        String slow = JSON.readTree(call("POST", "/tokens", body).body())
                .path("token")
                .asString();
        Driver driver = connected(proxy.url(), slow, PATIENT_MS);
        int before = requests.get();

        List<JsonNode> submitted =
                IntStream.range(0, 6).mapToObj(i -> submit(driver, "greet", i)).toList();

        assertThat(submitted)
                .allSatisfy(
                        answer -> assertThat(answer.path("outcome").asString()).isEqualTo("STORED"));
        // Two at once, then two tries for each of four, and a try more for each if a second is rounded. Without a wait
        // it would be 22.
        assertThat(requests.get() - before).isBetween(6, 16);
    }

    @Test
    void aWrongTokenIsTold() throws Exception {
        Driver driver = connected(proxy.url(), "wrong", PATIENT_MS);

        assertRefused(driver, "401", "token");
    }

    @Test
    void aWrongPathIsTold() throws Exception {
        Driver driver = connected(proxy.url() + "/elsewhere", TOKEN, PATIENT_MS);

        assertRefused(driver, "404", "url", "address of a delayjob server");
    }

    @Test
    void anAddressWhereNobodyListensIsTold() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Driver driver = connected("http://127.0.0.1:" + port, TOKEN, SHORT_MS * 2);

        assertError(submit(driver, "greet", 1), "127.0.0.1:" + port, "cannot be reached", "url");
        work(driver, 1, SHORT_MS, SHORT_MS);
        assertError(driver.next("work"), "127.0.0.1:" + port, "cannot be reached", "url");
    }

    @Test
    void anOlderServerIsTold() throws Exception {
        HttpServer old = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] answer = """
                {"type": "urn:delayjob:problem:invalid-body", "title": "The body cannot be read", "status": 400,
                 "detail": "unknown field 'claimId' in the body; the fields there are max, wait, worker"}""".getBytes(StandardCharsets.UTF_8);
        old.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Content-Type", "application/problem+json");
            exchange.sendResponseHeaders(400, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        old.start();
        Driver driver = connected("http://127.0.0.1:" + old.getAddress().getPort(), TOKEN, PATIENT_MS);

        work(driver);

        assertError(driver.next("work"), "claimId", "older than this client");
        old.stop(0);
    }

    @Test
    void aWorkerThatStopsLetsItsJobEnd() throws Exception {
        Driver driver = connected();
        work(driver);
        submitLeased("1", "hold", SHORT_MS, "PT10M");
        driver.next("began");

        driver.ask("stop", Map.of());

        assertThat(driver.next("work").has("error")).isFalse();
        assertThat(driver.next("ended").path("aborted").asBoolean()).isFalse();
        awaitGone("1");
    }

    @Test
    void aWorkerThatStopsGivesBackAJobThatLasts() throws Exception {
        Driver driver = connected();
        work(driver, 1, SHORT_MS, PATIENT_MS / 2);
        submitLeased("1", "hold", LONG_MS, "PT10M");
        driver.next("began");

        driver.ask("stop", Map.of());

        assertThat(driver.next("work").has("error")).isFalse();
        assertThat(driver.next("ended").path("aborted").asBoolean()).isTrue();
        Driver second = connected();
        work(second);
        assertThat(second.next("began").path("attempt").asInt()).isEqualTo(1);
    }

    /** A case of clients that have these calls. */
    void findsAndCancelsJobs() throws Exception {
        Driver driver = connected();
        Map<String, String> job = Map.of("queue", queue, "id", "1/ä");
        plan.add(Cut.BEFORE_THE_ANSWER);
        assertThat(driver.ask("find", job).path("job").isNull()).isTrue();

        driver.ask(
                "submit",
                Map.of("queue", queue, "job", Map.of("id", "1/ä", "topic", "greet", "param", "Ann", "delay", "PT1H")));

        assertThat(driver.ask("find", job).path("job").path("state").asString()).isEqualTo("DELAYED");
        assertThat(driver.ask("cancel", job).path("done").asBoolean()).isTrue();
        assertThat(driver.ask("cancel", job).path("done").asBoolean()).isFalse();
        assertThat(driver.ask("find", job).path("job").isNull()).isTrue();
    }

    /** The example is in the README beside it, runs its job, and ends with success on SIGTERM. */
    void runsTheExample(Path sources, String example, Path where, Map<String, String> environment, String... command)
            throws Exception {
        assertThat(sources.resolve("README.md")).content().contains(Files.readString(sources.resolve(example)));
        Path output = Files.createTempFile(folder, "example", ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(where.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        builder.environment().putAll(Map.of("DELAYJOB_URL", url, "DELAYJOB_TOKEN", TOKEN));
        Process process = builder.start();
        try {
            await().until(() -> Files.readString(output).equals("hello Ann\n"));
            process.destroy();
            assertThat(process.waitFor(PATIENT_MS, TimeUnit.MILLISECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    private Driver connected() throws IOException {
        return connected(proxy.url(), TOKEN, PATIENT_MS);
    }

    private Driver connected(String address, String token, int timeoutMs) throws IOException {
        Driver driver = driver();
        drivers.add(driver);
        driver.ask("connect", Map.of("url", address, "token", token, "timeoutMs", timeoutMs));
        return driver;
    }

    private void work(Driver driver) {
        work(driver, 1, PATIENT_MS, PATIENT_MS / 2);
    }

    private void work(Driver driver, int concurrency, int graceMs, int waitMs) {
        driver.tell("work", Map.of("queue", queue, "concurrency", concurrency, "waitMs", waitMs, "graceMs", graceMs));
    }

    private JsonNode submit(Driver driver, String topic, Object param) {
        return driver.ask(
                "submit", Map.of("queue", queue, "job", Map.of("topic", topic, "param", param, "delay", "PT0S")));
    }

    /** Both the submit and the worker fail with a message that has these words, after at most two requests each. */
    private void assertRefused(Driver driver, String... words) {
        int before = requests.get();
        assertError(submit(driver, "greet", 1), words);
        work(driver);
        assertError(driver.next("work"), words);
        assertThat(requests.get() - before).isBetween(2, 4);
    }

    private static void assertError(JsonNode answer, String... words) {
        assertThat(answer.path("error").asString())
                .contains(words)
                .doesNotContain("\n")
                .doesNotContain(TOKEN);
    }

    private void submitLeased(String id, String topic, int param, String lease) throws Exception {
        String job = "{\"id\": \"%s\", \"topic\": \"%s\", \"param\": %d, \"lease\": \"%s\", \"delay\": \"PT0S\"}";
        assertThat(call("POST", "/queues/" + queue + "/jobs", job.formatted(id, topic, param, lease))
                        .statusCode())
                .isEqualTo(201);
    }

    private void awaitGone(String id) {
        await().alias("job " + id + " has ended; " + drivers)
                .until(() -> call("GET", "/queues/" + queue + "/jobs/" + id, "").statusCode() == 404);
    }

    private JsonNode get(String path) throws Exception {
        return JSON.readTree(call("GET", path, "").body());
    }

    private HttpResponse<String> call(String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/api/v1" + path))
                .header("Authorization", "Bearer " + TOKEN)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
