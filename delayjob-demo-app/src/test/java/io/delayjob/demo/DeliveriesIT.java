package io.delayjob.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.testing.RealRedis;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.JsonNode;

/** Jobs that leave as a webhook, to a service of a registry and as a message, all of them embedded. */
@RealRedis
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
final class DeliveriesIT extends RunningDemo {

    @LocalServerPort
    private int port;

    @Test
    void deliversOneJobEachWayNotBeforeItIsDue() {
        Reply submitted = demo.deliver();
        assertThat(submitted.status()).isEqualTo(200);
        List<String> ids = submitted
                .body()
                .valueStream()
                .map(delivery -> delivery.path("id").asString())
                .toList();
        assertThat(ways(submitted.body())).containsExactly("WEBHOOK", "SERVICE", "MESSAGE");
        assertThat(submitted.body())
                .allSatisfy(
                        delivery -> assertThat(dueMillisAfterSubmit(delivery)).isEqualTo(10_000));

        Waits.soon()
                .untilAsserted(() -> assertThat(demo.deliveries().body())
                        .hasSize(3)
                        .allSatisfy(delivery -> assertThat(
                                        delivery.path("arrival").path("at").isString())
                                .isTrue()));

        JsonNode arrived = demo.deliveries().body();
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
        assertThat(demo.deliveries().body())
                .noneMatch(delivery -> delivery.path("id").asString().equals("forged"));
    }

    @Test
    void answersBrowsersThatWouldTakeXmlInJson() {
        assertThat(RestClient.create()
                        .get()
                        .uri("http://localhost:{port}/api/deliveries", port)
                        .header("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
                        .retrieve()
                        .toBodilessEntity()
                        .getHeaders()
                        .getContentType())
                .isEqualTo(MediaType.APPLICATION_JSON);
    }

    private int webhook(Map<String, String> signature) {
        return RestClient.create()
                .post()
                .uri("http://localhost:{port}/webhook", port)
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
