package io.delayjob.server.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.server.app.GoodCaller.Notes;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One caller cannot hurt another. Each test is an attack of greedy callers on the packaged server: every request of a good caller beside them is answered,
 * and nothing of it is lost or hidden. They themselves are never answered with a fault of the server's. A new attack is a method here and a line in
 * docs/security.md. How long the good caller waits is printed, and not asserted: it depends on the machine as well.
 */
@Tag("proof")
class AttacksIT {

    private static final List<String> ROLES = List.of("read", "submit", "work", "operate", "admin");
    private static final String JOBS = "/api/v1/queues/greedy/jobs";
    private static final String CLAIMS = "/api/v1/queues/greedy/claims";
    private static final String WAIT = "{\"wait\": \"PT60S\"}";
    private static final int SOCKETS = 1000;
    private static final int JOBS_OF_THE_GOOD = 300;

    /**
     * Jobs before anything is measured, how often a server is attacked with so many jobs before, and how often it is measured. Figures that are to be compared
     * need a server that has compiled what it runs, and more than one of them: -Dattacks.warm-up=2000 -Dattacks.measurements=8. Then the good caller is also
     * measured alone, and the JVM of the server compiles as that of users does.
     */
    private static final int JOBS_TO_WARM_UP = Integer.getInteger("attacks.warm-up", JOBS_OF_THE_GOOD);

    private static final boolean MEASURED = JOBS_TO_WARM_UP > JOBS_OF_THE_GOOD;
    private static final int ROUNDS = Integer.getInteger("attacks.rounds", MEASURED ? 1 : 0);
    private static final int MEASUREMENTS = Integer.getInteger("attacks.measurements", 1);

    private static final String OBJECTS =
            "{\"topic\": \"t\", \"delay\": \"PT1H\", \"param\": [" + "{},".repeat(2_600_000) + "{}]}";

    @TempDir
    static Path folder;

    private static final Map<String, String> TOKENS = new HashMap<>();
    private static ServerProcess server;
    private static GoodCaller good;

    /** An attack by greedy callers. Returns once they have begun. */
    @FunctionalInterface
    private interface Attack {

        void by(GreedyCallers greedy) throws Exception;
    }

    @BeforeAll
    static void start() throws Exception {
        String open = "--delayjob.delivery.http.open-networks=127.0.0.1";
        server = MEASURED ? ServerProcess.startAsUsersDo(folder, open) : ServerProcess.startWithAllMemory(folder, open);
        ROLES.forEach(role -> TOKENS.put(role, token("greedy-" + role, "[\"" + role + "\"]", "[\"greedy*\"]")));
        good = new GoodCaller(server.url(), token("good", "[\"submit\", \"work\", \"read\"]", "[\"good\"]"));
        assertThat(good.run(JOBS_TO_WARM_UP).faults()).isEmpty();
    }

