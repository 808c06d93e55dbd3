package io.delayjob.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.Api.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.redisson.api.RedissonClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The HTTP delay queue over the wire. Each row quotes what its contract says. */
@EachServer
@SuppressWarnings("NullAway.Init")
class DelayQueueIT {

    private static final String PATH = "/protocols/delay-queue";
    private static final JsonMapper JSON = new JsonMapper();

    /** An id of 129 characters, and a topic of 257. */
    private static final String LONG_ID = "i".repeat(129);

    private static final String LONG_TOPIC = "t".repeat(257);

    /**
     * A command and its answer.
     *
     * @param clause the clause of the contract
     * @param answer the whole answer, except for topic and attempt; of an error, a part of its text
     */
    private record Row(String clause, String command, int status, String answer) {

        static Row of(String clause, String command, String answer) {
            return new Row(clause, command, 200, answer);
        }
    }

    private static final List<Row> ROWS = List.of(
            Row.of(
                    "an order that is unpaid after 30 minutes: id is topic + the business's own unique id",
                    "{'command':'add','topic':'orderclose','id':'ordercloseorderNo1','delay':1800,'TTR':60,'body':'{\\'a\\':1}'}",
                    "{'success':true,'id':'ordercloseorderNo1'}"),
            Row.of(
                    "the same job again is success:true and changes nothing, so that a lost answer can be repeated",
                    "{'command':'add','topic':'orderclose','id':'ordercloseorderNo1','delay':1800,'TTR':60,'body':'{\\'a\\':1}'}",
                    "{'success':true,'id':'ordercloseorderNo1'}"),
            Row.of(
                    "a different job under the id of an unfinished one is success:false with an error that names the id",
                    "{'command':'add','topic':'orderclose','id':'ordercloseorderNo1','delay':30,'TTR':60,'body':'{\\'a\\':1}'}",
                    "{'success':false,'error':'ordercloseorderNo1','id':'ordercloseorderNo1'}"),
            Row.of(
                    "id must be globally unique, i.e. over all topics",
                    "{'command':'add','topic':'invoice','id':'ordercloseorderNo1','delay':0,'TTR':60,'body':'x'}",
                    "{'success':false,'error':'ordercloseorderNo1','id':'ordercloseorderNo1'}"),
            Row.of(
                    "pop, nothing ready: success:true, without id and value",
                    "{'command':'pop','topic':'orderclose'}",
                    "{'success':true}"),
            Row.of(
                    "delete is valid in every state: delay",
                    "{'command':'delete','id':'ordercloseorderNo1'}",
                    "{'success':true,'id':'ordercloseorderNo1'}"),
            Row.of(
                    "delete of an unknown id: as with finish",
                    "{'command':'delete','id':'ordercloseorderNo1'}",
                    "{'success':false,'error':'no such job','id':'ordercloseorderNo1'}"),
            Row.of(
                    "an id whose job was deleted is free again; delay 0 is ready at once",
                    "{'command':'add','topic':'invoice','id':'ordercloseorderNo1','delay':0,'TTR':60,'body':'{hello world}'}",
                    "{'success':true,'id':'ordercloseorderNo1'}"),
            Row.of(
                    "pop takes one job of the topic's ready queue; value is the job's body, a string stays a string",
                    "{'command':'pop','topic':'invoice','timeout':60}",
                    "{'success':true,'id':'ordercloseorderNo1','value':'{hello world}'}"),
            Row.of(
                    "the popped job is reserved: nobody else gets it",
                    "{'command':'pop','topic':'invoice'}",
                    "{'success':true}"),
            Row.of(
                    "an id in use is in use while it is reserved",
                    "{'command':'add','topic':'orderclose','id':'ordercloseorderNo1','delay':0,'TTR':60,'body':'x'}",
                    "{'success':false,'error':'ordercloseorderNo1','id':'ordercloseorderNo1'}"),
            Row.of(
                    "finish carries no token and no topic",
                    "{'command':'finish','id':'ordercloseorderNo1'}",
                    "{'success':true,'id':'ordercloseorderNo1'}"),
            Row.of(
                    "finish of an unknown id: success:false, no such job",
                    "{'command':'finish','id':'ordercloseorderNo1'}",
                    "{'success':false,'error':'no such job','id':'ordercloseorderNo1'}"),
            Row.of(
                    "body may be a JSON value, which is answered as it came; ttr is accepted beside TTR",
                    "{'command':'add','topic':'json','id':'json1','delay':0,'ttr':60,'body':{'n':1.25}}",
                    "{'success':true,'id':'json1'}"),
            Row.of(
                    "finish of a job that was never popped: literally it is deleted too",
                    "{'command':'finish','id':'json1'}",
                    "{'success':true,'id':'json1'}"),
            Row.of(
                    "fields may come that nobody knows, as additional fields of an answer may",
                    "{'command':'add','topic':'json','id':'json2','delay':0,'TTR':60,'body':{'n':1.25},'priority':1}",
                    "{'success':true,'id':'json2'}"),
            Row.of(
                    "pop with count answers a list",
                    "{'command':'pop','topic':'json','count':10,'timeout':60}",
                    "{'success':true,'jobs':[{'id':'json2','value':{'n':1.25}}]}"),
            Row.of(
                    "pop with count, nothing ready",
                    "{'command':'pop','topic':'json','count':10}",
                    "{'success':true,'jobs':[]}"),
            Row.of(
                    "delete is valid in every state: reserved",
                    "{'command':'delete','id':'json2'}",
                    "{'success':true,'id':'json2'}"),
            Row.of("an unknown topic: as an empty one", "{'command':'pop','topic':'nobody'}", "{'success':true}"),
            Row.of(
                    "topics are free text",
                    "{'command':'add','topic':'Bestellung schließen / 订单','id':'free','delay':0,'TTR':60,'body':''}",
                    "{'success':true,'id':'free'}"),
            Row.of(
                    "topics are free text",
                    "{'command':'pop','topic':'Bestellung schließen / 订单','timeout':60}",
                    "{'success':true,'id':'free','value':''}"),
            Row.of(
                    "TTR, upper-case, is the field's name; ttr is accepted beside it",
                    "{'command':'add','topic':'both','id':'both1','delay':0,'TTR':60,'ttr':1,'body':'x'}",
                    "{'success':true,'id':'both1'}"),
            Row.of(
                    "the same job again: its TTR is 60",
                    "{'command':'add','topic':'both','id':'both1','delay':0,'TTR':60,'body':'x'}",
                    "{'success':true,'id':'both1'}"),
            Row.of(
                    "delete is valid in every state: ready",
                    "{'command':'delete','id':'both1'}",
                    "{'success':true,'id':'both1'}"),
            new Row("400 for what is no JSON object", "[]", 400, "{'success':false,'error':'must be a JSON object'}"),
            new Row("400 for what is no JSON object", "", 400, "{'success':false,'error':'empty'}"),
            new Row("400 for what is no JSON object", "{'command':", 400, "{'success':false,'error':'not JSON'}"),
            new Row(
                    "400 for what names no known command: the prose calls add put once; there is no command of that name",
                    "{'command':'put'}",
                    400,
                    "{'success':false,'error':'put'}"),
            new Row("400 for what names no known command", "{}", 400, "{'success':false,'error':'command'}"),
            refused("all five are required", "{'command':'add','id':'a','delay':0,'TTR':1,'body':''}", "topic"),
            refused("all five are required", "{'command':'add','topic':'t','delay':0,'TTR':1,'body':''}", "id"),
            refused("all five are required", "{'command':'add','topic':'t','id':'a','TTR':1,'body':''}", "delay"),
            refused("all five are required", "{'command':'add','topic':'t','id':'a','delay':0,'body':''}", "TTR"),
            refused("all five are required", "{'command':'add','topic':'t','id':'a','delay':0,'TTR':1}", "body"),
            refused("delay 0 or more", "{'command':'add','topic':'t','id':'a','delay':-1,'TTR':1,'body':''}", "-1"),
            refused("TTR 1 or more", "{'command':'add','topic':'t','id':'a','delay':0,'TTR':0,'body':''}", "TTR"),
            refused("a fraction", "{'command':'add','topic':'t','id':'a','delay':0.5,'TTR':1,'body':''}", "0.5"),
            refused("a wrong type", "{'command':'add','topic':7,'id':'a','delay':0,'TTR':1,'body':''}", "topic"),
            refused("pop needs a topic", "{'command':'pop'}", "topic"),
            refused("a topic over the limits", "{'command':'pop','topic':'" + LONG_TOPIC + "'}", "256"),
            refused("a topic of control characters", "{'command':'pop','topic':'a\\u0000b'}", "control characters"),
            refused("a count out of range", "{'command':'pop','topic':'t','count':0}", "count"),
            refused("a count out of range", "{'command':'pop','topic':'t','count':1001}", "1001"),
            refused(
                    "TTR is a bare number",
                    "{'command':'add','topic':'t','id':'a','delay':0,'TTR':'60','body':''}",
                    "TTR"),
            refused("id is a string", "{'command':'delete','id':7}", "id"),
            refused("a timeout out of range", "{'command':'pop','topic':'t','timeout':61}", "timeout"),
            refused("id too long", "{'command':'finish','id':'" + LONG_ID + "'}", "128"),
            refused("finish needs an id", "{'command':'finish'}", "id"));

