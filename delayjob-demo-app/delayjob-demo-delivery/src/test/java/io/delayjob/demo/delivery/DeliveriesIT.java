package io.delayjob.demo.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.JsonNode;

/** Jobs that leave as a webhook, to a service of a registry and as a message, all of them embedded. */
@Tag("proof")
@RealRedis
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
final class DeliveriesIT {

    private RestClient http = RestClient.create();

    /** The shared Redis, under a prefix of its own. */
    @DynamicPropertySource
    static void redis(DynamicPropertyRegistry properties) {
        properties.add("spring.data.redis.url", () -> RedisServer.shared().url());
        String prefix = "demo-delivery-" + UUID.randomUUID();
        properties.add("delayjob.key-prefix", () -> prefix);
    }

    @BeforeEach
    void connect(@LocalServerPort int port) {
        http = RestClient.create("http://localhost:" + port);
    }

    @Test
    void deliversOneJobEachWayNotBeforeItIsDue() {
        JsonNode submitted = deliveries(HttpMethod.POST);
        List<String> ids = submitted
                .valueStream()
                .map(delivery -> delivery.path("id").asString())
                .toList();
        assertThat(ways(submitted)).containsExactly("WEBHOOK", "SERVICE", "MESSAGE");
        assertThat(submitted)
                .allSatisfy(
                        delivery -> assertThat(dueMillisAfterSubmit(delivery)).isEqualTo(10_000));

        Awaitility.await()
                .untilAsserted(() -> assertThat(deliveries(HttpMethod.GET))
                        .hasSize(3)
                        .allSatisfy(delivery -> assertThat(
                                        delivery.path("arrival").path("at").isString())
                                .isTrue()));

        JsonNode arrived = deliveries(HttpMethod.GET);
        assertThat(ways(arrived)).containsExactly("WEBHOOK", "SERVICE", "MESSAGE");
        assertThat(arrived)
                .allSatisfy(
                        delivery -> assertThat(ids).contains(delivery.path("id").asString()))
                .allSatisfy(
                        delivery -> assertThat(instant(delivery.path("arrival").path("at")))
                                .isAfterOrEqualTo(instant(delivery.path("dueAt"))))
                .allSatisfy(delivery -> assertThat(
                                delivery.path("arrival").path("attempt").asInt())
                        .isPositive());
        assertThat(arrived.valueStream()
                        .map(delivery ->
                                delivery.path("arrival").path("signature").asString()))
                .containsExactly("valid", "none", "none");
    }

    @Test
    void refusesACallThatIsNotSignedWithItsSecret() {
        assertThat(webhook(Map.of("webhook-signature", "v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")))
                .isEqualTo(401);
        assertThat(webhook(Map.of())).isEqualTo(400);
        assertThat(deliveries(HttpMethod.GET))
                .noneMatch(delivery -> delivery.path("id").asString().equals("forged"));
    }

    @Test
    void answersBrowsersThatWouldTakeXmlInJson() {
        assertThat(http.get()
                        .uri("/api/deliveries")
                        .header("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
                        .retrieve()
                        .toBodilessEntity()
                        .getHeaders()
                        .getContentType())
                .isEqualTo(MediaType.APPLICATION_JSON);
    }

    private JsonNode deliveries(HttpMethod method) {
        return Objects.requireNonNull(
                http.method(method).uri("/api/deliveries").retrieve().body(JsonNode.class));
    }

    private int webhook(Map<String, String> signature) {
        return http.post()
                .uri("/webhook")
                .contentType(MediaType.APPLICATION_JSON)
                .header("webhook-id", "forged")
                .header("webhook-timestamp", Long.toString(Instant.now().getEpochSecond()))
                .header("delayjob-attempt", "1")
                .headers(headers -> signature.forEach(headers::set))
                .body("{}")
                .exchange((request, response) -> response.getStatusCode().value());
    }

    private static List<String> ways(JsonNode deliveries) {
        return deliveries
                .valueStream()
                .map(delivery -> delivery.path("way").asString())
                .toList();
    }

    private static long dueMillisAfterSubmit(JsonNode delivery) {
        return instant(delivery.path("dueAt")).toEpochMilli()
                - instant(delivery.path("submittedAt")).toEpochMilli();
    }

    private static Instant instant(JsonNode text) {
        return Instant.parse(text.asString());
    }
}
