package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.Api.Answer;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Servers in applications that have Spring Security. */
@EachServer
@SuppressWarnings("NullAway.Init")
class SpringSecurityIT {

    private static final WebTokenMaker ISSUER = new WebTokenMaker();
    private static final String JOB = "{\"topic\": \"t\", \"delay\": \"PT1H\"}";
    private static final List<String> ROLES = List.of("submit", "work", "read", "operate", "admin");

    /** Some routes, a body for each, and the roles that may use them besides admin. */
    private static final List<Route> ROUTES = List.of(
            new Route("POST /queues/mine/jobs", JOB, "submit"),
            new Route("GET /queues/mine", null, "read"),
            new Route("GET /queues/mine/jobs/x", null, "read"),
            new Route("DELETE /queues/mine/jobs/x", null, "submit", "operate"),
            new Route("POST /queues/mine/claims", "{}", "work"),
            new Route("POST /claims", "{\"queues\": [\"mine\"]}", "work"),
            new Route("POST /queues/mine/resume", null, "operate"));

    private record Route(String route, @Nullable String body, List<String> roles) {

        Route(String route, @Nullable String body, String... roles) {
            this(route, body, List.of(roles));
        }

        Answer ask(Api api, String queue) {
            int space = route.indexOf(' ');
            return api.send(
                    route.substring(0, space),
                    route.substring(space + 1).replace("/mine", "/" + queue),
                    body == null ? null : body.replace("mine", queue));
        }
    }

    /** An application with a page of its own. */
    @TestConfiguration(proxyBeanMethods = false)
    static class Pages {

        @RestController
        static class Page {

            @GetMapping("/page")
            String page() {
                return "a page";
            }
        }
    }

    /** An application whose callers have a password, and no token. */
    @TestConfiguration(proxyBeanMethods = false)
    static class Passwords extends Pages {

        private static final UserDetails ANN = User.withUsername("ann")
                .password("{noop}secret")
                .roles("jobs.READ")
                .build();

        @TestConfiguration(proxyBeanMethods = false)
        @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
        static class Reactive {

            @Bean
            SecurityWebFilterChain chain(ServerHttpSecurity http) {
                return http.csrf(ServerHttpSecurity.CsrfSpec::disable)
                        .httpBasic(Customizer.withDefaults())
                        .authorizeExchange(all -> all.anyExchange().permitAll())
                        .build();
            }

            @Bean
            MapReactiveUserDetailsService users() {
                return new MapReactiveUserDetailsService(ANN);
            }
        }

        @TestConfiguration(proxyBeanMethods = false)
        @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
        static class Servlet {

            @Bean
            SecurityFilterChain chain(HttpSecurity http) {
                return http.csrf(AbstractHttpConfigurer::disable)
                        .httpBasic(Customizer.withDefaults())
                        .authorizeHttpRequests(all -> all.anyRequest().permitAll())
                        .build();
            }

            @Bean
            InMemoryUserDetailsManager users() {
                return new InMemoryUserDetailsManager(ANN);
            }
        }
    }

    /** An application that knows its callers better. */
    @TestConfiguration(proxyBeanMethods = false)
    static class Resolving extends Pages {

        @Bean
        AccessResolver resolver() {
            return caller -> Grant.of(List.of(Role.SUBMIT)).in(List.of(caller.getName() + "-*"));
        }
    }

    @TempDir
    static Path folder;

    @Parameter
    private TestServer.Kind kind;

    private TestServer server;

    @BeforeParameterizedClassInvocation
    void start() {
        server = kind.startSecured(Pages.class, ISSUER.trustedBy(folder));
    }

    @AfterParameterizedClassInvocation
    void stop() {
        server.close();
    }

    private Api with(String scope, Object queues) {
        return server.api(ISSUER.token("ann", Map.of("scope", scope, "delayjob_queues", queues)));
    }

    static Stream<Arguments> routesAndRoles() {
        return ROUTES.stream().flatMap(route -> ROLES.stream().map(role -> Arguments.of(route, role)));
    }

    @ParameterizedTest
    @MethodSource("routesAndRoles")
    void aScopeOpensTheRoutesOfItsRole(Object tested, String role) {
        Route route = (Route) tested;
        Api caller = with("openid delayjob." + role, List.of("mine", "my-*"));

        Answer answer = route.ask(caller, "mine");

        boolean allowed = role.equals("admin") || route.roles().contains(role);
        if (allowed) {
            assertThat(answer.status()).as("%s", answer).isNotIn(401, 403).isLessThan(500);
            assertThat(answer.problem()).as("%s", answer).isNotEqualTo("no-such-queue");
        } else {
            assertThat(answer.status()).as("%s", answer).isEqualTo(403);
            assertThat(answer.json().path("detail").asString()).contains("caller 'ann' needs the role");
        }
        // The body, which may say a queue, is read only of who has the role.
        assertThat(route.ask(caller, "theirs").problem())
                .isEqualTo(allowed || route.route().contains("/mine") ? "no-such-queue" : "forbidden");
    }

