package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.server.Api.Answer;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.Variants;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Mono;

/** The paths of the API and of the older protocols beside routes of the application. */
@RealRedis
@Tag(Variants.TAG)
class PathsIT {

    @RestController
    static class Shop {

        @GetMapping("/api/v1/customers/{id}")
        String customer(@PathVariable String id) {
            return "customer " + id;
        }
    }

    /** A router function of each stack; an application serves that of its own. */
    @Configuration(proxyBeanMethods = false)
    static class Functions {

        @Bean
        org.springframework.web.reactive.function.server.RouterFunction<
                        org.springframework.web.reactive.function.server.ServerResponse>
                reactive() {
            return org.springframework.web.reactive.function.server.RouterFunctions.route()
                    .path(
                            "/api",
                            api -> api.nest(
                                    org.springframework.web.reactive.function.server.RequestPredicates.path("/v1"),
                                    v1 -> v1.GET(
                                            "/suppliers/{id}",
                                            request ->
                                                    org.springframework.web.reactive.function.server.ServerResponse.ok()
                                                            .build())))
                    .build();
        }

        @Bean
        org.springframework.web.servlet.function.RouterFunction<org.springframework.web.servlet.function.ServerResponse>
                servlet() {
            return org.springframework.web.servlet.function.RouterFunctions.route()
                    .path(
                            "/api",
                            api -> api.nest(
                                    org.springframework.web.servlet.function.RequestPredicates.path("/v1"),
                                    v1 -> v1.GET(
                                            "/suppliers/{id}",
                                            request -> org.springframework.web.servlet.function.ServerResponse.ok()
                                                    .build())))
                    .build();
        }
    }

    /** A handler that is mapped to a path in each stack. */
    @Configuration(proxyBeanMethods = false)
    static class Mapped {

        @Bean
        org.springframework.web.reactive.handler.SimpleUrlHandlerMapping reactive() {
            return new org.springframework.web.reactive.handler.SimpleUrlHandlerMapping(
                    Map.of("/api/v1/tills", (WebHandler) exchange -> Mono.empty()));
        }

        @Bean
        org.springframework.web.servlet.handler.SimpleUrlHandlerMapping servlet() {
            return new org.springframework.web.servlet.handler.SimpleUrlHandlerMapping(
                    Map.of("/api/v1/tills", (HttpRequestHandler) (request, response) -> {}));
        }
    }

    private static Answer ask(TestServer server, String method, String path, String token, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return Answer.of(HttpClient.newHttpClient()
                .sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
                .join());
    }

    @ParameterizedTest
    @MethodSource("io.delayjob.server.TestServer#stacks")
    void anApplicationWithARouteUnderThePathOfTheApiDoesNotStartAndIsToldWhatToDo(TestServer.Kind kind) {
        assertThatThrownBy(() -> kind.startWith(Shop.class).close())
                .hasMessageContaining("/api/v1/customers/{id}")
                .hasMessageContaining("Shop#customer")
                .hasMessageContaining("let delayjob.server.path name another path, such as /delayjob/api/v1");
    }

    @ParameterizedTest
    @MethodSource("io.delayjob.server.TestServer#kinds")
    void routerFunctionsAndMappedHandlersAreRoutesToo(TestServer.Kind kind) {
        assertThatThrownBy(() -> kind.startWith(Functions.class).close())
                .hasMessageContaining(
                        "own route /api/v1/suppliers/{id} (router function (GET && /suppliers/{id})) is under the path /api/v1");
        assertThatThrownBy(() -> kind.startWith(Mapped.class).close())
                .hasMessageContaining("own route /api/v1/tills (" + PathsIT.class.getName())
                .hasMessageContaining("is under the path /api/v1");
        kind.startWith(Functions.class, "delayjob.server.path=/delayjob/api/v1").close();
    }

    @ParameterizedTest
    @MethodSource("io.delayjob.server.TestServer#stacks")
    void theApiIsServedUnderAnotherPathWithItsRules(TestServer.Kind kind) {
        try (TestServer server = kind.startWith(
                Shop.class,
                "delayjob.server.path=/delayjob/api/v1",
                "delayjob.server.protocols.delay-queue.enabled=false")) {
            assertThat(ask(server, "GET", "/api/v1/customers/7", "", "").toString())
                    .isEqualTo("200 customer 7");
            assertThat(ask(server, "GET", "/api/v1/queues", TestServer.ADMIN, "")
                            .status())
                    .isEqualTo(404);
            assertThat(ask(server, "POST", "/protocols/delay-queue", TestServer.ADMIN, "{}")
                            .status())
                    .isEqualTo(404);

            String api = "/delayjob/api/v1";
            String job = "{\"id\": \"1\", \"topic\": \"t\", \"delay\": \"PT1H\"}";
            assertThat(ask(server, "POST", api + "/queues/q/jobs", "", job).status())
                    .isEqualTo(401);
            assertThat(ask(server, "POST", api + "/queues/q/jobs", TestServer.ADMIN, job)
                            .status())
                    .isEqualTo(201);
            assertThat(ask(server, "GET", api + "/queues/q/jobs/1", TestServer.ADMIN, "")
                            .status())
                    .isEqualTo(200);
            assertThat(ask(server, "GET", "/%64elayjob/api/v1/queues", TestServer.ADMIN, "")
                            .problem())
                    .isEqualTo("invalid-value");
            assertThat(ask(server, "GET", api + "/nothing", TestServer.ADMIN, "")
                            .problem())
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @MethodSource("io.delayjob.server.TestServer#stacks")
    void aPathThatIsNoneIsRefusedAtTheStart(TestServer.Kind kind) {
        assertThatThrownBy(() -> kind.start("delayjob.server.path=jobs").close())
                .rootCause()
                .hasMessageContaining("delayjob.server.path must be one or more parts, such as /api/v1: 'jobs'");
    }
}
