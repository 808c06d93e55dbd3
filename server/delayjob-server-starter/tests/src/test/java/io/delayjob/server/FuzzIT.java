package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.server.Api.Answer;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.Variants;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Random requests to every route of the OpenAPI document: bodies of the right shape whose values are often wrong, and names that are no
 * names. None makes the server fail, and one that is refused stores nothing.
 */
@Tag(Variants.TAG)
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FuzzIT {

    private static final int REQUESTS = Variants.tries(12, 60);
    private static final long SEED = Long.getLong("delayjob.fuzz.seed", 20_261_122);
    private static final JsonMapper JSON = JsonMapper.shared();

    /** Texts that are valid somewhere, and texts that are valid nowhere. */
    private static final List<String> TEXTS = List.of(
            "q",
            "a",
            "complete",
            "retry",
            "cancel",
            "UNTIL_STARTED",
            "WINDOW",
            "DELAYED",
            "read",
            "PT1S",
            "PT0S",
            "PT59S",
            "-PT1S",
            "PT99999999999999H",
            "P1D",
            "2099-01-01T00:00:00Z",
            "+999999999-12-31T23:59:59Z",
            "10000-01-01T00:00:00Z",
            "",
            " ",
            "\u0000",
            "a\nb",
            "{}",
            "}:0{",
            "../x",
            "%",
            "'\"",
            "\ud83d\ude00",
            "\ud83d",
            "x".repeat(5000),
            "null",
            "0");

    private static final List<String> NUMBERS = List.of(
            "0",
            "1",
            "-1",
            "10",
            "1000",
            "1001",
            "2147483648",
            "9223372036854775808",
            "1.5",
            "-0.0",
            "1e400",
            "1e-400");

    private static final JsonNode DOCUMENT = read();

    private final Random random = new Random(SEED);
    private TestServer server;
    private Api api;

    @BeforeAll
    void start() {
        server = TestServer.start(
                "delayjob.journal.mode=transactional", "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID());
        api = server.api();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private static JsonNode read() {
        try {
            return JSON.readTree(Files.readString(Path.of("../../../docs/openapi.json")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<Arguments> routes() {
        return DOCUMENT.path("paths")
                .propertyStream()
                .flatMap(path -> path.getValue()
                        .propertyStream()
                        .map(method -> Arguments.of(method.getKey().toUpperCase(Locale.ROOT), path.getKey())));
    }

    @ParameterizedTest
    @MethodSource("routes")
    void noRequestMakesTheServerFail(String method, String path) {
        JsonNode operation = DOCUMENT.path("paths").path(path).path(method.toLowerCase(Locale.ROOT));
        for (int i = 0; i < REQUESTS; i++) {
            String target = target(path, operation);
            String body = operation.has("requestBody") ? body(operation) : null;
            boolean submits = path.endsWith("/jobs") || path.endsWith("/batch");
            long before = submits ? stored() : 0;

            Answer answer = api.send(method, target, body);

            String sent = "seed %d: %s %s %s".formatted(SEED, method, target, shown(body));
            assertThat(answer.status()).as("%s -> %s", sent, answer).isLessThan(500);
            if (answer.status() >= 400) {
                assertThat(answer.response().headers().firstValue("Content-Type"))
                        .as(sent)
                        .hasValue("application/problem+json");
                assertThat(answer.response().body()).as(sent).doesNotContain("Exception", "\tat ", "io.delayjob");
                assertThat(submits ? stored() : 0).as("%s -> %s", sent, answer).isEqualTo(before);
            }
        }
    }

    private static String shown(@Nullable String body) {
        return body == null ? "" : body.substring(0, Math.min(300, body.length()));
    }

    private long stored() {
        long stored = 0;
        for (JsonNode queue : api.get("/queues").json().path("queues")) {
            stored += queue.path("delayed").asLong()
                    + queue.path("ready").asLong()
                    + queue.path("reserved").asLong();
        }
        return stored;
    }

    private String target(String path, JsonNode operation) {
        StringBuilder query = new StringBuilder();
        String target = path.substring("/api/v1".length());
        for (JsonNode parameter : operation.path("parameters")) {
            String name = parameter.path("name").asString();
            String value = URLEncoder.encode(pathText(), StandardCharsets.UTF_8).replace("+", "%20");
            if (parameter.path("in").asString().equals("path")) {
                target = target.replace("{" + name + "}", value.isEmpty() || value.equals("..") ? "x" : value);
            } else if (random.nextBoolean()) {
                query.append(query.isEmpty() ? '?' : '&')
                        .append(name)
                        .append('=')
                        .append(value);
            }
        }
        return target + query;
    }

    /** Without what the test's client cannot send: half a character, and a line that is longer than a server takes. */
    private String pathText() {
        String text = one(TEXTS);
        return text.equals("\ud83d") ? "x" : text.substring(0, Math.min(500, text.length()));
    }

    private String body(JsonNode operation) {
        JsonNode schema = operation
                .path("requestBody")
                .path("content")
                .path("application/json")
                .path("schema");
        String body = value(schema, 0);
        return random.nextInt(20) == 0 ? body.substring(0, random.nextInt(body.length() + 1)) : body;
    }

    private String value(JsonNode schema, int depth) {
        if (schema.has("$ref")) {
            String name = schema.path("$ref").asString().replaceAll(".*/", "");
            return value(DOCUMENT.path("components").path("schemas").path(name), depth);
        }
        if (depth > 6 || random.nextInt(12) == 0) {
            return anything();
        }
        return switch (schema.path("type").asString("")) {
            case "object" -> object(schema, depth);
            case "array" -> array(schema.path("items"), depth);
            case "integer", "number" -> one(NUMBERS);
            case "boolean" -> String.valueOf(random.nextBoolean());
            case "string" -> text(schema);
            default -> anything();
        };
    }

    private String object(JsonNode schema, int depth) {
        StringBuilder object = new StringBuilder("{");
        schema.path("properties").propertyStream().forEach(property -> {
            boolean required = schema.path("required").toString().contains("\"" + property.getKey() + "\"");
            if (random.nextInt(required ? 20 : 3) > 0 == required) {
                field(object, property.getKey(), value(property.getValue(), depth + 1));
            }
        });
        if (random.nextInt(15) == 0) {
            field(object, "unknown", anything());
        }
        return object.append('}').toString();
    }

    private static void field(StringBuilder object, String name, String value) {
        object.append(object.length() > 1 ? "," : "")
                .append(JSON.writeValueAsString(name))
                .append(':')
                .append(value);
    }

    private String array(JsonNode items, int depth) {
        StringBuilder array = new StringBuilder("[");
        for (int i = random.nextInt(4); i > 0; i--) {
            array.append(array.length() > 1 ? "," : "").append(value(items, depth + 1));
        }
        return array.append(']').toString();
    }

    private String text(JsonNode schema) {
        JsonNode values = schema.path("enum");
        String text = values.isEmpty() || random.nextInt(5) == 0
                ? one(TEXTS)
                : values.get(random.nextInt(values.size())).asString();
        return JSON.writeValueAsString(text.equals("\ud83d") ? "half" : text);
    }

    private String anything() {
        return one(List.of("null", "true", "[]", "{}", "[[[]]]", "{\"a\":1}", "\"x\"", one(NUMBERS)));
    }

    private <T> T one(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
