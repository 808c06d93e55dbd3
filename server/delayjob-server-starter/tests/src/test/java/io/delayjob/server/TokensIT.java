package io.delayjob.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.delivery.internal.broker.DelayedMessageJob;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.Api.Answer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.client.codec.StringCodec;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

/** Tests the access that tokens give. */
@EachServer
@SuppressWarnings("NullAway.Init")
class TokensIT {

    private static final List<String> ROLES = List.of("submit", "work", "read", "operate", "admin");

    private static final String JOB = "{\"topic\": \"t\", \"delay\": \"PT1H\"}";

    /** Each route, a body for it, and the roles that may use it besides admin. */
    private static final Map<String, Route> ROUTES = Map.ofEntries(
            Map.entry("POST /queues/{queue}/jobs", new Route(JOB, "submit")),
            Map.entry("POST /queues/{queue}/jobs/batch", new Route("{\"jobs\": [" + JOB + "]}", "submit")),
            Map.entry("GET /queues/{queue}/jobs", new Route(null, "read")),
            Map.entry("GET /queues/{queue}/jobs/{id}", new Route(null, "read")),
            Map.entry("GET /queues/{queue}/jobs/{id}/explanation", new Route(null, "read")),
            Map.entry("GET /queues/{queue}/jobs/{id}/history", new Route(null, "read")),
            Map.entry("GET /queues/{queue}/ended", new Route(null, "read")),
            Map.entry("GET /queues/{queue}/indexed", new Route(null, "read")),
            Map.entry("GET /journal/diff", new Route(null, "read")),
            Map.entry("POST /journal/restore", new Route("{\"queue\": \"mine\"}", "operate")),
            Map.entry("POST /journal/clear", new Route("{\"queue\": \"mine\", \"forGood\": true}", "operate")),
            Map.entry("DELETE /queues/{queue}/jobs/{id}", new Route(null, "submit", "operate")),
            Map.entry(
                    "POST /queues/{queue}/jobs/{id}/reschedule",
                    new Route("{\"delay\": \"PT1H\"}", "submit", "operate")),
            Map.entry("POST /queues/{queue}/jobs/{id}/run-now", new Route(null, "submit", "operate")),
            Map.entry("POST /queues/{queue}/jobs/{id}/redrive", new Route(null, "operate")),
            Map.entry("POST /queues/{queue}/jobs/{id}/purge", new Route(null, "operate")),
            Map.entry(
                    "POST /queues/{queue}/jobs/actions",
                    new Route("{\"action\": \"redrive\", \"ids\": [\"x\"]}", "operate")),
            Map.entry("GET /queues", new Route(null, "read")),
            Map.entry("GET /queues/{queue}", new Route(null, "read")),
            Map.entry("GET /queues/{queue}/load", new Route(null, "read")),
            Map.entry("POST /queues/{queue}/pause", new Route(null, "operate")),
            Map.entry("POST /queues/{queue}/resume", new Route(null, "operate")),
            Map.entry("POST /queues/{queue}/redrive", new Route("{\"limit\": 1}", "operate")),
            Map.entry("POST /queues/{queue}/purge", new Route("{\"olderThan\": \"PT1H\", \"limit\": 1}", "operate")),
            Map.entry("GET /queues/{queue}/limits", new Route(null, "read")),
            Map.entry("PUT /queues/{queue}/limits", new Route("{}", "operate")),
            Map.entry("DELETE /queues/{queue}/limits", new Route(null, "operate")),
            Map.entry("GET /queues/{queue}/limits/keys/{key}", new Route(null, "read")),
            Map.entry("PUT /queues/{queue}/limits/keys/{key}", new Route("{}", "operate")),
            Map.entry("DELETE /queues/{queue}/limits/keys/{key}", new Route(null, "operate")),
            Map.entry("POST /queues/{queue}/limits/keys/{key}/pause", new Route(null, "operate")),
            Map.entry("POST /queues/{queue}/limits/keys/{key}/resume", new Route(null, "operate")),
            Map.entry("GET /nodes", new Route(null, "read")),
            Map.entry("GET /events", new Route(null, "read")),
            Map.entry("POST /queues/{queue}/claims", new Route("{}", "work")),
            Map.entry("POST /claims", new Route("{\"queues\": [\"mine\"]}", "work")),
            Map.entry("POST /settlements", new Route("{\"settlements\": []}", "work")),
            Map.entry("GET /clients", new Route(null, "read")),
            Map.entry(
                    "PUT /clients",
                    new Route("{\"application\": \"a\", \"url\": \"http://127.0.0.1/\", \"types\": []}", "work")),
            Map.entry("DELETE /clients", new Route(null, "work")),
            Map.entry("GET /targets", new Route(null, "read")),
            Map.entry("GET /targets/{topic}", new Route(null, "read")),
            Map.entry("PUT /targets/{topic}", new Route("{\"target\": \"none:x\", \"queue\": \"mine\"}")),
            Map.entry("DELETE /targets/{topic}", new Route(null)),
            Map.entry("DELETE /targets", new Route(null)),
            Map.entry("POST /targets/{topic}/pause", new Route(null, "operate")),
            Map.entry("POST /targets/{topic}/resume", new Route(null, "operate")),
            Map.entry("GET /schedules", new Route(null, "read")),
            Map.entry("GET /schedules/{name}", new Route(null, "read")),
            Map.entry("GET /schedules/{name}/preview", new Route(null, "read")),
            Map.entry("GET /schedules/{name}/history", new Route(null, "read")),
            Map.entry("GET /schedules/{name}/explanation", new Route(null, "read")),
            Map.entry(
                    "POST /schedules/{name}/backfill",
                    new Route("{\"from\": \"2030-01-01T00:00:00Z\", \"to\": \"2030-01-02T00:00:00Z\"}", "operate")),
            // Whoever stores a schedule may also submit its jobs.
            Map.entry(
                    "PUT /schedules/{name}", new Route("{\"queue\": \"mine\", \"topic\": \"t\", \"every\": \"PT1H\"}")),
            Map.entry("DELETE /schedules/{name}", new Route(null, "operate")),
            Map.entry("POST /schedules/{name}/pause", new Route(null, "operate")),
            Map.entry("POST /schedules/{name}/resume", new Route(null, "operate")),
            Map.entry("POST /schedules/{name}/trigger", new Route(null, "operate")),
            Map.entry("GET /tokens", new Route(null)),
            Map.entry("POST /tokens", new Route("{\"name\": \"x\", \"roles\": [\"read\"]}")),
            Map.entry("POST /tokens/{name}/rotate", new Route(null)),
            Map.entry("DELETE /tokens/{name}", new Route(null)));

