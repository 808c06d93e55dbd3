package io.delayjob.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.console.TestConsole.Browser;
import io.delayjob.server.console.TestConsole.Kind;
import io.delayjob.testing.RealRedis;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.redisson.api.RMap;
import org.redisson.api.options.KeysScanOptions;

/** The console serves its readers whatever greedy callers do. */
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GreedyCallersIT {

    private static final String JOB = "{\"topic\":\"t\",\"delay\":\"PT1H\"}";

    private TestConsole server;
    private Browser admin;

    @BeforeAll
    void start() {
        server = TestConsole.start(
                Kind.NETTY,
                "delayjob.console.audit-kept=100",
                "delayjob.console.limits.live-pages-per-caller=2",
                "delayjob.console.limits.requests-per-caller=4",
                "delayjob.console.limits.sign-ins-per-caller=3");
        admin = server.signedIn(TestConsole.ADMIN);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private int call(String method, String token, String path) {
        return TestConsole.send(HttpRequest.newBuilder(URI.create(server.url() + "/api/v1" + path))
                        .header("Authorization", "Bearer " + token)
                        .method(method, HttpRequest.BodyPublishers.noBody()))
                .statusCode();
    }

    @Test
    void refusedRequestsPushNoChangeOutOfTheAudit() {
        server.api(TestConsole.ADMIN, "/queues/watched/pause", "{}");
        // The answers to one alone would be held back.
        List<String> readers = IntStream.range(0, 3)
                .mapToObj(i -> server.token("eraser-" + i, "\"read\"", "\"*\""))
                .toList();

        for (int i = 0; i < 300; i++) {
            assertThat(call("POST", readers.get(i % 3), "/queues/watched/resume"))
                    .isEqualTo(403);
        }

        assertThat(admin.get("/audit").body())
                .contains("/queues/watched/pause")
                .doesNotContain("/queues/watched/resume");
        assertThat(admin.get("/audit?unchanged=true").body())
                .contains("/queues/watched/resume", "eraser")
                .doesNotContain("/queues/watched/pause");
    }

    @Test
    void changesOfOneCallerPushOutItsOwnChangesAlone() {
        server.api(TestConsole.ADMIN, "/queues/kept-in-audit/pause", "{}");
        String operator = server.token("busy", "\"operate\"", "\"*\"");

        for (int i = 0; i < 300; i++) {
            assertThat(call("POST", operator, "/queues/busy-" + i % 3 + "/pause"))
                    .isEqualTo(200);
        }

        String audit = admin.get("/audit").body();
        assertThat(audit).contains("/queues/kept-in-audit/pause");
        assertThat(audit.split("token &#39;busy&#39;", -1)).hasSizeBetween(2, 11);
    }

    @Test
    void queuesOfOthersHideNoneThatACallerMaySee() throws IOException {
        String many = server.token("names-much", "\"submit\"", "\"*\"");
        for (int i = 0; i < 210; i++) {
            server.api(many, "/queues/a-%03d/jobs".formatted(i), JOB);
        }
        server.api(many, "/queues/zebra/jobs", JOB);

        Browser mine = server.signedIn(server.token("sees-zebra", "\"read\"", "\"zebra\""));

        assertThat(mine.get("").body()).contains("zebra").doesNotContain("a-000", "which are not shown");
        assertThat(mine.search("state:delayed", "zebra")).contains("zebra");
        try (Watcher watcher = Watcher.of(mine)) {
            await().until(() -> watcher.messages() >= 2);
            assertThat(watcher.last()).contains("zebra");
        }
        // A look may be two seconds old.
        await().untilAsserted(() -> assertThat(admin.get("").body()).contains("a-000", "which are not shown"));
    }

    @Test
    void oneCallerFollowsOnlySoManyPages() throws IOException {
        String token = server.token("follows", "\"read\"", "\"*\"");
        Browser greedy = server.signedIn(token);
        Browser other = server.signedIn(server.token("follows-too", "\"read\"", "\"*\""));
        List<Watcher> watchers = new ArrayList<>();
        try {
            watchers.add(Watcher.of(greedy));
            watchers.add(Watcher.of(greedy));
            watchers.forEach(watcher -> await().until(() -> watcher.messages() >= 1));

            HttpResponse<String> refused = greedy.get("/live");

            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            assertThat(refused.body()).contains("live-pages-per-caller");
            assertThat(greedy.get("").statusCode()).isEqualTo(200);
            watchers.add(Watcher.of(other));
            await().until(() -> watchers.get(2).messages() >= 1);
        } finally {
            watchers.forEach(Watcher::close);
        }
        await().ignoreExceptions().untilAsserted(() -> {
            try (Watcher again = Watcher.of(greedy)) {
                await().until(() -> again.messages() >= 1);
            }
        });
    }

    @Test
    void pagesThatAreFollowedDoNotCountAsRequests() throws IOException {
        try (TestConsole small = TestConsole.start(Kind.NETTY, "delayjob.console.limits.requests-per-caller=1");
                Watcher watcher = Watcher.of(small.signedIn(TestConsole.ADMIN))) {
            await().until(() -> watcher.messages() >= 1);

            assertThat(small.signedIn(TestConsole.ADMIN).get("").statusCode()).isEqualTo(200);
        }
    }

    /** A form whose end does not come. */
    private Socket unfinished(Browser browser) throws IOException {
        URI url = URI.create(server.url());
        Socket socket = new Socket(url.getHost(), url.getPort());
        socket.getOutputStream()
                .write(("POST /console/queues/forms/purge HTTP/1.1\r\nHost: " + url.getAuthority()
                                + "\r\nSec-Fetch-Site: same-origin\r\nCookie: " + browser.cookie()
                                + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nmost=1")
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    @Test
    void oneCallerHasOnlySoManyRequestsUnderWay() throws IOException {
        Browser greedy = server.signedIn(server.token("asks-much", "\"read\",\"operate\"", "\"*\""));
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                sockets.add(unfinished(greedy));
            }
            HttpResponse<String> refused =
                    await().until(() -> greedy.get("/search?q=x"), answer -> answer.statusCode() == 429);

            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            assertThat(refused.body()).contains("requests-per-caller");
            assertThat(admin.get("/search?q=x").statusCode()).isEqualTo(200);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
        await().until(() -> greedy.get("/search?q=x").statusCode() == 200);
    }

    private long signIns() {
        DelayJobRedis redis = server.bean(DelayJobRedis.class);
        return redis.redisson()
                .getKeys()
                .getKeysStream(KeysScanOptions.defaults().pattern(redis.keyPrefix() + "*console:session:*"))
                .distinct()
                .count();
    }

    @Test
    void theOldestSignInOfACallerEndsWithOneTooMany() {
        Browser other = server.signedIn(server.token("signs-in-once", "\"read\"", "\"*\""));
        String token = server.token("signs-in-much", "\"read\"", "\"*\"");
        long others = signIns();
        List<Browser> signedIn = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            signedIn.add(server.signedIn(token));
        }

        assertThat(signedIn.stream().map(one -> one.get("").statusCode())).containsExactly(303, 200, 200, 200);
        assertThat(other.get("").statusCode()).isEqualTo(200);
        assertThat(signIns() - others).isEqualTo(3);

        signedIn.get(0).post("/logout");
        assertThat(signedIn.get(3).get("").statusCode())
                .as("a sign-out ends no sign-in that has taken its place")
                .isEqualTo(200);
        signedIn.get(3).post("/logout");
        assertThat(signedIn.get(3).get("").statusCode()).isEqualTo(303);
        assertThat(signIns() - others).isEqualTo(2);
    }

    /** A hundred are answered at once, and then 10 a second. */
    @Test
    void theAnswersToMadeUpSignInsAreHeldBack() {
        try (TestConsole guessed = TestConsole.start(Kind.NETTY)) {
            Browser known = guessed.signedIn(TestConsole.ADMIN);
            Browser stranger = new Browser(guessed.url(), "/console", "delayjob-console=made-up");
            long begun = System.nanoTime();

            for (int i = 0; i < 150; i++) {
                assertThat(stranger.get("").statusCode()).isIn(303, 429);
            }

            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(2900));
            assertThat(known.get("").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void bytesOfFormsAndOfSignInsCountForTheirCaller() {
        String large = "x".repeat(200_000);
        Browser browser = server.signedIn(ofFewBytes("fills-forms"));
        assertThat(browser.post("/queues/forms/purge", "olderThan", "1d", "most", "1", "more", large)
                        .statusCode())
                .isEqualTo(303);
        HttpResponse<String> refused = browser.get("");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.body()).contains("1000 bytes of bodies a second");

        String token = ofFewBytes("fills-sign-ins");
        Browser nobody = new Browser(server.url(), "/console", "");
        assertThat(nobody.post("/login", "token", token, "to", "/", "more", large)
                        .statusCode())
                .isEqualTo(303);
        assertThat(call("GET", token, "/queues")).isEqualTo(429);
    }

    private String ofFewBytes(String name) {
        return server.api(
                        TestConsole.ADMIN,
                        "/tokens",
                        "{\"name\":\"%s\",\"roles\":[\"read\",\"operate\"],\"bytesPerSecond\":1000}".formatted(name))
                .path("token")
                .asString("");
    }

    private static HttpResponse<String> begin(Browser browser) {
        return browser.post(
                "/runs",
                "q",
                "queue:run-long state:delayed",
                "action",
                "reschedule",
                "delay",
                "2h",
                "perSecond",
                "1",
                "expected-reschedule",
                "500");
    }

    private static void isRefused(HttpResponse<String> begun, String why) {
        assertThat(begun.statusCode()).isEqualTo(429);
        assertThat(begun.headers().firstValue("Retry-After")).isPresent();
        assertThat(begun.body()).contains(why);
    }

    private static List<String> runs(Browser browser) {
        return Pattern.compile("/console(/runs/[0-9a-f-]{36})")
                .matcher(browser.get("/runs").body())
                .results()
                .map(run -> run.group(1))
                .distinct()
                .toList();
    }

    @Test
    void bulkRunsUnderWayAreBoundedAndARefusedOneIsNotKept() {
        try (TestConsole running = TestConsole.start(Kind.NETTY)) {
            String jobs = String.join(",", Collections.nCopies(500, JOB));
            running.api(TestConsole.ADMIN, "/queues/run-long/jobs/batch", "{\"jobs\":[" + jobs + "]}");
            List<Browser> callers = Stream.of("one", "two", "three")
                    .map(name -> running.signedIn(running.token("runs-" + name, "\"read\",\"operate\"", "\"*\"")))
                    .toList();
            for (int i = 0; i < 4; i++) {
                assertThat(begin(callers.get(0)).statusCode()).isEqualTo(303);
            }

            isRefused(begin(callers.get(0)), "token &#39;runs-one&#39; has 4 runs already");
            assertThat(runs(callers.get(0))).hasSize(4);

            for (int i = 0; i < 4; i++) {
                assertThat(begin(callers.get(1)).statusCode()).isEqualTo(303);
            }
            isRefused(begin(callers.get(2)), "this server has 8 runs already");
            List<String> kept = runs(callers.get(2));
            assertThat(kept).hasSize(8);

            assertThat(callers.get(0).post(kept.get(0) + "/abort").statusCode()).isEqualTo(303);
            await().until(() -> begin(callers.get(2)).statusCode() == 303);
        }
    }

    @Test
    void decisionsAboutErrorsPushOutTheOldestOfWhoeverHasMadeMost() {
        DelayJobRedis redis = server.bean(DelayJobRedis.class);
        RMap<String, String> kept =
                redis.redisson().getMap(redis.keyPrefix() + ":server:console:faults", DelayJobRedis.TEXT);
        kept.putAll(IntStream.range(0, 1000)
                .boxed()
                .collect(Collectors.toMap(
                        i -> "decided %016x".formatted(i),
                        i -> "{\"decision\":\"IGNORED\",\"who\":\"token '%s'\",\"at\":\"2020-01-01T00:%02d:%02dZ\"}"
                                .formatted(i < 400 ? "careful" : "decides-much", i / 60, i % 60))));
        Browser greedy = server.signedIn(server.token("decides-much", "\"read\",\"operate\"", "\"*\""));

        for (String fault : List.of("f".repeat(16), "e".repeat(16))) {
            assertThat(greedy.post("/errors/ignore", "queue", "decided", "fault", fault)
                            .statusCode())
                    .isEqualTo(303);
        }

        await().untilAsserted(() -> assertThat(kept.keySet())
                .hasSize(1000)
                .contains("decided " + "f".repeat(16), "decided " + "e".repeat(16))
                .contains("decided %016x".formatted(0), "decided %016x".formatted(402))
                .doesNotContain("decided %016x".formatted(400), "decided %016x".formatted(401)));
        kept.clear();
    }
}