    @Parameter
    private TestServer.Kind kind;

    private TestServer server;
    private OldClient client;

    private static Row refused(String clause, String command, String error) {
        return Row.of(clause, command, "{'success':false,'error':'" + error + "'}");
    }

    @BeforeParameterizedClassInvocation
    void start() {
        server = kind.start("delayjob.queues[delay-queue.seen].retention.time=1h");
        client = new OldClient(server.api().url(), TestServer.ADMIN);
    }

    @AfterParameterizedClassInvocation
    void stop() {
        server.close();
    }

    private Answer send(String command) {
        return client.post(PATH, command);
    }

    @Test
    void answersAsItsContractSays() {
        for (Row row : ROWS) {
            Answer answer = send(row.command());
            assertThat(answer.status()).as("%s: %s", row.clause(), answer).isEqualTo(row.status());
            check(row, (ObjectNode) answer.json(), (ObjectNode)
                    JSON.readTree(row.answer().replace('\'', '"')));
        }
    }

    private static void check(Row row, ObjectNode answer, ObjectNode expected) {
        answer.remove(List.of("topic", "attempt"));
        answer.path("jobs").forEach(job -> ((ObjectNode) job).remove(List.of("topic", "attempt")));
        if (expected.has("error")) {
            assertThat(answer.path("error").asString())
                    .as(row.clause())
                    .contains(expected.path("error").asString());
            expected.set("error", answer.get("error"));
            // A command that failed names its job, if it named one.
            if (!expected.has("id")) {
                answer.remove("id");
            }
        }
        assertThat(answer.toString())
                .as(row.clause())
                .isEqualTo(inOrder(answer, expected).toString());
    }

