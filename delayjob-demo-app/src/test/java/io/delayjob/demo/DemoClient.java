package io.delayjob.demo;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.StringNode;

/** A user of the demo at a port of this machine. */
final class DemoClient {

    private static final JsonMapper JSON = new JsonMapper();

    private final RestClient http = RestClient.create();
    private final String api;
    private final String actuator;

    DemoClient(int port) {
        this.api = "http://localhost:" + port + "/api";
        this.actuator = "http://localhost:" + port + "/actuator";
    }

    /** Submits with GET. */
    Reply submit(String query) {
        return send(HttpMethod.GET, "/delayJob/producer?" + query);
    }

    /** Submits with POST. */
    Reply post(MediaType type, String body) {
        return http.post()
                .uri(URI.create(api + "/delayJob/producer"))
                .contentType(type)
                .body(body)
                .exchange((request, response) -> reply(response));
    }

    Reply job(String id) {
        return send(HttpMethod.GET, "/delayJob/jobs/" + id);
    }

    Reply cancel(String id) {
        return send(HttpMethod.DELETE, "/delayJob/jobs/" + id);
    }

    Reply explanation(String id) {
        return send(HttpMethod.GET, "/delayJob/jobs/" + id + "/explanation");
    }

    /** Takes an order. */
    Reply order(String query) {
        return send(HttpMethod.POST, "/orders" + query);
    }

    Reply orderOf(String id) {
        return send(HttpMethod.GET, "/orders/" + id);
    }

    Reply pay(String id) {
        return send(HttpMethod.POST, "/orders/" + id + "/payment");
    }

    Reply summary() {
        return send(HttpMethod.GET, "/orders/summary");
    }

    Reply countNow() {
        return send(HttpMethod.POST, "/orders/summary");
    }

    /** Asks the actuator. */
    Reply actuator(HttpMethod method, String path, @Nullable String body) {
        RestClient.RequestBodySpec request = http.method(method).uri(URI.create(actuator + path));
        if (body != null) {
            request.contentType(MediaType.APPLICATION_JSON).body(body);
        }
        return request.exchange((asked, response) -> reply(response));
    }

    /** The meters, as Prometheus reads them. */
    String meters() {
        return Objects.requireNonNull(
                http.get().uri(URI.create(actuator + "/prometheus")).retrieve().body(String.class));
    }

    Reply executions(String query) {
        return send(HttpMethod.GET, "/delayJob/executions" + query);
    }

    /** The attempts at a job that this process has seen, newest first. */
    List<JsonNode> attempts(String id) {
        return executions("")
                .body()
                .valueStream()
                .filter(attempt -> attempt.path("id").asString().equals(id))
                .toList();
    }

    /** The latest attempt, if it ended or goes on in this way. */
    Optional<JsonNode> latest(String id, String outcome) {
        return attempts(id).stream()
                .findFirst()
                .filter(attempt -> attempt.path("outcome").asString().equals(outcome));
    }

    private Reply send(HttpMethod method, String pathAndQuery) {
        return http.method(method).uri(URI.create(api + pathAndQuery)).exchange((request, response) -> reply(response));
    }

    private static Reply reply(ClientHttpResponse response) throws IOException {
        String type = String.valueOf(response.getHeaders().getContentType());
        return new Reply(response.getStatusCode().value(), type, body(type, response.getBody()));
    }

    /** Tomcat refuses some addresses itself, with a page. */
    private static JsonNode body(String type, InputStream body) throws IOException {
        return type.startsWith("text/html")
                ? StringNode.valueOf(new String(body.readAllBytes(), StandardCharsets.UTF_8))
                : JSON.readTree(body);
    }
}
