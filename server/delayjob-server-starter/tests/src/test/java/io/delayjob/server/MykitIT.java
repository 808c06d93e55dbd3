package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.Api.Answer;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import tools.jackson.databind.JsonNode;

/** The REST of mykit-delay over the wire, on a journal. Each row quotes what its contract says. */
@EachServer
@SuppressWarnings("NullAway.Init")
class MykitIT {

    private static final String BASE = "/protocols/mykit";

    /** The sample of its document, with the quote that is missing there; its time is up at once. */
    private static final String SAMPLE =
            "{'body':'{hello world}','delay':0,'id':'20','status':0,'topic':'ces','subtopic':'','ttl':12}";

    /**
     * A call and its answer.
     *
     * @param clause the clause of the contract
     * @param call the method, the path and the body
     * @param answer the texts that the answer contains
     */
    private record Row(String clause, String call, List<String> answer) {

        Row(String clause, String call, String... answer) {
            this(clause, call, List.of(answer));
        }
    }

    private static final List<Row> ROWS = List.of(
            new Row(
                    "POST /push, body = message; answers the unique id: success, data, message, code",
                    "POST /push " + SAMPLE,
                    "{\"success\":true,\"data\":\"20\",\"message\":null,\"code\":200}"),
            new Row(
                    "an id that exists: identical is success and changes nothing",
                    "POST /push " + SAMPLE,
                    "\"success\":true"),
            new Row(
                    "an id that exists: different is an error; the HTTP status is 200 also when code is 500",
                    "POST /push {'body':'other','delay':0,'id':'20','topic':'ces'}",
                    "\"success\":false",
                    "\"data\":null",
                    "20",
                    "\"code\":500"),
            new Row(
                    "GET /get/topic takes one; what was handed out is consumed; body is not necessarily valid JSON",
                    "GET /get/ces",
                    "\"success\":true",
                    "\"id\":\"20\"",
                    "\"topic\":\"ces\"",
                    "\"subtopic\":\"\"",
                    "\"ttl\":12",
                    "\"body\":\"{hello world}\"",
                    "\"status\":3"),
            new Row("it is consumed", "GET /get/ces?timeout=0", "\"success\":true", "\"data\":null"),
            new Row("topic is required", "POST /push {'id':'1'}", "\"success\":false", "topic", "\"code\":500"),
            new Row("delay absent = 0, id and createTime are made", "POST /push {'topic':'made'}", "\"success\":true"),
            new Row("it has no body, and the system's time", "GET /get/made", "\"body\":null", "\"createTime\":1"),
            new Row("a delay is not negative", "POST /push {'topic':'ces','delay':-1}", "delay", "-1"),
            new Row(
                    "createTime in the past: createTime + delay is due at once; status is ignored",
                    "POST /push {'topic':'past','id':'past','createTime':1000,'delay':1000,'status':5,'bizKey':'b','priority':3,'body':{'n':1}}",
                    "\"data\":\"past\""),
            new Row(
                    "it is handed out as it was pushed",
                    "GET /get?topic=past",
                    "\"bizKey\":\"b\"",
                    "\"priority\":3",
                    "\"createTime\":1000",
                    "\"delay\":1000",
                    "\"body\":{\"n\":1}"),
            new Row("/delete?jobId=", "POST /push {'topic':'del','id':'d1','delay':60000}", "\"d1\""),
            new Row("/delete?jobId=xxx, withdrawable before its time", "GET /delete?jobId=d1", "\"success\":true"),
            new Row(
                    "unknown id: success false, no such job",
                    "GET /delete?jobId=d1",
                    "\"success\":false",
                    "no such job"),
            new Row("/delete?id=", "POST /push {'topic':'del','id':'d2','delay':60000}", "\"d2\""),
            new Row("/delete?id=, and a DELETE of our own", "DELETE /delete?id=d2", "\"success\":true"),
            new Row(
                    "the sample of its document: due 10,000 ms after createTime",
                    "POST /push {'body':'{hello world}','delay':10000,'id':'21','status':0,'topic':'ces','subtopic':'','ttl':12}",
                    "\"data\":\"21\""),
            new Row("none comes early", "GET /get/ces?timeout=0", "\"success\":true", "\"data\":null"),
            new Row("a POST of our own beside the GET", "POST /delete?jobId=21", "\"success\":true"),
            new Row("a timeout out of range", "GET /get/ces?timeout=61", "\"success\":false", "61", "\"code\":500"),
            new Row("get needs a topic", "GET /get", "\"success\":false", "topic"),
            new Row("delete needs an id", "GET /delete", "\"success\":false", "jobId is missing"),
            new Row(
                    "an acknowledged get is an option: it is not consumed",
                    "POST /push {'topic':'ack','id':'a1'}",
                    "\"success\":true"),
            new Row(
                    "handed out under a lease, waiting to be consumed",
                    "GET /get/ack?acknowledge=true",
                    "\"a1\"",
                    "\"status\":2"),
            new Row("GET /finish?jobId= acknowledges", "GET /finish?jobId=a1", "\"success\":true"),
            new Row("it is consumed", "GET /finish?jobId=a1", "\"success\":false"),
            new Row("an unknown job is not restored", "GET /reStoreJob?JobId=none", "\"success\":false", "none"),
            new Row("/reStoreJob?jobId=", "GET /reStoreJob?jobId=none", "\"success\":false", "none"),
            new Row("/reStoreJob?id=", "POST /reStoreJob?id=none", "\"success\":false", "none"),
            new Row("/reStore/id", "GET /reStore/none", "\"success\":false", "none"),
            new Row("a restore needs an id", "GET /reStoreJob", "jobId is missing"));

