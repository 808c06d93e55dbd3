package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.server.Api.Answer;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.springframework.jdbc.core.JdbcTemplate;

/** The journal over HTTP. */
@EachServer
@SuppressWarnings("NullAway.Init")
class JournalApiIT {

    @Parameter
    private TestServer.Kind kind;

    private TestServer server;
    private Api api;

    @BeforeParameterizedClassInvocation
    void start() {
        server = kind.start(
                "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(), "delayjob.queues.orders.journal.mode=always");
        api = server.api();
    }

    @AfterParameterizedClassInvocation
    void stop() {
        server.close();
    }

    private void submit(String id) {
        Answer stored = api.post(
                "/queues/orders/jobs", "{\"id\": \"%s\", \"topic\": \"t\", \"delay\": \"PT1H\"}".formatted(id));
        assertThat(stored.status()).as("%s", stored).isEqualTo(201);
    }

    private List<String> steps(String id) {
        Answer history = api.get("/queues/orders/jobs/" + id + "/history");
        assertThat(history.status()).as("%s", history).isEqualTo(200);
        return history.json().path("steps").findValuesAsString("kind");
    }

    @Test
    void aJobIsComparedClearedRestoredAndItsHistoryTold() {
        submit("a");
        await().untilAsserted(() -> assertThat(steps("a")).containsExactly("SUBMITTED"));
        assertThat(steps("unknown")).isEmpty();
        assertThat(api.get("/journal/diff?queue=orders&id=a")
                        .json()
                        .path("compared")
                        .asInt())
                .isEqualTo(1);

        Answer cleared = api.post("/journal/clear", "{\"queue\": \"orders\", \"forGood\": false}");
        assertThat(cleared.json().path("cleared").asInt()).as("%s", cleared).isEqualTo(1);
        Answer diff = api.get("/journal/diff?queue=orders");
        assertThat(diff.json().path("missingInRedis").asInt()).as("%s", diff).isEqualTo(1);
        assertThat(diff.json().path("samples").findValuesAsString("id")).containsExactly("a");

        String restore = "{\"queue\": \"orders\", \"dryRun\": %s}";
        for (boolean dryRun : new boolean[] {true, false}) {
            Answer restored = api.post("/journal/restore", restore.formatted(dryRun));
            assertThat(restored.json().path("restored").asInt())
                    .as("%s", restored)
                    .isEqualTo(1);
            assertThat(api.get("/queues/orders/jobs/a").status()).isEqualTo(dryRun ? 404 : 200);
        }
        await().untilAsserted(() -> assertThat(steps("a")).containsExactly("SUBMITTED", "RESTORED"));
    }

    @Test
    void aRestoreOfWhatThereIsNotOrOfAFinishedJobIsRefused() {
        submit("b");
        assertThat(api.delete("/queues/orders/jobs/b").status()).isEqualTo(200);
        await().untilAsserted(() -> assertThat(steps("b")).containsExactly("SUBMITTED", "CANCELLED"));

        assertRefused(
                "/journal/restore",
                "{\"queue\": \"orders\", \"id\": \"b\"}",
                "is CANCELLED and would run again",
                "\"finished\": true");
        assertRefused("/journal/restore", "{\"queue\": \"orders\", \"id\": \"nobody\"}", "knows no job 'nobody'");
        assertRefused("/journal/restore", "{\"id\": \"b\"}", "state the queue of 'b'");
        assertRefused(
                "/journal/restore",
                "{\"queue\": \"mail\"}",
                "queue 'mail' has no journal",
                "delayjob.queues.mail.journal.mode");
        Answer far =
                api.post("/journal/restore", "{\"queue\": \"orders\", \"dueFrom\": \"+999999999-12-31T23:59:59Z\"}");
        assertThat(far.status()).as("%s", far).isEqualTo(400);
        assertThat(far.json().path("detail").asString())
                .contains("/dueFrom is '+999999999-12-31T23:59:59Z'", "2030-01-31T08:00:00Z");
        assertRefused("/journal/clear", "{\"queue\": \"mail\", \"forGood\": true}", "queue 'mail' has no journal");

        Answer again = api.post("/journal/restore", "{\"queue\": \"orders\", \"id\": \"b\", \"finished\": true}");
        assertThat(again.json().path("restored").asInt()).as("%s", again).isEqualTo(1);
        await().until(() -> api.get("/queues/orders/jobs/b").status() == 200);
        // Not while the journal has yet to hear that Redis has it.
        await().until(() -> api.delete("/queues/orders/jobs/b").status() == 200);
    }

    private void assertRefused(String path, String body, String... reasons) {
        assertRefused(api.post(path, body), reasons);
    }

    private static void assertRefused(Answer answer, String... reasons) {
        assertThat(answer.status()).as("%s", answer).isEqualTo(400);
        assertThat(answer.problem()).isEqualTo("invalid-value");
        assertThat(answer.json().path("detail").asString()).contains(reasons);
    }

    @Test
    void aParameterThatCannotBeReadIsNamedWithItsValue() {
        assertRefused(
                api.get("/journal/diff?dueFrom=tomorrow"), "dueFrom is 'tomorrow'", "a UTC time such as 2030-01-31T");
        assertRefused(api.get("/journal/diff?overdue=perhaps"), "overdue is 'perhaps'", "true or false");
        assertRefused(api.get("/queues/orders/jobs/a/history?limit=ten"), "limit is 'ten'", "a whole number");
        assertThat(api.post("/journal/clear", "{\"queue\": \"orders\"}")
                        .json()
                        .path("detail")
                        .asString())
                .isEqualTo("the body has no forGood, which is required");
    }

    @Test
    void aRestoreWhileAnotherOneGoesOnIsRefused() {
        JdbcTemplate jdbc = server.bean(JdbcTemplate.class);
        jdbc.update(
                "UPDATE delayjob_lock SET holder = 'another', until_at = ? WHERE name = 'restore'",
                Instant.now().plusSeconds(60).toEpochMilli());
        try {
            Answer second = api.post("/journal/restore", "{}");
            assertThat(second.problem()).isEqualTo("restore-under-way");
            assertThat(second.status()).isEqualTo(409);
            assertThat(second.json().path("detail").asString())
                    .contains("another restore or clear goes on", "wait for its end");
        } finally {
            jdbc.update("UPDATE delayjob_lock SET holder = '', until_at = 0 WHERE name = 'restore'");
        }
        assertThat(api.post("/journal/restore", "{}").status()).isEqualTo(200);
    }

    @Test
    void allQueuesAreForTokensOfAllQueues() {
        Answer made = api.post(
                "/tokens", "{\"name\": \"some\", \"roles\": [\"read\", \"operate\"], \"queues\": [\"orders\"]}");
        Api some = server.api(made.json().path("token").asString());

        assertThat(some.get("/journal/diff?queue=orders").status()).isEqualTo(200);
        assertThat(some.get("/journal/diff").problem()).isEqualTo("forbidden");
        assertThat(some.post("/journal/restore", "{}").problem()).isEqualTo("forbidden");
    }

    @Test
    void refusesWhatNoEndedJobCanBe() {
        assertRefused(api.get("/queues/orders/ended?state=READY"), "READY", "COMPLETED");
        assertRefused(api.get("/queues/orders/ended?state=ROTTEN"), "ROTTEN");
        assertRefused(api.get("/queues/orders/ended?cursor=nonsense"), "'nonsense'");
        assertRefused(api.get("/queues/orders/ended?word=orderId"), "word and value go together", "'orderId'");
        assertRefused(api.get("/queues/orders/ended?word=orderId&value=1"), "delayjob.queues.orders.index");
        assertRefused(
                api.get("/queues/orders/ended?endedFrom=2030-01-02T00:00:00Z&endedTo=2030-01-01T00:00:00Z"),
                "2030-01-02T00:00:00Z");
    }

    @Test
    void aQueueWithoutAJournalHasNoHistory() {
        Answer none = api.get("/queues/mail/jobs/a/history");

        assertThat(none.problem()).isEqualTo("no-journal");
        assertThat(none.status()).isEqualTo(404);
        assertThat(none.json().path("detail").asString()).contains("delayjob.queues.mail.journal.mode");
    }

    @Test
    void aServerWithoutAJournalSaysSo() {
        try (TestServer plain = kind.start()) {
            for (Answer none : List.of(
                    plain.api().get("/journal/diff"),
                    plain.api().post("/journal/restore", "{}"),
                    plain.api().post("/journal/clear", "{\"queue\": \"q\", \"forGood\": true}"),
                    plain.api().get("/queues/q/ended"),
                    plain.api().get("/queues/q/jobs/a/history"))) {
                assertThat(none.problem()).as("%s", none).isEqualTo("no-journal");
            }
        }
    }
}