    /** The expected answer, with its fields in the order of the actual one. */
    private static ObjectNode inOrder(ObjectNode answer, ObjectNode expected) {
        ObjectNode sorted = JSON.createObjectNode();
        answer.propertyNames().stream().filter(expected::has).forEach(name -> sorted.set(name, expected.get(name)));
        expected.propertyNames().forEach(name -> {
            if (!sorted.has(name)) {
                sorted.set(name, expected.get(name));
            }
        });
        return sorted;
    }

    @Test
    void aPopWaitsForTheFirstJob() {
        CompletableFuture<Answer> waiting = client.postAsync(PATH, "{'command':'pop','topic':'later','timeout':60}");
        send("{'command':'add','topic':'later','id':'later1','delay':1,'TTR':60,'body':'x'}");

        JsonNode popped = waiting.orTimeout(120, SECONDS).join().json();

        assertThat(popped.path("id").asString()).isEqualTo("later1");
        assertThat(popped.path("topic").asString()).isEqualTo("later");
        assertThat(popped.path("attempt").asInt()).isEqualTo(1);
    }

    @Test
    void aFinishIsACompletionAndADeleteACancellation() {
        send("{'command':'add','topic':'seen','id':'seen1','delay':0,'TTR':60,'body':'x'}");
        send("{'command':'add','topic':'seen','id':'seen2','delay':60,'TTR':60,'body':'x'}");
        send("{'command':'pop','topic':'seen','timeout':60}");
        assertThat(seen("seen1").path("state").asString()).isEqualTo("RESERVED");

        send("{'command':'finish','id':'seen1'}");
        send("{'command':'finish','id':'seen2'}");

        assertThat(seen("seen1").path("state").asString()).isEqualTo("COMPLETED");
        assertThat(seen("seen1").path("topic").asString()).isEqualTo("seen");
        assertThat(seen("seen1").path("headers").path("TTR").asString()).isEqualTo("60");
        assertThat(seen("seen2").path("state").asString()).isEqualTo("CANCELLED");
        assertThat(send("{'command':'delete','id':'seen1'}")
                        .json()
                        .path("success")
                        .asBoolean())
                .isFalse();
    }

    private JsonNode seen(String id) {
        return server.api().get("/queues/delay-queue.seen/jobs/" + id).json();
    }

