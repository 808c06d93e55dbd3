package io.delayjob.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobClaims;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.server.Api.Answer;
import io.delayjob.testing.KeptConnections;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.Variants;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** An application on Spring MVC, with a context path, that embeds the API: each is as it would be without the other. */
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpringMvcIT {

    private static final String JOB = "{\"id\": \"a\", \"topic\": \"t\", \"delay\": \"PT0S\"}";

    /** Fifty times the threads of the container. */
    private static final int PARKED = 500;

    private static final Pattern CSRF = Pattern.compile("name=\"_csrf\" type=\"hidden\" value=\"([^\"]+)\"");

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private TestServer server;
    private Api api;

    /** The application's own routes. */
    @RestController
    static class Shop {

        record Order(String orderId, String seenBy) {}

        @GetMapping("/orders")
        Order order(@ModelAttribute("tenant") String tenant) {
            return new Order("o-1", tenant);
        }

        @GetMapping("/broken")
        Order broken() {
            throw new UnsupportedOperationException("broken");
        }

        @GetMapping("/refused")
        Order refused() {
            throw new IllegalArgumentException("refused");
        }
    }

    /** Applies to every controller of Spring MVC. */
    @ControllerAdvice
    static class Advice {

        @ModelAttribute("tenant")
        String tenant(HttpServletRequest request) {
            return "tenant of " + request.getServletPath();
        }

        @ExceptionHandler
        ResponseEntity<String> refused(IllegalArgumentException failure) {
            return ResponseEntity.status(418).body("mine");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Host {

        @Bean
        Shop shop() {
            return new Shop();
        }

        @Bean
        Advice advice() {
            return new Advice();
        }

        @Bean
        Filter filter() {
            return (request, response, chain) -> {
                ((HttpServletResponse) response).setHeader("X-Shop", "1");
                chain.doFilter(request, response);
            };
        }
    }

    /** Its pages have a login, a session and CSRF tokens; the API has passwords. */
    @Configuration(proxyBeanMethods = false)
    static class Secured extends Host {

        @Bean
        @org.springframework.core.annotation.Order(1)
        SecurityFilterChain jobs(HttpSecurity http) {
            return http.securityMatcher("/api/v1/**")
                    .csrf(AbstractHttpConfigurer::disable)
                    .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                    .authorizeHttpRequests(all -> all.anyRequest().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @Bean
        SecurityFilterChain pages(HttpSecurity http) {
            return http.authorizeHttpRequests(all -> all.anyRequest().authenticated())
                    .formLogin(Customizer.withDefaults())
                    .build();
        }

        @Bean
        InMemoryUserDetailsManager users() {
            return new InMemoryUserDetailsManager(User.withUsername("ann")
                    .password("{noop}secret")
                    .authorities("jobs.submit", "jobs.work")
                    .build());
        }
    }

    /** Keeps what every claim of the API was answered with, to see it cancelled. */
    static class Overheard implements BeanPostProcessor {

        private static final Queue<CompletableFuture<?>> CLAIMS = new ConcurrentLinkedQueue<>();

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return bean instanceof DelayJobClaims
                    ? Proxy.newProxyInstance(
                            DelayJobClaims.class.getClassLoader(),
                            new Class<?>[] {DelayJobClaims.class},
                            (proxy, method, arguments) -> overhear(method.invoke(bean, arguments)))
                    : bean;
        }

        private static Object overhear(Object answer) {
            if (answer instanceof CompletableFuture<?> claim) {
                CLAIMS.add(claim);
            }
            return answer;
        }
    }

    @BeforeAll
    void start() {
        server = TestServer.Kind.TOMCAT.startWith(
                Host.class,
                "server.servlet.context-path=/shop",
                "server.tomcat.threads.max=10",
                "server.compression.enabled=true",
                "server.compression.min-response-size=100B",
                "spring.jackson.property-naming-strategy=SNAKE_CASE",
                "management.endpoints.web.exposure.include=health,metrics,mappings");
        api = apiOf(server);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private static Api apiOf(TestServer server) {
        return new Api(server.api().url() + "/shop", TestServer.ADMIN);
    }

    private HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(server.api().url() + "/shop" + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return KeptConnections.send(HTTP, request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void theApplicationIsAsBefore() throws Exception {
        HttpResponse<String> order = get("/orders");

        assertThat(order.body()).isEqualTo("{\"order_id\":\"o-1\",\"seen_by\":\"tenant of /orders\"}");
        assertThat(order.headers().firstValue("X-Shop")).hasValue("1");
        assertThat(get("/refused").body()).isEqualTo("mine");
    }

    @Test
    void itsErrorPagesAreAsBefore() throws Exception {
        HttpResponse<String> broken = get("/broken", "Accept", "application/json");
        HttpResponse<String> page = get("/broken", "Accept", "text/html");
        HttpResponse<String> unknown = get("/api/v2/queues", "Accept", "application/json");

        assertThat(broken.statusCode()).isEqualTo(500);
        assertThat(broken.body()).contains("\"path\":\"/shop/broken\"", "Internal Server Error");
        assertThat(page.body()).contains("Whitelabel Error Page");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body()).contains("\"path\":\"/shop/api/v2/queues\"");
    }

    @Test
    void neitherServesTheRoutesOfTheOther() throws Exception {
        Answer theirs = api.get("/orders");

        assertThat(theirs.status()).isEqualTo(404);
        assertThat(theirs.response().headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(get("/queues").statusCode()).isEqualTo(404);
        assertThat(server.bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                        .getHandlerMethods()
                        .values())
                .noneMatch(method -> method.getBeanType().getName().startsWith("io.delayjob.server.internal"));
    }

    /** Strict where the application is not, and in no naming strategy of its. */
    @Test
    void theApiHasItsOwnJsonAndErrors() {
        Answer stored = api.post("/queues/own-json/jobs", "{\"topic\": \"t\", \"dueAt\": \"2099-01-01T00:00:00Z\"}");
        Answer refused = api.post("/queues/own-json/jobs", "{\"topic\": \"t\", \"due_at\": \"2099-01-01T00:00:00Z\"}");

        assertThat(stored.json().path("dueAt").asString()).isEqualTo("2099-01-01T00:00:00Z");
        assertThat(refused.problem()).isEqualTo("invalid-body");
    }

    @Test
    void theActuatorIsThereAndCountsRequestsByTheirRoute() throws Exception {
        api.post("/queues/counted/jobs", JOB);
        api.get("/queues/counted");
        get("/orders");

        await().untilAsserted(() -> assertThat(get("/actuator/health").body()).contains("UP"));
        await().untilAsserted(() -> assertThat(
                        get("/actuator/metrics/http.server.requests").body())
                .contains("\"/api/v1/queues/{queue}/jobs\"", "\"/api/v1/queues/{queue}\"", "\"/orders\"")
                .doesNotContain("counted"));
    }

    @Test
    void answersAreCompressedAsTheContainerIsTold() throws Exception {
        api.post("/queues/compressed/jobs", JOB);

        HttpResponse<String> listed =
                get("/api/v1/queues", "Authorization", "Bearer " + TestServer.ADMIN, "Accept-Encoding", "gzip");

        assertThat(listed.headers().firstValue("Content-Encoding")).hasValue("gzip");
    }

    @Test
    void claimsThatWaitTakeNoThreads() {
        api.post("/queues/parked/jobs", "{\"topic\": \"t\", \"delay\": \"PT1H\"}");
        List<CompletableFuture<Answer>> claims = IntStream.range(0, PARKED)
                .mapToObj(i -> api.postAsync("/queues/parked/claims", "{\"wait\": \"PT60S\"}"))
                .toList();
        await().until(() -> api.get("/nodes").json().findValuesAsString("queue").contains("parked"));

        String jobs = Stream.generate(() -> "{\"topic\": \"t\", \"delay\": \"PT0S\"}")
                .limit(PARKED)
                .collect(java.util.stream.Collectors.joining(","));
        assertThat(api.post("/queues/parked/jobs/batch", "{\"jobs\": [" + jobs + "]}")
                        .status())
                .isEqualTo(200);

        assertThat(claims)
                .allSatisfy(claim -> assertThat(
                                claim.orTimeout(120, SECONDS).join().json().path("jobs"))
                        .hasSize(1));
    }

    private Socket claiming(TestServer at, String path, String wait, String next) throws IOException {
        Socket worker = new Socket(InetAddress.getLoopbackAddress(), at.port());
        String body = "{\"wait\": \"" + wait + "\"}";
        write(
                worker,
                "POST " + path
                        + "/claims HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer "
                        + TestServer.ADMIN + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body + next);
        return worker;
    }

    private static void write(Socket worker, String text) throws IOException {
        worker.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** The container notices it only when it is asked. */
    @Test
    void aClaimWhoseCallerHungUpIsCancelledThoughNoJobComes() throws IOException {
        Overheard.CLAIMS.clear();
        try (TestServer overheard = TestServer.Kind.TOMCAT.startWith(Overheard.class)) {
            try (Socket worker = claiming(overheard, "/api/v1/queues/nobody", "PT60S", "")) {
                await().until(() -> worker.isConnected() && Overheard.CLAIMS.size() == 1);
                await().during(3, SECONDS)
                        .until(() -> !Overheard.CLAIMS.element().isDone());
            }

            await().until(() -> Overheard.CLAIMS.element().isCancelled());
        }
    }

    /** How many bytes of the next request come together with the claim. */
    static Stream<Integer> together() {
        return Variants.of(30, List.of(0, 1000));
    }

    /** Its bytes are where the container looks for the end of the connection, some together with the claim, some later. */
    @Tag(Variants.TAG)
    @ParameterizedTest
    @MethodSource("together")
    void theNextRequestOnTheConnectionIsNoHangUp(int together) throws IOException {
        String next = "GET /shop/orders HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        String first = next.substring(0, Math.min(together, next.length()));
        String queue = "/queues/pipelined-" + together;
        try (Socket worker = claiming(server, "/shop/api/v1" + queue, "PT60S", first)) {
            await().during(1, SECONDS).until(() -> worker.getInputStream().available() == 0);
            write(worker, next.substring(first.length()));
            await().during(2, SECONDS).until(() -> worker.getInputStream().available() == 0);
            assertThat(api.post(queue + "/jobs", JOB).status()).isEqualTo(201);

            String answers = new String(worker.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

            assertThat(answers).containsSubsequence("\"id\":\"a\"", "order_id");
        }
    }

    private static HttpRequest.Builder to(TestServer server, String path) {
        return HttpRequest.newBuilder(URI.create(server.api().url() + path));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return KeptConnections.send(HTTP, request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String hidden(HttpResponse<String> page) {
        Matcher token = CSRF.matcher(page.body());
        assertThat(token.find()).as(page.body()).isTrue();
        return token.group(1);
    }

    private static HttpRequest.Builder form(TestServer server, String path, String cookie, String fields) {
        return to(server, path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Cookie", cookie)
                .POST(HttpRequest.BodyPublishers.ofString(fields));
    }

    private static String cookie(HttpResponse<String> answer) {
        return answer.headers().firstValue("Set-Cookie").orElseThrow().replaceFirst(";.*", "");
    }

    @Test
    void theLoginOfItsPagesAndTheCallersOfTheApiStayApart() throws Exception {
        try (TestServer shop =
                TestServer.Kind.TOMCAT.startSecured(Secured.class, "delayjob.server.security.authority-prefix=jobs.")) {
            String ann = "Basic " + Base64.getEncoder().encodeToString("ann:secret".getBytes(StandardCharsets.UTF_8));
            Api jobs = new Api(shop.api().url(), "").withHeader("Authorization", ann);

            assertThat(jobs.post("/queues/q/jobs", JOB).status()).isEqualTo(201);
            Answer claimed = jobs.post("/queues/q/claims", "{\"wait\": \"PT60S\"}");
            assertThat(claimed.json().path("jobs")).hasSize(1);
            assertThat(claimed.response().headers().map()).doesNotContainKey("set-cookie");
            assertThat(jobs.post("/queues/q/claims", "{\"wait\": \"PT0.3S\"}")
                            .response()
                            .body())
                    .isEqualTo("{\"jobs\":[]}");
            assertThat(jobs.get("/queues").json().path("detail").asString())
                    .contains("caller 'ann' needs the role read");

            assertThat(send(to(shop, "/orders")).headers().firstValue("Location"))
                    .hasValueSatisfying(location -> assertThat(location).endsWith("/login"));
            HttpResponse<String> login = send(to(shop, "/login"));
            String fields = "username=ann&password=secret";
            HttpResponse<String> forged = send(form(shop, "/login", cookie(login), fields));
            assertThat(forged.headers().firstValue("Location"))
                    .hasValueSatisfying(location -> assertThat(location).endsWith("/login"));
            HttpResponse<String> in = send(form(shop, "/login", cookie(login), fields + "&_csrf=" + hidden(login)));
            assertThat(send(to(shop, "/orders").header("Cookie", cookie(in))).body())
                    .contains("o-1");
            assertThat(send(to(shop, "/api/v1/queues").header("Cookie", cookie(in)))
                            .statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void itCanBeSwitchedOff() {
        try (TestServer without = TestServer.Kind.TOMCAT.start("delayjob.server.enabled=false")) {
            assertThat(without.api().get("/queues").status()).isEqualTo(404);
        }
    }

    static Stream<TestServer.Kind> containers() {
        return Variants.of(TestServer.Kind.TOMCAT, List.of(TestServer.Kind.JETTY));
    }

    @Tag(Variants.TAG)
    @ParameterizedTest
    @MethodSource("containers")
    void aStoppingApplicationAnswersTheClaimsThatWait(TestServer.Kind kind) {
        CompletableFuture<Answer> claim;
        try (TestServer stopping = kind.start()) {
            stopping.api().post("/queues/life/jobs", JOB);
            Answer claimed = stopping.api().post("/queues/life/claims", "{\"wait\": \"PT60S\"}");
            assertThat(claimed.json().path("jobs")).hasSize(1);
            claim = stopping.api().postAsync("/queues/life/claims", "{\"wait\": \"PT60S\"}");
            DelayJobEngine engine = stopping.bean(DelayJobEngine.class);
            await().until(() -> engine.claimVitals().waiting() == 1);
        }

        assertThat(claim.orTimeout(120, SECONDS).join().response().body()).isEqualTo("{\"jobs\":[]}");
    }
}