    private record Route(@Nullable String body, List<String> roles) {

        Route(@Nullable String body, String... roles) {
            this(body, List.of(roles));
        }
    }

    @Parameter
    private TestServer.Kind kind;

    private TestServer server;
    private Api admin;

    @BeforeParameterizedClassInvocation
    void start() {
        server = kind.start();
        admin = server.api();
    }

    @AfterParameterizedClassInvocation
    void stop() {
        server.close();
    }

    private Api with(String name, String roles, String queues) {
        Answer made = admin.post(
                "/tokens", "{\"name\": \"%s\", \"roles\": [%s], \"queues\": [%s]}".formatted(name, roles, queues));
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        return server.api(made.json().path("token").asString());
    }

    @Test
    void everyRouteIsListedHere() {
        Set<String> routes = server
                .beanOfRoutes("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .keySet()
                .stream()
                .flatMap(info -> info.getPatternsCondition().getPatterns().stream()
                        .filter(pattern -> pattern.getPatternString().startsWith("/api/v1"))
                        .map(pattern -> info.getMethodsCondition()
                                        .getMethods()
                                        .iterator()
                                        .next() + " "
                                + pattern.getPatternString().substring("/api/v1".length())))
                .collect(java.util.stream.Collectors.toSet());

        assertThat(ROUTES.keySet()).isEqualTo(routes);
    }

    @Test
    void theTokenOfThePropertyIsNeitherRevokedNorRotated() {
        for (Answer refused : List.of(admin.delete("/tokens/admin"), admin.post("/tokens/admin/rotate"))) {
            assertThat(refused.status()).as("%s", refused).isEqualTo(403);
            assertThat(refused.json().path("detail").asString())
                    .contains("delayjob.server.admin-token", "change or remove the property");
        }
        assertThat(admin.get("/tokens").status()).isEqualTo(200);
    }

    @Test
    void noTokenIsKeptBeyondTheYear9999() {
        with("endless", "\"read\"", "\"*\"");

        Answer refused = admin.post("/tokens/endless/rotate", "{\"keep\": \"PT70080000H\"}");

        assertThat(refused.status()).as("%s", refused).isEqualTo(400);
        assertThat(refused.json().path("detail").asString()).contains("the end of the year 9999");
        assertThat(admin.get("/tokens").json().path("tokens").findValuesAsString("name"))
                .containsOnlyOnce("endless");
    }

    @Test
    void aTokenThatCannotBeReadKeepsNoOtherFromBeingValid() {
        DelayJobRedis redis = server.bean(DelayJobRedis.class);
        redis.redisson()
                .getMap(redis.keyPrefix() + ":server:tokens", DelayJobRedis.TEXT)
                .put("digest", "{\"name\": \"late\", \"expiresAt\": \"+10020-01-01T00:00:00Z\"}");

        Answer all = admin.get("/tokens");

        assertThat(all.status()).as("%s", all).isEqualTo(200);
        assertThat(all.json().path("tokens").findValuesAsString("name"))
                .contains("admin")
                .doesNotContain("late");
    }

    @Test
    void brokersGetOnlyWhatMayBeSentToThem() {
        String message = "{\"topic\": \"%s\", \"param\": {}, \"delay\": \"PT1H\"}".formatted(DelayedMessageJob.NAME);
        Api everywhere = with("broker-all", "\"submit\"", "\"*\"");
        Api named = with("broker-named", "\"submit\"", "\"*\", \"delayed-messages\"");

        Answer refused = everywhere.post("/queues/delayed-messages/jobs", message);
        assertThat(refused.status()).as("%s", refused).isEqualTo(403);
        assertThat(refused.json().path("detail").asString()).contains("any destination of a broker");
        assertThat(everywhere
                        .post("/queues/mine/jobs/batch", "{\"jobs\": [" + JOB + ", " + message + "]}")
                        .status())
                .isEqualTo(403);
        OldClient old = new OldClient(server.api().url(), everywhere.token());
        assertThat(old.post("/protocols/mykit/push", "{'topic':'delayed-messages'}")
                        .status())
                .isEqualTo(403);
        assertThat(everywhere.post("/queues/delayed-messages/jobs", JOB).status())
                .isEqualTo(201);
        assertThat(named.post("/queues/delayed-messages/jobs", message).status())
                .isEqualTo(201);
        assertThat(admin.post("/queues/delayed-messages/jobs", message).status())
                .isEqualTo(201);
    }

    @Test
    void timesAreOfTheYearsThatHaveMilliseconds() {
        String far = "%2B999999999-12-31T23:59:59Z";
        for (Answer refused : List.of(
                admin.get("/queues/mine/jobs?state=DELAYED&from=" + far),
                admin.get("/queues/mine/jobs?state=DELAYED&to=" + far),
                admin.post(
                        "/queues/mine/jobs",
                        JOB.replace("\"delay\": \"PT1H\"", "\"dueAt\": \"+999999999-12-31T23:59:59Z\"")),
                admin.post(
                        "/tokens",
                        "{\"name\": \"far\", \"roles\": [\"read\"], \"expiresAt\": \"+999999999-12-31T23:59:59Z\"}"))) {
            assertThat(refused.status()).as("%s", refused).isEqualTo(400);
            assertThat(refused.json().path("detail").asString()).contains("999999999");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/queues/%C0%AE%C0%AE", "/queues/q/jobs/a%FF", "/queues/q/jobs?state=DEAD&idPrefix=%C0%AF"})
    void anAddressThatIsNotUtf8IsRefused(String path) {
        Answer refused = admin.get(path);

        assertThat(refused.status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%2E", "%2e%2e"})
    void aQueueThatNoAddressCanNameIsRefused(String queue) {
        assertThat(admin.post("/queues/" + queue + "/jobs", JOB).status()).isIn(400, 404);
        assertThat(admin.post("/claims", "{\"queues\": [\"..\"]}")
                        .json()
                        .path("detail")
                        .asString())
                .contains("no address can name it");
    }

    private Answer asked(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("Authorization", "Bearer " + TestServer.ADMIN)
                .build();
        return Answer.of(HttpClient.newHttpClient()
                .sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .join());
    }

    /** A proxy may have rules for the path as it is written. */
    @ParameterizedTest
    @ValueSource(strings = {"/%61pi/v1/queues", "/api/%76%31/queues", "/api;a=b/v1/queues"})
    void thePathOfTheApiIsWrittenPlainly(String path) {
        Answer refused = asked(path);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.problem()).isEqualTo("invalid-value");
        assertThat(refused.json().path("detail").asString()).contains("must begin with /api/v1", path);
        assertThat(refused.response().headers().firstValue("Content-Type")).hasValue("application/problem+json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"//api/v1/queues", "/api//v1/queues", "/x/../%61pi/v1/queues", "/API/v1/queues"})
    void whatIsNoPathOfTheApiOpensNothing(String path) {
        assertThat(asked(path).status()).isIn(400, 404);
    }

    @Test
    void noWayOfWritingAPathLeadsAroundTheRulesOfARoute() {
        String body = "{\"name\": \"kept\", \"roles\": [\"read\"]}";
        Api mine = with("encoded", "\"read\", \"work\"", "\"mine\"");

        assertThat(admin.withKey("k").post("/%74okens", body).problem()).isEqualTo("invalid-value");
        assertThat(admin.withKey("k").post("/queues/mine/%63laims", "{}").problem())
                .isEqualTo("invalid-value");
        assertThat(mine.get("/queues/%74heirs").problem()).isEqualTo("no-such-queue");
        assertThat(mine.get("/queues/%6Dine").status()).isEqualTo(200);
    }

    static Stream<Arguments> routesAndRoles() {
        return ROUTES.keySet().stream()
                .sorted()
                .flatMap(route -> ROLES.stream().map(role -> Arguments.of(route, role)));
    }

    @ParameterizedTest
    @MethodSource("routesAndRoles")
    void aRouteIsOpenToItsRolesAlone(String route, String role) {
        String name = role + "-" + Integer.toHexString(route.hashCode());
        String queues = route.contains("/tokens") ? "*" : "mine";
        Api caller = with(name, "\"" + role + "\"", "\"" + queues + "\"");
        Route wanted = route(route);
        boolean allowed = role.equals("admin") || wanted.roles().contains(role);

        Answer answer = ask(caller, route, "mine");

        if (allowed) {
            assertThat(answer.status()).as("%s", answer).isNotIn(401, 403).isLessThan(500);
            assertThat(answer.problem()).as("%s", answer).isNotEqualTo("no-such-queue");
        } else {
            assertThat(answer.status()).as("%s", answer).isEqualTo(403);
            assertThat(answer.json().path("detail").asString()).contains(name);
        }
        if (route.contains("{queue}")) {
            assertThat(ask(caller, route, "theirs").problem()).isEqualTo("no-such-queue");
        }
    }

    private static Route route(String name) {
        return Objects.requireNonNull(ROUTES.get(name), name);
    }

    private static Answer ask(Api caller, String route, String queue) {
        int space = route.indexOf(' ');
        String path = route.substring(space + 1)
                .replace("{queue}", queue)
                .replace("{id}", "x")
                .replace("{topic}", "none")
                .replace("{key}", "none")
                .replace("{name}", "none");
        String query = switch (route) {
            case "GET /queues/{queue}/jobs" -> "?state=DELAYED";
            case "GET /queues/{queue}/indexed" -> "?word=order&value=1";
            case "GET /journal/diff" -> "?queue=" + queue;
            case "DELETE /targets" -> "?maker=nobody";
            default -> "";
        };
        return caller.send(route.substring(0, space), path + query, route(route).body());
    }

    @Test
    void anAdministratorOfSomeQueuesHasNoSayOverTokens() {
        Api some = with("some-queues", "\"admin\"", "\"shop-*\"");
        String all = "{\"name\": \"all-queues\", \"roles\": [\"read\"]}";
        for (Answer answer : List.of(
                some.post("/tokens", all),
                some.post("/tokens/some-queues/rotate", "{}"),
                some.delete("/tokens/some-queues"),
                some.get("/tokens"))) {
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.response().body()).contains("is not for all queues");
        }
        assertThat(some.get("/queues").status()).isEqualTo(200);
    }

    @Test
    void nothingIsOpenWithoutAToken() {
        for (String route : ROUTES.keySet()) {
            for (String token : new String[] {"", "wrong"}) {
                Answer refused = ask(server.api(token), route, "mine");
                assertThat(refused.status()).as("%s: %s", route, refused).isEqualTo(401);
                assertThat(refused.response().headers().firstValue("WWW-Authenticate"))
                        .isPresent();
            }
        }
    }

    @Test
    void aTokenSeesTheQueuesOfItsPatternsOnly() {
        admin.post("/queues/shop-mail/jobs", JOB);
        admin.post("/queues/bank-mail/jobs", JOB);
        Api shop = with("shop", "\"read\", \"work\"", "\"shop-*\"");

        assertThat(shop.get("/queues").json().path("queues").findValuesAsString("queue"))
                .containsExactly("shop-mail");
        assertThat(shop.post("/claims", "{\"queues\": [\"shop-mail\", \"bank-mail\"]}")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void aHandleOfAnotherQueueIsOfNoUse() {
        admin.post("/queues/bank-pay/jobs", "{\"topic\": \"t\", \"delay\": \"PT0S\"}");
        String handle = admin.post("/queues/bank-pay/claims", "{\"wait\": \"PT60S\"}")
                .json()
                .path("jobs")
                .get(0)
                .path("handle")
                .asString();
        Api shop = with("shop-worker", "\"work\"", "\"shop-*\"");

        Answer refused = shop.post(
                "/settlements",
                "{\"settlements\": [{\"handle\": \"%s\", \"action\": \"complete\"}]}".formatted(handle));

        assertThat(refused.status()).isEqualTo(404);
    }

    @Test
    void aRevokedTokenWorksNoLongerThanASecond() {
        Api caller = with("gone", "\"read\"", "\"*\"");
        assertThat(caller.get("/queues").status()).isEqualTo(200);

        assertThat(admin.delete("/tokens/gone").status()).isEqualTo(204);

        await().until(() -> caller.get("/queues").status() == 401);
        assertThat(admin.delete("/tokens/gone").status()).isEqualTo(404);
    }

    @Test
    void theFirstTokenComesBackWhereRedisHasLostAll() {
        try (TestServer emptied = kind.start()) {
            DelayJobRedis redis = emptied.bean(DelayJobRedis.class);
            assertThat(redis.redisson().getKeys().delete(redis.keyPrefix() + ":server:tokens"))
                    .isEqualTo(1);
            assertThat(emptied.api("wrong").get("/tokens").status()).isEqualTo(401);
            // Tokens that were read before are trusted for a second.
            await().pollDelay(2, SECONDS)
                    .untilAsserted(() ->
                            assertThat(emptied.api().get("/tokens").status()).isEqualTo(200));
        }
    }

    @Test
    void aRotatedTokenReplacesTheOldOneAfterAWhile() {
        Api old = with("turn", "\"read\"", "\"*\"");

        Api next = rotated("turn", "PT1H");

        assertThat(next.get("/queues").status()).isEqualTo(200);
        assertThat(old.get("/queues").status()).isEqualTo(200);
        Api last = rotated("turn", "PT2S");
        await().until(() -> old.get("/queues").status() == 401);
        await().until(() -> next.get("/queues").status() == 401);
        assertThat(last.get("/queues").status()).isEqualTo(200);
    }

    private Api rotated(String name, String keep) {
        Answer made = admin.post("/tokens/" + name + "/rotate", "{\"keep\": \"%s\"}".formatted(keep));
        return server.api(made.json().path("token").asString());
    }

    @Test
    void tokensAreNotStored() {
        Answer made = admin.post("/tokens", "{\"name\": \"secret\", \"roles\": [\"read\"]}");
        String secret = made.json().path("token").asString();
        DelayJobRedis redis = server.bean(DelayJobRedis.class);

        Map<String, String> stored = redis.redisson()
                .<String, String>getMap(redis.keyPrefix() + ":server:tokens", StringCodec.INSTANCE)
                .readAllMap();

        assertThat(secret).startsWith("djt_").hasSizeGreaterThan(40);
        assertThat(stored.toString())
                .contains("\"secret\"")
                .doesNotContain(secret)
                .doesNotContain(TestServer.ADMIN);
        assertThat(admin.get("/tokens").response().body())
                .contains("\"secret\"")
                .doesNotContain(secret);
    }

    @Test
    void aNameThatIsTakenIsRefused() {
        with("taken", "\"read\"", "\"*\"");

        assertThat(admin.post("/tokens", "{\"name\": \"taken\", \"roles\": [\"read\"]}")
                        .problem())
                .isEqualTo("token-exists");
        assertThat(admin.post("/tokens", "{\"name\": \"a b\", \"roles\": [\"read\"]}")
                        .status())
                .isEqualTo(400);
        assertThat(admin.post("/tokens", "{\"name\": \"a\", \"roles\": []}").status())
                .isEqualTo(400);
        assertThat(admin.post("/tokens", "{\"name\": \"a\", \"roles\": [\"root\"]}")
                        .status())
                .isEqualTo(400);
    }
}