    private static String token(String name, String roles, String queues) {
        return ServerProcess.post(
                        server.url(),
                        "/tokens",
                        "{\"name\": \"%s\", \"roles\": %s, \"queues\": %s}".formatted(name, roles, queues))
                .path("token")
                .asString();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void holds(String attack, Attack attacked) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            beside(attacked, JOBS_TO_WARM_UP);
        }
        for (int measurement = 0; measurement < MEASUREMENTS; measurement++) {
            String alone =
                    MEASURED ? ", and %d ms alone".formatted(alone().p99().toMillis()) : "";
            Notes beside = beside(attacked, JOBS_OF_THE_GOOD);
            System.out.printf(
                    "%s: p99 of the good caller %d ms%s%n", attack, beside.p99().toMillis(), alone);
        }
    }

    private static Notes alone() throws Exception {
        Notes notes = good.run(JOBS_OF_THE_GOOD);
        assertThat(notes.faults()).isEmpty();
        return notes;
    }

    private static Notes beside(Attack attacked, int jobs) throws Exception {
        try (GreedyCallers greedy = new GreedyCallers(server.url(), TOKENS)) {
            attacked.by(greedy);
            Notes notes = good.run(jobs);
            assertThat(notes.faults()).isEmpty();
            assertThat(greedy.answers().stream().filter(AttacksIT::isFault)).isEmpty();
            assertThat(greedy.answers())
                    .allMatch(answer -> !answer.startsWith("http/1.1 429") || answer.contains("\r\nretry-after: "));
            return notes;
        }
    }

    /** On a machine that stands still, Redis may not answer in time: the greedy are told so, and when to come back. */
    private static boolean isFault(String answer) {
        return answer.startsWith("http/1.1 5")
                && !(answer.contains(":problem:redis-unavailable") || answer.contains(":problem:not-confirmed"));
    }

    @Test
    void bodiesThatNeverEnd() throws Exception {
        holds("bodies that never end", greedy -> {
            for (String role : ROLES) {
                greedy.drip(SOCKETS / ROLES.size() / 2, greedy.post(JOBS, role, 1_000_000));
            }
            greedy.drip(SOCKETS / 2, greedy.post(JOBS, "none", 1_000_000));
        });
    }

    @Test
    void bodiesOfSignInsThatNeverEnd() throws Exception {
        holds(
                "bodies of sign-ins that never end",
                greedy -> greedy.drip(
                        SOCKETS,
                        greedy.post("/console/login", "none", 1_000_000)
                                .replace(
                                        "application/json",
                                        "application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin")));
    }

    @Test
    void headersThatNeverEnd() throws Exception {
        holds("headers that never end", greedy -> greedy.drip(SOCKETS, "GET /api/v1/queues HTTP/1.1\r\nX: "));
    }

    @Test
    void largeBodiesOfWhoMayNotSendThem() throws Exception {
        holds("large bodies of who may not send them", greedy -> {
            for (String role : List.of("read", "work", "operate", "none")) {
                greedy.repeat(2, greedy.head("POST", JOBS, role), OBJECTS);
            }
        });
    }

    @Test
    void largeBodiesOfWhoMaySendThem() throws Exception {
        Map<String, String> paths =
                Map.of("submit", JOBS, "work", CLAIMS, "operate", JOBS + "/actions", "admin", "/api/v1/tokens");
        holds(
                "large bodies of who may send them",
                greedy -> paths.forEach((role, path) -> greedy.repeat(2, greedy.head("POST", path, role), OBJECTS)));
    }

    @Test
    void requestsFarAheadOfTheirAnswers() throws Exception {
        holds("requests far ahead of their answers", greedy -> {
            for (String role : List.of("read", "admin")) {
                String events = greedy.get("/api/v1/events", role);
                greedy.pour(10, events + greedy.post(JOBS, role, Long.MAX_VALUE));
            }
            String claim = greedy.post(CLAIMS, "work", WAIT.length()) + WAIT;
            greedy.pour(10, claim + greedy.post(JOBS, "work", Long.MAX_VALUE));
        });
    }

    /** More than its share of what stays or waits, as fast as it can, by each role. */
    @Test
    void allThatARoleAllows() throws Exception {
        String job = "{\"topic\": \"t\", \"delay\": \"PT1H\"}";
        String binding = "{\"target\": \"http://127.0.0.1:9/hook\", \"queue\": \"greedy-{number}\"}";
        String queue = "/api/v1/queues/greedy-{number}";
        holds("all that a role allows", greedy -> {
            greedy.drip(250, greedy.get("/api/v1/events", "read"));
            greedy.repeat(1, greedy.head("GET", "/api/v1/queues?limit=1000", "read"), "");
            greedy.repeat(1, greedy.head("POST", queue + "/jobs", "submit"), job);
            greedy.repeat(205, greedy.head("POST", queue + "/claims", "work"), WAIT);
            greedy.repeat(1, greedy.head("POST", queue + "/pause", "operate"), "");
            greedy.repeat(1, greedy.head("PUT", "/api/v1/targets/greedy-{number}", "admin"), binding);
            await().until(() -> greedy.answers().stream()
                            .filter(answer -> answer.startsWith("http/1.1 429"))
                            .count()
                    > 100);
        });
    }
}
