package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.server.Api.Answer;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Submits, looks and actions over HTTP. */
@EachServer
@SuppressWarnings("NullAway.Init")
class JobsApiIT {

    @Parameter
    private TestServer.Kind kind;

    private TestServer server;
    private Api api;

    @BeforeParameterizedClassInvocation
    void start() {
        server = kind.start("delayjob.queues.indexed.index=order,tag");
        api = server.api();
    }

    @AfterParameterizedClassInvocation
    void stop() {
        server.close();
    }

    private static String job(String id, String rest) {
        return "{\"id\": \"%s\", \"topic\": \"close-order\"%s}".formatted(id, rest.isEmpty() ? "" : ", " + rest);
    }

    @Test
    void storesAJob() {
        Instant before = Instant.now();

        Answer stored = api.post("/queues/store/jobs", job("a", "\"param\": {\"order\": 42}, \"delay\": \"PT30M\""));

        assertThat(stored.status()).as("%s", stored).isEqualTo(201);
        JsonNode body = stored.json();
        assertThat(body.path("id").asString()).isEqualTo("a");
        assertThat(body.path("queue").asString()).isEqualTo("store");
        assertThat(body.path("state").asString()).isEqualTo("DELAYED");
        assertThat(body.path("outcome").asString()).isEqualTo("STORED");
        assertThat(Instant.parse(body.path("dueAt").asString())).isAfter(before.plusSeconds(1790));
    }