    /** The protocols serve the callers that Spring Security knows; the refusal of an unknown caller has the shape of the protocol. */
    @Test
    void theProtocolsAreForTheSameCallers() {
        String worker = ISSUER.token("ann", Map.of("scope", "delayjob.work", "delayjob_queues", List.of("mykit.*")));
        String submitter = ISSUER.token("bob", Map.of("scope", "delayjob.submit"));
        String url = server.api().url() + "/protocols";

        for (String token : List.of("", "wrong", TestServer.ADMIN)) {
            OldClient unknown = new OldClient(url, token);
            Answer popped = unknown.post("/delay-queue", "{'command':'pop','topic':'t'}");
            assertThat(popped.status()).as("%s", popped).isEqualTo(401);
            assertThat(popped.json().propertyNames()).containsExactlyInAnyOrder("success", "error");
            Answer cleared = unknown.get("/mykit/clearAll");
            assertThat(cleared.status()).as("%s", cleared).isEqualTo(401);
            assertThat(cleared.json().propertyNames()).containsExactlyInAnyOrder("success", "data", "message", "code");
        }
        String push = "{'topic':'secured','id':'s-%s','body':'b'}".formatted(kind);
        assertThat(new OldClient(url, submitter).post("/mykit/push", push).status())
                .isEqualTo(200);
        assertThat(new OldClient(url, worker).post("/mykit/push", push).status())
                .isEqualTo(403);
        assertThat(new OldClient(url, worker).get("/mykit/clearAll").status()).isEqualTo(403);
        assertThat(new OldClient(url, worker)
                        .get("/mykit/get/secured")
                        .json()
                        .path("data")
                        .path("body")
                        .asString())
                .isEqualTo("b");
        Answer other = new OldClient(url, worker).post("/delay-queue", "{'command':'pop','topic':'t'}");
        assertThat(other.json().path("success").asBoolean(true)).as("%s", other).isFalse();
    }

    @Test
    void withoutTheClaimACallerHasAllQueues() {
        Api caller = server.api(ISSUER.token("ann", Map.of("scope", "delayjob.read")));

        assertThat(caller.get("/queues/anything").status()).isEqualTo(200);
        assertThat(with("delayjob.read", "one my-*").get("/queues/my-mail").status())
                .isEqualTo(200);
        assertThat(with("delayjob.read", List.of()).get("/queues/one").status()).isEqualTo(404);
        assertThat(with("delayjob.read", 7).get("/queues/one").problem()).isEqualTo("forbidden");
        assertThat(with("delayjob.read", List.of("a b")).get("/queues/one").problem())
                .isEqualTo("forbidden");
    }

    @Test
    void aTokenThatIsNotValidIsRefused() {
        String expired =
                ISSUER.token("ann", Instant.now().minus(Duration.ofHours(1)), Map.of("scope", "delayjob.read"));
        String forged = new WebTokenMaker().token("ann", Map.of("scope", "delayjob.admin"));

        for (String token : List.of("", "wrong", TestServer.ADMIN, expired, forged)) {
            Answer refused = server.api(token).get("/queues");
            assertThat(refused.status()).as("%s", refused).isEqualTo(401);
            assertThat(refused.problem()).as("%s", refused).isEqualTo("unauthenticated");
            assertThat(refused.response().headers().firstValue("Content-Type")).hasValue("application/problem+json");
            assertThat(refused.response().headers().firstValue("WWW-Authenticate"))
                    .isPresent();
        }
        assertThat(server.api(expired).get("/queues").json().path("detail").asString())
                .contains("expired");
    }

    @Test
    void noTokensAreMade() {
        DelayJobRedis redis = server.bean(DelayJobRedis.class);

        assertThat(redis.redisson().getKeys().countExists(redis.keyPrefix() + ":server:tokens"))
                .isZero();
        assertThat(with("delayjob.admin", List.of("*")).get("/tokens").status()).isEqualTo(404);
    }