    @Parameter
    private TestServer.Kind kind;

    private TestServer server;
    private OldClient client;

    @BeforeParameterizedClassInvocation
    void start() {
        server = kind.start(
                "delayjob.journal.mode=transactional",
                "delayjob.queues[mykit.forgotten].lease=1s",
                "delayjob.queues[mykit.forgotten].max-attempts=5",
                "delayjob.backoff.initial=100ms",
                "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID());
        client = new OldClient(server.api().url() + BASE, TestServer.ADMIN);
    }

    @AfterParameterizedClassInvocation
    void stop() {
        server.close();
    }

    private Answer call(String call) {
        String[] parts = call.split(" ", 3);
        return client.send(parts[0], parts[1], parts.length > 2 ? parts[2] : null);
    }

    @Test
    void answersAsItsContractSays() {
        for (Row row : ROWS) {
            Answer answer = call(row.call());
            assertThat(answer.status()).as("%s: %s", row.clause(), answer).isEqualTo(200);
            assertThat(answer.response().body()).as(row.clause()).contains(row.answer());
        }
    }

    /** So that reports know where a message came in. */
    @Test
    void aMessageHasTheAddressOfTheServerThatItWasPushedTo() {
        call("POST /push {'topic':'hosts','id':'ho1','delay':3600000}");
        assertThat(server.api()
                        .get("/queues/mykit.hosts/jobs/ho1")
                        .json()
                        .path("headers")
                        .path("host")
                        .asString())
                .isEqualTo("127.0.0.1");
        assertThat(call("POST /push {'topic':'hosts','id':'ho1','delay':3600000}")
                        .json()
                        .path("success")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void aGetIsHeldOpenUntilThereIsAMessageAndNoneComesEarly() {
        long begun = System.currentTimeMillis();
        call("POST /push {'topic':'held','id':'h1','delay':1000}");

        JsonNode message = call("GET /get/held").json().path("data");

        assertThat(message.path("id").asString()).isEqualTo("h1");
        assertThat(System.currentTimeMillis() - begun).isGreaterThanOrEqualTo(1000);
        await().untilAsserted(() -> assertThat(
                        server.api().get("/queues/mykit.held").json().toString())
                .contains("\"reserved\":0"));
    }

    /** All come due at once before any is taken; with the headers' numbers of mykit, of which smaller ones go first. */
    @Test
    void aSmallerPriorityIsHandedOutFirst() {
        long due = System.currentTimeMillis() - 1000;
        for (int priority : new int[] {3, 0, -2, 900, 1}) {
            call("POST /push {'topic':'ranked','id':'r%1$d','createTime':%2$d,'priority':%1$d}"
                    .formatted(priority, due));
        }
        call("POST /push {'topic':'ranked','id':'none','createTime':%d}".formatted(due + 500));

        assertThat(Stream.generate(() -> call("GET /get/ranked")
                                .json()
                                .path("data")
                                .path("id")
                                .asString())
                        .limit(6))
                .containsExactly("r-2", "r0", "none", "r1", "r3", "r900");
        assertThat(call("POST /push {'topic':'ranked','id':'r','priority':1.5}")
                        .json()
                        .path("message")
                        .asString())
                .contains("priority", "1.5");
    }

    /** A job of the API has the headers that its submit chose. */
    @Test
    void aJobWithHeadersThatAreNoNumbersIsHandedOut() {
        Answer submitted = server.api()
                .post(
                        "/queues/mykit.odd/jobs",
                        "{\"id\": \"o1\", \"topic\": \"odd\", \"delay\": \"PT0S\", \"headers\": {\"delay\": \"soon\", \"ttl\": \"9\", \"priority\": \"\"}}");
        assertThat(submitted.status()).as("%s", submitted).isEqualTo(201);

        JsonNode message = call("GET /get/odd").json().path("data");

        assertThat(message.path("id").asString()).isEqualTo("o1");
        assertThat(message.path("delay").isNull()).isTrue();
        assertThat(message.path("ttl").asLong()).isEqualTo(9);
    }

    @Test
    void aMessageThatNobodyAcknowledgesComesBackUntilItsAttemptsAreUsedUp() {
        call("POST /push {'topic':'forgotten','id':'f1'}");
        // More often than the leases in a row after which jobs of other queues are quarantined.
        for (int attempt = 1; attempt <= 5; attempt++) {
            assertThat(call("GET /get/forgotten?acknowledge=true")
                            .json()
                            .path("data")
                            .path("id")
                            .asString())
                    .as("attempt %d", attempt)
                    .isEqualTo("f1");
        }
        await().untilAsserted(() -> {
            assertThat(call("GET /get/forgotten?acknowledge=true&timeout=1")
                            .json()
                            .path("data")
                            .isNull())
                    .isTrue();
            assertThat(server.api()
                            .get("/queues/mykit.forgotten/jobs/f1")
                            .json()
                            .path("state")
                            .asString())
                    .isEqualTo("DEAD");
        });
    }

    /** A GET would consume the message, whose answer has no body here. */
    @Test
    void aHeadDoesNothing() {
        call("POST /push {'topic':'headed','id':'he1'}");

        for (String path : List.of("/get/headed", "/get?topic=headed", "/delete?jobId=he1", "/finish?jobId=he1")) {
            assertThat(client.send("HEAD", path, null).status()).as(path).isEqualTo(405);
        }

        assertThat(call("GET /get/headed").json().path("data").path("id").asString())
                .isEqualTo("he1");
    }

    @Test
    void aDeadMessageIsDeletedWithoutBeingHandedOut() {
        call("POST /push {'topic':'buried','id':'b1'}");
        String handle = server.api()
                .post("/queues/mykit.buried/claims", "{\"max\": 1, \"wait\": \"PT60S\"}")
                .json()
                .path("jobs")
                .path(0)
                .path("handle")
                .asString();
        server.api()
                .post(
                        "/settlements",
                        "{\"settlements\": [{\"handle\": \"" + handle
                                + "\", \"action\": \"bury\", \"error\": \"no\"}]}");

        assertThat(call("GET /delete?jobId=b1").json().path("success").asBoolean())
                .isTrue();

        assertThat(call("GET /delete?jobId=b1").json().path("message").asString())
                .contains("no such job");
        await().untilAsserted(() -> assertThat(server.api()
                        .get("/queues/mykit.buried/jobs/b1/history")
                        .response()
                        .body())
                .contains("PURGED")
                .doesNotContain("REDRIVEN"));
        assertThat(text("GET /reStore")).startsWith("0 restored");
    }

    @Test
    void clearedMessagesAreRestoredByTheJournalAndNothingIsClearedFirst() {
        call("POST /push {'topic':'lost','id':'l1','delay':3600000,'body':'one'}");
        call("POST /push {'topic':'lost','id':'l2','createTime':1000,'delay':0,'body':'two'}");
        journaled("lost", "l1");
        journaled("lost", "l2");
        assertThat(call("GET /clearAll").json().path("success").asBoolean()).isTrue();
        forgetIndex();
        call("POST /push {'topic':'lost','id':'l3','delay':3600000,'body':'new'}");

        // Past its time, so it is skipped; what was pushed meanwhile stays.
        String withoutExpired = text("GET /reStore?expire=false");
        assertThat(withoutExpired).contains("skipped");
        assertThat(state("l1")).isEqualTo("DELAYED");
        assertThat(state("l3")).isEqualTo("DELAYED");
        assertThat(state("l2")).isEmpty();

        assertThat(text("GET /reStoreJob?JobId=l2")).startsWith("1 restored");
        assertThat(text("GET /reStore/l2")).startsWith("0 restored, 1 were there");
        assertThat(text("GET /reStore?expire=true")).startsWith("0 restored");
        assertThat(call("GET /get/lost").json().path("data").path("body").asString())
                .isEqualTo("two");

        // Found though the index lost it.
        assertThat(call("GET /delete?jobId=l1").json().path("success").asBoolean())
                .isTrue();
        await().untilAsserted(() -> {
            Answer finished = call("GET /reStoreJob?jobId=l1");
            assertThat(finished.json().path("success").asBoolean(true))
                    .as("%s", finished)
                    .isFalse();
            assertThat(finished.json().path("message").asString())
                    .contains("is CANCELLED")
                    .endsWith("ask for it: finished=true");
        });
        assertThat(text("GET /reStoreJob?jobId=l1&finished=true")).startsWith("1 restored");
        assertThat(text("GET /clearAll?forGood=true")).contains("cleared");
        assertThat(state("l3")).isEmpty();
        assertThat(text("GET /reStore")).startsWith("0 restored");
    }

    private String text(String call) {
        JsonNode answer = call(call).json();
        assertThat(answer.path("success").asBoolean())
                .as("%s: %s", call, answer)
                .isTrue();
        return answer.path("data").asString();
    }

    private String state(String id) {
        return server.api()
                .get("/queues/mykit.lost/jobs/" + id)
                .json()
                .path("state")
                .asString("");
    }

    private void journaled(String topic, String id) {
        await().until(() -> !server.api()
                .get("/queues/mykit." + topic + "/jobs/" + id + "/history")
                .json()
                .path("steps")
                .isEmpty());
    }

    private void forgetIndex() {
        DelayJobRedis redis = server.bean(DelayJobRedis.class);
        redis.redisson().getKeys().deleteByPattern(redis.keyPrefix() + ":server:mykit:*");
    }

    @Test
    void whatChangesStateNeedsARole() {
        OldClient nobody = new OldClient(client.url(), "");
        OldClient worker = new OldClient(client.url(), token());

        for (String path : List.of("/delete?jobId=x", "/reStoreJob?jobId=x", "/reStore", "/reStore/x", "/clearAll")) {
            check(nobody.get(path), 401, "Authorization");
            check(worker.get(path), 403, "role");
        }
        check(worker.post("/push", "{'topic':'t'}"), 403, "submit");
        check(nobody.get("/get/t"), 401, "Authorization");
    }

    private static void check(Answer answer, int status, String message) {
        assertThat(answer.status()).as("%s", answer).isEqualTo(status);
        assertThat(answer.json().path("success").asBoolean(true)).isFalse();
        assertThat(answer.json().path("code").asInt()).isEqualTo(500);
        assertThat(answer.json().path("message").asString()).contains(message);
    }

    private String token() {
        return server.api()
                .post("/tokens", "{\"name\": \"worker\", \"roles\": [\"work\"]}")
                .json()
                .path("token")
                .asString();
    }
}