    @Test
    void aJobComesBackEachTimeItsTimeToRunHasPassed() {
        send("{'command':'add','topic':'again','id':'again1','delay':0,'TTR':1,'body':'x'}");
        // More often than the attempts in a row after which jobs of other queues are quarantined.
        for (int attempt = 1; attempt <= 5; attempt++) {
            JsonNode popped =
                    send("{'command':'pop','topic':'again','timeout':60}").json();
            assertThat(popped.path("id").asString()).isEqualTo("again1");
            assertThat(popped.path("attempt").asInt()).isEqualTo(attempt);
        }
        await().pollDelay(Duration.ofMillis(1200)).until(() -> true);

        // A late finish ends it all the same.
        assertThat(send("{'command':'finish','id':'again1'}")
                        .json()
                        .path("success")
                        .asBoolean())
                .isTrue();
        assertThat(send("{'command':'pop','topic':'again','timeout':2}").json().has("id"))
                .isFalse();
    }

    /** The order of ready jobs is not stated. */
    @Test
    void aJobWhoseTimeToRunHasPassedGoesBeforeThoseThatWait() {
        // Again where the server was silent for so long that it leaves such jobs to their owners for a while.
        await().untilAsserted(() -> aJobWhoseTimeToRunHasPassedIsFirst("order" + UUID.randomUUID()));
    }

    private void aJobWhoseTimeToRunHasPassedIsFirst(String topic) {
        String first = topic + "-1";
        String second = topic + "-2";
        String add = "{'command':'add','topic':'%s','id':'%s','delay':0,'TTR':%d,'body':'x'}";
        send(add.formatted(topic, first, 1));
        String pop = "{'command':'pop','topic':'%s','timeout':60}".formatted(topic);
        assertThat(send(pop).json().path("id").asString()).isEqualTo(first);
        send(add.formatted(topic, second, 60));
        await().pollDelay(Duration.ofMillis(1200)).until(() -> true);

        assertThat(send(pop).json().path("id").asString()).isEqualTo(first);
        // Before its time to run has passed once more.
        send("{'command':'finish','id':'%s'}".formatted(first));
        assertThat(send(pop).json().path("id").asString()).isEqualTo(second);
    }