    /** Also what Spring Security refuses elsewhere; Tomcat itself refuses encoded slashes. */
    @Test
    void anyIdCanBeInAPath() {
        Api caller = with("delayjob.admin", List.of("*"));
        String id = kind == TestServer.Kind.NETTY ? "a/b;c%d\\e" : "b;c%d";
        caller.post("/queues/ids/jobs", JOB.replace("{", "{\"id\": \"" + id.replace("\\", "\\\\") + "\", "));

        assertThat(caller.get("/queues/ids/jobs/" + URLEncoder.encode(id, StandardCharsets.UTF_8))
                        .json()
                        .path("id")
                        .asString())
                .isEqualTo(id);
        // For its own pages it still does. Tomcat then asks for the error page, which is for known callers.
        assertThat(status("http://127.0.0.1:" + server.port() + "/page%25"))
                .isEqualTo(kind == TestServer.Kind.NETTY ? 400 : 401);
    }

    @Test
    void limitsAndKeysAreTheCallers() {
        Api ann = with("delayjob.submit", List.of("*")).withKey("k");
        Api bob = server.api(ISSUER.token("bob", Map.of("scope", "delayjob.submit")))
                .withKey("k");

        String first = ann.post("/queues/keys/jobs", JOB).json().path("id").asString();

        assertThat(ann.post("/queues/keys/jobs", JOB).json().path("id").asString())
                .isEqualTo(first);
        assertThat(bob.post("/queues/keys/jobs", JOB).json().path("id").asString())
                .isNotEqualTo(first);
    }

    private static int status(String url, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HttpClient.newHttpClient()
                .sendAsync(request.build(), HttpResponse.BodyHandlers.discarding())
                .join()
                .statusCode();
    }

    /** The chain of the API must not take the place of the one that Boot makes for the rest. */
    @Test
    void theRestOfTheApplicationStaysProtected() {
        String page = "http://127.0.0.1:" + server.port() + "/page";

        assertThat(status(page)).isEqualTo(401);
        assertThat(status(page, "Authorization", "Bearer " + ISSUER.token("ann", Map.of())))
                .isEqualTo(200);
    }

    @Test
    void theApplicationsOwnChainDecides() {
        try (TestServer own = kind.startSecuredWithout(
                "org.springframework.security.oauth2",
                Passwords.class,
                "delayjob.server.security.authority-prefix=ROLE_jobs.")) {
            String url = "http://127.0.0.1:" + own.port();
            String password =
                    "Basic " + Base64.getEncoder().encodeToString("ann:secret".getBytes(StandardCharsets.UTF_8));

            assertThat(status(url + "/page")).isEqualTo(200);
            assertThat(status(url + "/api/v1/queues")).isEqualTo(401);
            assertThat(own.api().get("/queues").status()).isEqualTo(401);
            assertThat(status(url + "/api/v1/queues", "Authorization", password))
                    .isEqualTo(200);
        }
    }

    @Test
    void aBeanOfTheApplicationSaysWhatCallersMayDo() {
        try (TestServer own = kind.startSecured(Resolving.class, ISSUER.trustedBy(folder))) {
            Api ann = own.api(ISSUER.token("ann", Map.of()));

            assertThat(ann.post("/queues/ann-mail/jobs", JOB).status()).isEqualTo(201);
            assertThat(ann.post("/queues/bob-mail/jobs", JOB).status()).isEqualTo(404);
            assertThat(ann.get("/queues").status()).isEqualTo(403);
        }
    }

    @Test
    void tokensAndSpringSecurityCanDecideTogether() {
        try (TestServer both =
                kind.startSecured(Pages.class, ISSUER.trustedBy(folder), "delayjob.server.authentication=both")) {
            assertThat(both.api().get("/tokens").status()).isEqualTo(200);
            assertThat(both.api(ISSUER.token("ann", Map.of("scope", "delayjob.read")))
                            .get("/queues")
                            .status())
                    .isEqualTo(200);
            List<Integer> refused = new ArrayList<>();
            for (String token : List.of("", "wrong", new WebTokenMaker().token("ann", Map.of()))) {
                refused.add(both.api(token).get("/queues").status());
            }
            assertThat(refused).containsOnly(401);
        }
    }

    @Test
    void tokensCanDecideAlone() {
        try (TestServer tokens = kind.startSecured(Passwords.class, "delayjob.server.authentication=tokens")) {
            assertThat(tokens.api().get("/queues").status()).isEqualTo(200);
            assertThat(status(
                            "http://127.0.0.1:" + tokens.port() + "/api/v1/queues",
                            "Authorization",
                            "Basic "
                                    + Base64.getEncoder()
                                            .encodeToString("ann:secret".getBytes(StandardCharsets.UTF_8))))
                    .isEqualTo(401);
        }
    }

    @Test
    void withoutSpringSecurityItCannotDecide() {
        assertThatThrownBy(() -> kind.start("delayjob.server.authentication=spring-security"))
                .hasStackTraceContaining("delayjob.server.authentication is spring-security, but no Spring Security");
    }
}
