package io.delayjob.server.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** The OpenAPI document that is made of the routes is the one in docs, and breaks no client of it. {@link ServerIT} asks the program for it. */
class OpenApiIT {

    private static final Path PUBLISHED = Path.of("../../docs/openapi.json");
    private static final JsonMapper JSON = JsonMapper.shared();

    @TempDir
    Path folder;

    @Test
    void isAsPublished() throws Exception {
        String made = made();
        JsonNode now = JSON.readTree(made);
        if (Boolean.getBoolean("delayjob.docs.write")) {
            if (Files.exists(PUBLISHED) && !Boolean.getBoolean("delayjob.docs.break")) {
                assertThat(breaks(JSON.readTree(Files.readString(PUBLISHED)), now))
                        .isEmpty();
            }
            Files.writeString(PUBLISHED, made + "\n");
        }
        JsonNode published = JSON.readTree(Files.readString(PUBLISHED));
        assertThat(breaks(published, now))
                .as("changes that break clients; they need another version of the API")
                .isEmpty();
        assertThat(now).as("write it again with -Ddelayjob.docs.write=true").isEqualTo(published);
    }

    /** The document that springdoc makes of the routes of a server in this JVM. */
    private String made() throws Exception {
        try (ConfigurableApplicationContext server = new SpringApplicationBuilder(ServerApplication.class)
                .profiles("openapi")
                .run("--server.port=0", "--embedded-redis.folder=" + folder)) {
            URI made = URI.create(
                    "http://localhost:" + server.getEnvironment().getProperty("local.server.port") + "/made/openapi");
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(made).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            return answer.body();
        }
    }

    /** Changes that break a client of the old document: something is gone, or differs, or is newly required of it. */
    private static List<String> breaks(JsonNode old, JsonNode now) {
        return breaks(old, now, "", ofClients(now));
    }

    /** The schemas of what clients send. */
    private static Set<String> ofClients(JsonNode document) {
        Set<String> sent = new TreeSet<>();
        document.path("paths").findValues("requestBody").forEach(body -> follow(document, body, sent));
        return sent;
    }

    private static void follow(JsonNode document, JsonNode from, Set<String> sent) {
        for (String reference : from.findValuesAsString("$ref")) {
            if (sent.add(reference.substring(1))) {
                follow(document, document.at(reference.substring(1)), sent);
            }
        }
    }

    /** A parameter that is new must not be required. */
    private static List<String> breaksOfParameters(JsonNode old, JsonNode now, String place, Set<String> sent) {
        Map<String, JsonNode> before = byName(old);
        Map<String, JsonNode> after = byName(now);
        List<String> broken = new ArrayList<>();
        before.forEach((name, parameter) -> broken.addAll(
                breaks(parameter, after.getOrDefault(name, MissingNode.getInstance()), place + "/" + name, sent)));
        after.forEach((name, parameter) -> {
            if (!before.containsKey(name) && parameter.path("required").asBoolean(false)) {
                broken.add(place + " now has the required " + name);
            }
        });
        return broken;
    }

    private static Map<String, JsonNode> byName(JsonNode parameters) {
        Map<String, JsonNode> byName = new TreeMap<>();
        parameters.forEach(one ->
                byName.put(one.path("in").asString("") + " " + one.path("name").asString(""), one));
        return byName;
    }

    private static List<String> breaks(JsonNode old, JsonNode now, String place, Set<String> sent) {
        List<String> broken = new ArrayList<>();
        if (old.isObject() && now.isObject()) {
            for (String name : old.propertyNames()) {
                if (!name.equals("description")) {
                    broken.addAll(breaks(old.get(name), now.path(name), place + "/" + name, sent));
                }
            }
        } else if (place.endsWith("/parameters") && now.isArray()) {
            broken.addAll(breaksOfParameters(old, now, place, sent));
        } else if (place.endsWith("/required") && now.isArray()) {
            boolean isSent = sent.contains(place.replace("/required", ""));
            TreeSet<String> changed = new TreeSet<>(values(isSent ? now : old));
            changed.removeAll(values(isSent ? old : now));
            changed.forEach(name -> broken.add(place + (isSent ? " now has " : " has no more ") + name));
        } else if (place.endsWith("/enum") && now.isArray()) {
            TreeSet<String> gone = new TreeSet<>(values(old));
            gone.removeAll(values(now));
            gone.forEach(name -> broken.add(place + " has no " + name + " any more"));
        } else if (!old.equals(now)) {
            broken.add(place + " was " + old + " and is " + now);
        }
        return broken;
    }

    private static List<String> values(JsonNode array) {
        List<String> values = new ArrayList<>();
        array.forEach(value -> values.add(value.asString()));
        return values;
    }
}
