package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.server.Api.Answer;
import io.delayjob.server.internal.access.ValueRoles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

/** A caller who may not send a body, or the values of a query, is told so before they are read. */
@EachServer
@SuppressWarnings("NullAway.Init")
class ValueRolesIT {

    private static final String BASE = "/api/v1";
    private static final int LARGE = 8_000_000;

    @Parameter
    private TestServer.Kind kind;

    private TestServer server;
    private String reader;
    private String submitter;

    @BeforeParameterizedClassInvocation
    void start() {
        server = kind.start();
        reader = token("read");
        submitter = token("submit");
    }

    private String token(String role) {
        Answer made = server.api()
                .post("/tokens", "{\"name\": \"%1$s\", \"roles\": [\"%1$s\"], \"queues\": [\"mine\"]}".formatted(role));
        return made.json().path("token").asString();
    }

    @AfterParameterizedClassInvocation
    void stop() {
        server.close();
    }

    /** Methods and paths of the routes of the API that have a parameter. */
    private Set<String> served(Predicate<MethodParameter> has) {
        return server
                .beanOfRoutes("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .entrySet()
                .stream()
                .filter(route ->
                        Arrays.stream(route.getValue().getMethodParameters()).anyMatch(has))
                .flatMap(route -> named(route.getKey()))
                .filter(route -> !route.contains("/protocols/"))
                .collect(Collectors.toSet());
    }

    private static Stream<String> named(RequestMappingInfo route) {
        return route.getMethodsCondition().getMethods().stream()
                .flatMap(method -> route.getPatternsCondition().getPatterns().stream()
                        .map(path -> method + " " + path.getPatternString().replaceFirst("^" + BASE, "")));
    }

    private static boolean isBody(MethodParameter parameter) {
        return parameter.hasParameterAnnotation(RequestBody.class);
    }

    /** One of a query that can be malformed; any text is one of a route that takes text. */
    private static boolean isValue(MethodParameter parameter) {
        return parameter.hasParameterAnnotation(RequestParam.class)
                && !Set.of(String.class, Optional.class).contains(parameter.getParameterType());
    }

    @Test
    void everyRouteThatTakesABodyOrValuesHasRolesThatAreNeededToSendThem() {
        assertThat(ValueRoles.routes())
                .containsExactlyInAnyOrderElementsOf(served(parameter -> isBody(parameter) || isValue(parameter)));
    }

    @Test
    void aCallerWithoutTheRoleIsRefusedWhateverTheValuesOfItsQuery() {
        for (String route : served(ValueRolesIT::isValue)) {
            String query = "?limit=many&state=ROTTEN&dueFrom=soon&overdue=perhaps&count=few&queue=mine";
            String path = route.substring("GET ".length()).replaceAll("[{](id|name)[}]", "x") + query;
            assertThat(server.api(submitter)
                            .get(path.replace("{queue}", "mine"))
                            .status())
                    .as(route)
                    .isEqualTo(403);
            assertThat(server.api(reader).get(path.replace("{queue}", "mine")).status())
                    .as(route)
                    .isEqualTo(400);
            if (route.contains("{queue}")) {
                assertThat(server.api(reader)
                                .get(path.replace("{queue}", "others"))
                                .status())
                        .as(route)
                        .isEqualTo(404);
            }
        }
    }

    @Test
    void aCallerWithoutTheRoleIsRefusedBeforeItsBodyComes() throws IOException {
        for (String route : served(ValueRolesIT::isBody)) {
            if (route.startsWith("POST ")) {
                String path = route.substring("POST ".length())
                        .replace("{queue}", "mine")
                        .replaceAll("[{]\\w+[}]", "x");
                assertRefused(BASE + path, 403);
            }
        }
    }

    @Test
    void aQueueThatTheCallerDoesNotKnowIsNotFoundBeforeTheBodyComes() throws IOException {
        assertRefused(BASE + "/queues/others/jobs", 404);
        assertRefused(BASE + "/queues/oth%65rs/jobs", 404);
    }

    @Test
    void aBodyIsNotReadForTheSakeOfAKey() throws IOException {
        assertRefused(BASE + "/queues/mine/jobs", 403, "Idempotency-Key: k");
        assertThat(server.api().get("/queues/mine").json().path("delayed").asInt())
                .isZero();
    }

    @Test
    void olderProtocolsRefuseBeforeTheBodyComes() throws IOException {
        assertRefused("/protocols/delay-queue", 403);
        assertRefused("/protocols/mykit/push", 403);
    }

    private void assertRefused(String path, int status, String... headers) throws IOException {
        try (RawCaller caller = RawCaller.posting(server.port(), path, reader, LARGE, headers)) {
            assertThat(caller.status()).as(path).isEqualTo(status);
        }
    }

    /** A body that comes nevertheless is thrown away as it comes; a servlet container says that it ends the connection. */
    @Test
    void aRefusedBodyIsTakenAndTheConnectionServesOn() throws IOException {
        byte[] objects = "{},".repeat(300_000).getBytes(StandardCharsets.US_ASCII);
        try (RawCaller caller = RawCaller.posting(server.port(), BASE + "/queues/mine/jobs", reader, objects.length)) {
            assertThat(caller.status()).isEqualTo(403);
            if (kind != TestServer.Kind.NETTY) {
                caller.await("Connection: close");
                return;
            }
            caller.send(objects);
            caller.send("GET /api/v1/queues/mine HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + reader + "\r\n\r\n");
            caller.await("HTTP/1.1 200 ");
        }
    }
}