    @Test
    void aJobIsFoundWithoutTheIndexOfIds() {
        send("{'command':'add','topic':'found','id':'found1','delay':60,'TTR':1,'body':'x'}");
        String keys = server.bean(DelayJobRedis.class).keyPrefix();
        long forgotten =
                server.bean(DelayJobRedis.class).redisson().getKeys().delete(keys + ":server:delay-queue:found1");
        assertThat(forgotten).isEqualTo(1);

        assertThat(send("{'command':'delete','id':'found1'}")
                        .json()
                        .path("success")
                        .asBoolean())
                .isTrue();
        assertThat(send("{'command':'delete','id':'found1'}")
                        .json()
                        .path("success")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void anIdIsUniqueOverAllTopicsWhoeverIsFirst() {
        for (int round = 0; round < 20; round++) {
            String id = "race" + round;
            List<Boolean> added = IntStream.range(0, 4)
                    .mapToObj(topic -> client.postAsync(
                            PATH,
                            "{'command':'add','topic':'race%d','id':'%s','delay':60,'TTR':60,'body':'x'}"
                                    .formatted(topic, id)))
                    .toList()
                    .stream()
                    .map(answer -> answer.orTimeout(120, SECONDS)
                            .join()
                            .json()
                            .path("success")
                            .asBoolean())
                    .toList();

            assertThat(added).as(id).containsOnlyOnce(true);
            assertThat(IntStream.range(0, 4)
                            .filter(topic -> server.api()
                                            .get("/queues/delay-queue.race%d/jobs/%s".formatted(topic, id))
                                            .status()
                                    == 200))
                    .as(id)
                    .hasSize(1);
        }
    }

    @Test
    void anIdThatIsUsedOnceMoreIsNotedAnew() {
        String add = "{'command':'add','topic':'seen','id':'anew1','delay':60,'TTR':60,'body':'x'}";
        send(add);
        // Ended where the protocol does not hear of it, so its entry is left over.
        assertThat(server.api()
                        .send("DELETE", "/queues/delay-queue.seen/jobs/anew1", null)
                        .status())
                .isEqualTo(200);
        String key = server.bean(DelayJobRedis.class).keyPrefix() + ":server:delay-queue:anew1";
        RedissonClient redisson = server.bean(DelayJobRedis.class).redisson();
        redisson.getBucket(key).expire(Duration.ofSeconds(100));

        assertThat(send(add).json().path("success").asBoolean()).isTrue();

        assertThat(redisson.getBucket(key).remainTimeToLive())
                .isGreaterThan(Duration.ofDays(34).toMillis());
    }

    @Test
    void theUnfinishedJobOfAnIdIsFoundRatherThanOneThatIsKept() {
        send("{'command':'add','topic':'seen','id':'kept1','delay':60,'TTR':60,'body':'x'}");
        send("{'command':'delete','id':'kept1'}");
        send("{'command':'add','topic':'unseen','id':'kept1','delay':60,'TTR':60,'body':'x'}");
        server.bean(DelayJobRedis.class)
                .redisson()
                .getKeys()
                .delete(server.bean(DelayJobRedis.class).keyPrefix() + ":server:delay-queue:kept1");

        assertThat(send("{'command':'delete','id':'kept1'}")
                        .json()
                        .path("success")
                        .asBoolean())
                .isTrue();
        assertThat(server.api().get("/queues/delay-queue.unseen/jobs/kept1").status())
                .isEqualTo(404);
    }

    @Test
    void aLateFinishEndsTheReservationOfAnother() {
        send("{'command':'add','topic':'late','id':'late1','delay':0,'TTR':1,'body':'x'}");
        String pop = "{'command':'pop','topic':'late','timeout':60}";
        assertThat(send(pop).json().path("attempt").asInt()).isEqualTo(1);
        assertThat(send(pop).json().path("attempt").asInt()).isEqualTo(2);
        String finish = "{'command':'finish','id':'late1'}";

        assertThat(send(finish).json().path("success").asBoolean()).isTrue();
        assertThat(send(finish).json().path("error").asString()).contains("no such job");
    }

    @Test
    void severalJobsAreHandedOutAtOnce() {
        for (int i = 0; i < 5; i++) {
            send("{'command':'add','topic':'many','id':'many%d','delay':0,'TTR':60,'body':'x'}".formatted(i));
        }
        Set<String> popped = new TreeSet<>();
        await().until(() -> {
            JsonNode jobs = send("{'command':'pop','topic':'many','count':5,'timeout':1}")
                    .json()
                    .path("jobs");
            StreamSupport.stream(jobs.spliterator(), false)
                    .forEach(job -> popped.add(job.path("id").asString()));
            return popped.size() == 5;
        });
        assertThat(popped)
                .isEqualTo(IntStream.range(0, 5).mapToObj(i -> "many" + i).collect(Collectors.toSet()));
    }

    @Test
    void callersAreAnsweredInTheShapeOfTheProtocolWhateverIsWrong() {
        OldClient nobody = new OldClient(client.url(), "");
        OldClient worker = new OldClient(client.url(), token("worker", "work", "delay-queue.*"));
        OldClient other = new OldClient(client.url(), token("other", "work", "shop-*"));

        checkFailure(nobody.post(PATH, "{'command':'pop','topic':'t'}"), 401, "Authorization");
        checkFailure(
                worker.post(PATH, "{'command':'add','topic':'t','id':'a','delay':0,'TTR':1,'body':''}"), 403, "submit");
        checkFailure(other.post(PATH, "{'command':'pop','topic':'t'}"), 200, "delay-queue.t");
        checkFailure(client.get(PATH), 405, "POST");
        checkFailure(
                send("{'command':'add','topic':'t','id':'big','delay':0,'TTR':1,'body':'" + "x".repeat(300_000) + "'}"),
                200,
                "delayjob.max-param-size");
        checkFailure(send("{'command':'add','body':'" + "x".repeat(9_000_000) + "'}"), 413, "max-body-size");
        // A refused job has not taken its id.
        assertThat(send("{'command':'add','topic':'u','id':'big','delay':60,'TTR':1,'body':''}")
                        .json()
                        .path("success")
                        .asBoolean())
                .isTrue();
    }

    private String token(String name, String role, String queues) {
        return server.api()
                .post(
                        "/tokens",
                        "{\"name\": \"%s\", \"roles\": [\"%s\"], \"queues\": [\"%s\"]}".formatted(name, role, queues))
                .json()
                .path("token")
                .asString();
    }

    private static void checkFailure(Answer answer, int status, String error) {
        assertThat(answer.status()).as("%s", answer).isEqualTo(status);
        assertThat(answer.json().path("success").asBoolean(true)).isFalse();
        assertThat(answer.json().path("error").asString()).contains(error);
    }
}