    @Test
    void storesNothingForAnIdThatExists() {
        api.post("/queues/twice/jobs", job("a", "\"delay\": \"PT30M\""));

        Answer again = api.post("/queues/twice/jobs", job("a", "\"delay\": \"PT0S\""));

        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().path("outcome").asString()).isEqualTo("EXISTS");
        assertThat(again.json().path("state").asString()).isEqualTo("DELAYED");
    }

    @Test
    void makesAnIdIfThereIsNone() {
        Answer stored = api.post("/queues/random/jobs", "{\"topic\": \"t\", \"dueAt\": \"2099-01-01T00:00:00Z\"}");

        String id = stored.json().path("id").asString();
        assertThat(id).isNotEmpty();
        assertThat(api.get("/queues/random/jobs/" + id).json().path("dueAt").asString())
                .isEqualTo("2099-01-01T00:00:00Z");
    }

    @Test
    void showsAJobAsItWasSubmitted() {
        api.post(
                "/queues/show/jobs",
                job(
                        kind == TestServer.Kind.NETTY ? "a/b c" : "a:b c",
                        "\"param\": {\"big\": 12345678901234567890123, \"exact\": 1.10}, \"delay\": \"PT1H\","
                                + " \"headers\": {\"tenant\": \"acme\"}, \"maxAttempts\": 3, \"lease\": \"PT40S\","
                                + " \"priority\": 7, \"timeToLive\": \"PT2H\", \"backoff\": {\"initial\": \"PT1S\", \"max\": \"PT1M\"},"
                                + " \"dedupe\": {\"key\": \"k\", \"scope\": \"UNTIL_FINISHED\"}"));

        Answer found = api.get("/queues/show/jobs/" + (kind == TestServer.Kind.NETTY ? "a%2Fb%20c" : "a:b%20c"));

        assertThat(found.status()).as("%s", found).isEqualTo(200);
        assertThat(found.response().body()).contains("\"param\":{\"big\":12345678901234567890123,\"exact\":1.10}");
        assertThat(found.json().path("topic").asString()).isEqualTo("close-order");
        assertThat(found.json().path("headers").path("tenant").asString()).isEqualTo("acme");
        assertThat(found.json().path("attempt").asInt()).isZero();
        assertThat(found.json().path("priority").asInt()).isEqualTo(7);
    }

    @Test
    void storesABatchInItsOrder() {
        api.post("/queues/batch/jobs", job("b", "\"delay\": \"PT1H\""));

        Answer stored = api.post(
                "/queues/batch/jobs/batch",
                "{\"jobs\": [%s, %s, %s]}"
                        .formatted(
                                job("a", "\"delay\": \"PT1H\""),
                                job("b", "\"dueAt\": \"2099-01-01T00:00:00Z\""),
                                job("c", "\"dueAt\": \"2099-01-01T00:00:00Z\"")));

        assertThat(stored.status()).as("%s", stored).isEqualTo(200);
        assertThat(stored.response().body())
                .isEqualTo("{\"jobs\":[{\"id\":\"a\",\"outcome\":\"STORED\"},{\"id\":\"b\",\"outcome\":\"EXISTS\"},"
                        + "{\"id\":\"c\",\"outcome\":\"STORED\"}]}");
        assertThat(api.get("/queues/batch").json().path("delayed").asInt()).isEqualTo(3);
    }

    @Test
    void storesNothingOfABatchWithABadJob() {
        Answer refused = api.post(
                "/queues/bad-batch/jobs/batch",
                "{\"jobs\": [%s, %s]}".formatted(job("a", "\"delay\": \"PT1H\""), job("b", "\"delay\": \"-PT1S\"")));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().path("detail").asString()).contains("/jobs/1", "delay", "PT-1S");
        Answer tooHigh = api.post(
                "/queues/bad-batch/jobs/batch",
                "{\"jobs\": [%s, %s]}"
                        .formatted(
                                job("a", "\"delay\": \"PT1H\", \"priority\": 9"),
                                job("b", "\"delay\": \"PT1H\", \"priority\": 10")));
        assertThat(tooHigh.status()).isEqualTo(400);
        assertThat(tooHigh.json().path("detail").asString()).contains("/jobs/1", "priority must be 0 to 9", "10");
        assertThat(api.get("/queues/bad-batch").json().path("delayed").asInt()).isZero();
    }

    @Test
    void listsPageByPage() {
        for (String id : new String[] {"a", "b", "c"}) {
            api.post("/queues/list/jobs", job(id, "\"delay\": \"PT1H\""));
        }

        JsonNode first = api.get("/queues/list/jobs?state=DELAYED&limit=2").json();
        JsonNode second = api.get("/queues/list/jobs?state=DELAYED&limit=2&cursor="
                        + java.net.URLEncoder.encode(
                                first.path("next").asString(), java.nio.charset.StandardCharsets.UTF_8))
                .json();

        assertThat(first.path("jobs").findValuesAsString("id")).containsExactly("a", "b");
        assertThat(second.path("jobs").findValuesAsString("id")).containsExactly("c");
    }

    @Test
    void listsWithinARangeOfTime() {
        api.post("/queues/list-times/jobs", job("a", "\"dueAt\": \"2098-01-01T00:00:00Z\""));
        api.post("/queues/list-times/jobs", job("b", "\"dueAt\": \"2099-01-01T00:00:00Z\""));

        assertThat(api.get("/queues/list-times/jobs?state=DELAYED&from=2098-06-01T00:00:00Z")
                        .json()
                        .path("jobs")
                        .findValuesAsString("id"))
                .containsExactly("b");
        assertThat(api.get("/queues/list-times/jobs?state=DELAYED&to=2098-06-01T00:00:00Z")
                        .json()
                        .path("jobs")
                        .findValuesAsString("id"))
                .containsExactly("a");
    }

    @Test
    void cancelsReschedulesAndExplains() {
        api.post("/queues/act/jobs", job("a", "\"delay\": \"PT1H\""));

        assertThat(api.post("/queues/act/jobs/a/reschedule", "{\"delay\": \"PT2H\"}")
                        .json()
                        .path("previous")
                        .asString())
                .isEqualTo("DELAYED");
        assertThat(api.get("/queues/act/jobs/a/explanation")
                        .json()
                        .path("reason")
                        .asString())
                .isEqualTo("NOT_DUE");
        assertThat(api.post("/queues/act/jobs/a/redrive").status()).isEqualTo(409);
        assertThat(api.delete("/queues/act/jobs/a").response().body())
                .isEqualTo("{\"id\":\"a\",\"done\":true,\"previous\":\"DELAYED\"}");
        assertThat(api.delete("/queues/act/jobs/a").problem()).isEqualTo("no-such-job");
        assertThat(api.get("/queues/act/jobs/a").status()).isEqualTo(404);
    }

    @Test
    void findsJobsByTheIndexOfTheirQueue() {
        api.post("/queues/indexed/jobs", job("a", "\"delay\": \"PT1H\", \"param\": {\"order\": 42}"));
        api.post(
                "/queues/indexed/jobs",
                job("b", "\"delay\": \"PT1H\", \"param\": {\"order\": 43}, \"tags\": [\"vip\"]"));

        JsonNode found = api.get("/queues/indexed/indexed?word=order&value=42").json();
        assertThat(found.path("jobs").findValuesAsString("id")).containsExactly("a");
        assertThat(found.path("more").booleanValue()).isFalse();
        assertThat(api.get("/queues/indexed/indexed?word=tag&value=vip")
                        .json()
                        .path("jobs")
                        .findValuesAsString("id"))
                .containsExactly("b");
        assertThat(api.get("/queues/indexed/indexed?word=customer&value=1").toString())
                .contains("'customer'", "order, tag");
        assertThat(api.get("/queues/other/indexed?word=order&value=1").toString())
                .contains("delayjob.queues.other.index");
        assertThat(api.get("/queues/indexed/indexed?word=order").toString()).contains("value");
    }

    @Test
    void actsOnSeveralJobs() {
        api.post("/queues/several/jobs", job("a", "\"delay\": \"PT1H\""));
        api.post("/queues/several/jobs", job("b", "\"delay\": \"PT1H\""));

        Answer done =
                api.post("/queues/several/jobs/actions", "{\"action\": \"cancel\", \"ids\": [\"a\", \"none\", \"b\"]}");

        assertThat(done.response().body())
                .isEqualTo("{\"results\":[{\"id\":\"a\",\"done\":true,\"previous\":\"DELAYED\"},"
                        + "{\"id\":\"none\",\"done\":false},{\"id\":\"b\",\"done\":true,\"previous\":\"DELAYED\"}]}");
    }

    @Test
    void pausesAndResumes() {
        assertThat(api.post("/queues/pause/pause").json().path("paused").asBoolean())
                .isTrue();
        assertThat(api.post("/queues/pause/resume").json().path("paused").asBoolean())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{                                             | invalid-body  | not JSON",
                "[]                                            | invalid-body  |",
                "{\"topic\": \"t\", \"dealy\": \"PT1S\"}       | invalid-body  | dealy",
                "{\"topic\": \"t\", \"delay\": \"PT1S\", \"delay\": \"PT2S\"} | invalid-body | delay",
                "{\"delay\": \"PT1S\"}                         | invalid-body  | topic",
                "{\"topic\": 7, \"delay\": \"PT1S\"}           | invalid-body  | /topic",
                "{\"topic\": \"t\", \"delay\": 5}              | invalid-body  | /delay",
                "{\"topic\": \"t\", \"delay\": \"soon\"}       | invalid-body  | 'soon'",
                "{\"topic\": \"t\", \"delay\": \"PT1S\", \"maxAttempts\": \"3\"} | invalid-body | /maxAttempts",
                "{\"topic\": \"t\", \"delay\": \"PT1S\", \"maxAttempts\": 1.5} | invalid-body | /maxAttempts",
                "{\"topic\": \"t\", \"delay\": \"PT1S\"} x     | invalid-body  |",
                "{\"topic\": \"t\"}                            | invalid-value | delay",
                "{\"topic\": \"t\", \"delay\": \"PT1S\", \"dueAt\": \"2099-01-01T00:00:00Z\"} | invalid-value | dueAt",
                "{\"topic\": \"t\", \"delay\": \"-PT1S\"}      | invalid-value | PT-1S",
                "{\"topic\": \"t\", \"dueAt\": \"+10000-01-01T00:00:00Z\"} | invalid-value | 9999",
                "{\"topic\": \"t\", \"delay\": \"PT99999999H\"} | invalid-value | 9999",
                "{\"topic\": \"\", \"delay\": \"PT1S\"}        | invalid-value |",
                "{\"topic\": \"t\", \"delay\": \"PT1S\", \"lease\": \"PT0.5S\"} | invalid-value | PT0.5S",
                "{\"topic\": \"t\", \"delay\": \"PT1S\", \"maxAttempts\": 0} | invalid-value | maxAttempts",
                "{\"topic\": \"t\", \"delay\": \"PT1S\", \"priority\": \"high\"} | invalid-body | /priority",
                "{\"topic\": \"t\", \"delay\": \"PT1S\", \"priority\": 7.5} | invalid-body | /priority",
                "{\"topic\": \"t\", \"delay\": \"PT1S\", \"priority\": -1} | invalid-value | priority must be 0 to 9, of which higher ones go first, or left out for 4: -1",
                "{\"topic\": \"t\", \"delay\": \"PT1S\", \"priority\": 10} | invalid-value | priority must be 0 to 9, of which higher ones go first, or left out for 4: 10"
            })
    void refusesBadInputAndStoresNothing(String body, String problem, @org.jspecify.annotations.Nullable String named) {
        Answer refused = api.post("/queues/refused/jobs", body);

        assertThat(refused.status()).as("%s", refused).isEqualTo(400);
        assertThat(refused.problem()).as("%s", refused).isEqualTo(problem);
        assertThat(refused.response().headers().firstValue("Content-Type")).hasValue("application/problem+json");
        if (named != null) {
            assertThat(refused.json().path("detail").asString()).contains(named);
        }
        assertThat(api.get("/queues/refused").json().path("delayed").asInt()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/queues/a%7Bb/jobs/x",
                "/queues/a%0Ab/jobs/x",
                "/queues/%2E%2E%2Fx/jobs/x",
                "/queues/q%3A0%7D/jobs/x"
            })
    void refusesNamesThatAreNoQueue(String path) {
        assertThat(api.get(path).status()).isEqualTo(400);
        // Tomcat itself refuses a path with a slash in a name.
        if (kind == TestServer.Kind.NETTY || !path.contains("%2F")) {
            assertThat(api.get(path).problem()).isEqualTo("invalid-value");
        }
    }

    @Test
    void refusesABodyOverTheLimit() {
        String body = job("a", "\"delay\": \"PT1H\", \"param\": \"" + "x".repeat(9_000_000) + "\"");

        Answer refused = api.post("/queues/large/jobs", body);

        assertThat(refused.status()).as("%s", refused.status()).isEqualTo(413);
        assertThat(refused.problem()).isEqualTo("body-too-large");
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=0", "limit=1001", "limit=x", "state=NONE", "cursor=%00"})
    void refusesABadListing(String query) {
        String state = query.startsWith("state") ? "" : "&state=DELAYED";

        Answer refused = api.get("/queues/q/jobs?" + query + state);

        assertThat(refused.status()).as("%s", refused).isEqualTo(400);
        assertThat(refused.json().path("detail").asString())
                .as("%s", refused)
                .isNotEmpty()
                .doesNotContain("Type mismatch");
    }
}
