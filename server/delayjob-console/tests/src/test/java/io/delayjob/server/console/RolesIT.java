package io.delayjob.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobSchedules;
import io.delayjob.Schedule;
import io.delayjob.server.console.TestConsole.Browser;
import io.delayjob.server.console.TestConsole.Kind;
import io.delayjob.server.console.autoconfigure.DelayJobConsoleAutoConfiguration;
import io.delayjob.testing.RealRedis;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

/** Walks every route of the console that changes something with every role: none does what a token of the API could not. */
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class RolesIT {

    private static final String JOB = "queue=q&id=j";

    private static final String DECISION = "queue=q&fault=0123456789abcdef";

    /**
     * Which roles may use a route besides admin, and what it is sent; the first word of a path that names several actions is one of them. A
     * route or an action that is not here makes the test fail.
     */
    private static final Map<String, Route> ROUTES = Map.ofEntries(
            Map.entry("/queues/{queue}/pause", new Route("/queues/q/pause", "", "operate")),
            Map.entry("/queues/{queue}/resume", new Route("/queues/q/resume", "", "operate")),
            Map.entry("/queues/{queue}/limits/set", new Route("/queues/q/limits/set", "concurrency=4", "operate")),
            Map.entry("/queues/{queue}/limits/clear", new Route("/queues/q/limits/clear", "", "operate")),
            Map.entry("/queues/{queue}/keys/limit", new Route("/queues/q/keys/limit", "key=k&permits=3", "operate")),
            Map.entry("/queues/{queue}/keys/clear", new Route("/queues/q/keys/clear", "key=k", "operate")),
            Map.entry("/queues/{queue}/keys/pause", new Route("/queues/q/keys/pause", "key=k", "operate")),
            Map.entry("/queues/{queue}/keys/resume", new Route("/queues/q/keys/resume", "key=k", "operate")),
            Map.entry("/queues/{queue}/purge", new Route("/queues/q/purge", "olderThan=7d&most=1", "operate")),
            Map.entry("/job/cancel", new Route("/job/cancel", JOB, "submit", "operate")),
            Map.entry("/job/run-now", new Route("/job/run-now", JOB, "submit", "operate")),
            Map.entry("/job/reschedule", new Route("/job/reschedule", JOB + "&delay=1h", "submit", "operate")),
            Map.entry("/job/redrive", new Route("/job/redrive", JOB, "operate")),
            Map.entry("/job/purge", new Route("/job/purge", JOB, "operate")),
            Map.entry("/jobs", new Route("/jobs", "action=cancel&job=q/DELAYED/j", "submit", "operate")),
            Map.entry("/job/copy", new Route("/job/copy", JOB + "&topic=t", "never alone")),
            Map.entry(
                    "/runs",
                    new Route(
                            "/runs",
                            "q=queue:q state:dead&action=redrive&perSecond=1&expected-redrive=0",
                            "never alone")),
            Map.entry("/errors/resolve", new Route("/errors/resolve", DECISION, "operate")),
            Map.entry("/errors/ignore", new Route("/errors/ignore", DECISION, "operate")),
            Map.entry("/errors/reopen", new Route("/errors/reopen", DECISION, "operate")),
            Map.entry("/targets/pause", new Route("/targets/pause", "topic=unbound", "operate")),
            Map.entry("/targets/resume", new Route("/targets/resume", "topic=unbound", "operate")),
            Map.entry("/targets/unbind", new Route("/targets/unbind", "topic=unbound")),
            Map.entry("/targets/bind", new Route("/targets/bind", "topic=q&target=https://example.com/x")),
            Map.entry(
                    "/recurring/backfill",
                    new Route(
                            "/recurring/backfill",
                            "name=scheduled&from=2024-01-01T00:00:00Z&to=2024-01-02T00:00:00Z&perSecond=1&instants=24",
                            "operate")),
            Map.entry("/recurring/pause", new Route("/recurring/pause", "name=scheduled", "operate")),
            Map.entry("/recurring/resume", new Route("/recurring/resume", "name=scheduled", "operate")),
            Map.entry("/recurring/trigger", new Route("/recurring/trigger", "name=scheduled", "operate")),
            Map.entry("/recurring/remove", new Route("/recurring/remove", "name=scheduled", "operate")),
            Map.entry("/tokens", new Route("/tokens", "name=made&role=read")),
            Map.entry("/tokens/rotate", new Route("/tokens/rotate", "name=none")),
            Map.entry("/tokens/revoke", new Route("/tokens/revoke", "name=made")),
            Map.entry("/journal/restore", new Route("/journal/restore", "queue=q&dryRun=true", "operate")),
            Map.entry("/journal/clear", new Route("/journal/clear", "queue=q&most=100", "operate")),
            Map.entry("/runs/{id}/undo", new Route("/runs/none/undo", "", "anyone: there is none")),
            Map.entry("/runs/{id}/go", new Route("/runs/none/go", "", "anyone: there is none")),
            Map.entry("/runs/{id}/pause", new Route("/runs/none/pause", "", "anyone: there is none")),
            Map.entry("/runs/{id}/abort", new Route("/runs/none/abort", "", "anyone: there is none")));

    private static final Pattern ACTIONS = Pattern.compile("\\{[a-z]+:([a-z|-]+)}");

    private TestConsole server;

    private record Route(String path, String form, Set<String> roles) {

        Route(String path, String form, String... roles) {
            this(path, form, Set.of(roles));
        }

        String[] fields() {
            return form.isEmpty()
                    ? new String[0]
                    : Arrays.stream(form.split("&", -1))
                            .flatMap(field -> Arrays.stream(field.split("=", 2)))
                            .toArray(String[]::new);
        }
    }

    @BeforeAll
    void start() {
        server = TestConsole.start(
                Kind.NETTY,
                "delayjob.journal.mode=always",
                "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private static Set<String> changing(TestConsole console) {
        return console.bean(RequestMappingHandlerMapping.class).getHandlerMethods().entrySet().stream()
                .filter(route -> route.getValue()
                        .getBeanType()
                        .getPackageName()
                        .startsWith(DelayJobConsoleAutoConfiguration.class
                                .getPackageName()
                                .replace(".autoconfigure", "")))
                .filter(route ->
                        !route.getKey().getMethodsCondition().getMethods().equals(Set.of(RequestMethod.GET)))
                .flatMap(route -> route.getKey().getPatternsCondition().getPatterns().stream())
                .map(pattern -> pattern.getPatternString().substring("/console".length()))
                // The last one is for all that no other is for.
                .filter(path -> !Set.of("/login", "/logout", "/**").contains(path))
                .flatMap(RolesIT::actions)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The paths of a pattern that names several actions. */
    private static Stream<String> actions(String pattern) {
        Matcher actions = ACTIONS.matcher(pattern);
        return actions.find()
                ? Stream.of(actions.group(1).split("[|]")).map(one -> pattern.replace(actions.group(), one))
                : Stream.of(pattern);
    }

    @Test
    void allowsWhatTheTokenMayDoAndNothingElse() {
        assertThat(changing(server)).isEqualTo(new TreeSet<>(ROUTES.keySet()));
        Map<String, Browser> browsers = new HashMap<>();
        for (String role : List.of("submit", "work", "read", "operate")) {
            browsers.put(role, server.signedIn(server.token(role, "\"" + role + "\"", "\"q\"")));
        }
        Browser admin = server.signedIn(TestConsole.ADMIN);
        Browser others = server.signedIn(server.token("others", "\"admin\"", "\"other\""));
        server.api(TestConsole.ADMIN, "/queues/q/jobs", "{\"id\":\"j\",\"topic\":\"t\",\"delay\":\"PT1H\"}");

        server.bean(DelayJobSchedules.class)
                .put(Schedule.every("scheduled", "t", Duration.ofHours(1)).withQueue("q"));

        ROUTES.forEach((pattern, route) -> {
            browsers.forEach((role, browser) -> {
                int status = browser.post(route.path(), route.fields()).statusCode();
                if (route.path().startsWith("/runs/none")) {
                    assertThat(status).as(role + " " + pattern).isEqualTo(404);
                } else if (!route.roles().contains(role)) {
                    assertThat(status).as(role + " " + pattern).isEqualTo(403);
                } else {
                    assertThat(status).as(role + " " + pattern).isIn(200, 303, 404, 409);
                }
            });
            assertThat(admin.post(route.path(), route.fields()).statusCode())
                    .as("admin " + pattern)
                    .isIn(200, 303, 404, 409);
            if (!route.path().startsWith("/tokens")) {
                assertThat(others.post(route.path(), route.fields()).statusCode())
                        .as("others " + pattern)
                        .isEqualTo(404);
            }
            assertThat(new Browser(server.url(), "/console", "")
                            .post(route.path(), route.fields())
                            .headers()
                            .firstValue("Location")
                            .orElse(""))
                    .as("nobody " + pattern)
                    .startsWith("/console/login");
        });
    }

    @Test
    void changesNothingWhereItIsReadOnly() {
        try (TestConsole readOnly =
                TestConsole.start(Kind.NETTY, "delayjob.console.read-only=true", "delayjob.console.path=/ops/jobs")) {
            Browser out = new Browser(readOnly.url(), "/ops/jobs", "");
            Browser admin = new Browser(
                    readOnly.url(),
                    "/ops/jobs",
                    TestConsole.cookie(out.post("/login", "token", TestConsole.ADMIN, "to", "/")));

            ROUTES.values().forEach(route -> {
                var answer = admin.post(route.path(), route.fields());
                assertThat(answer.statusCode()).as(route.path()).isEqualTo(403);
                assertThat(answer.body()).contains("read-only");
            });
            assertThat(admin.get("").statusCode()).isEqualTo(200);
            assertThat(admin.get("/queues/q").body()).doesNotContain("/pause\"");
        }
    }

    @Test
    void hasNoRouteThatChangesSomethingByGet() {
        ROUTES.values().stream()
                .filter(route -> !Set.of("/runs", "/tokens").contains(route.path()))
                .forEach(route -> assertThat(server.signedIn(TestConsole.ADMIN)
                                .get(route.path())
                                .statusCode())
                        .as(route.path())
                        .isEqualTo(404));
    }
}
