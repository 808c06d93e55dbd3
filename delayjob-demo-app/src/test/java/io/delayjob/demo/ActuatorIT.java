package io.delayjob.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.Limits;
import io.delayjob.demo.job.ParamDTO;
import io.delayjob.demo.job.TestDelayJob;
import io.delayjob.testing.RealRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.http.HttpMethod;
import tools.jackson.databind.JsonNode;

/** The actuator's endpoint and health of delayjob, where the application lets it act. */
@RealRedis
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "management.endpoint.delayjob.access=unrestricted",
            "management.endpoint.delayjobschedules.access=unrestricted",
            "management.endpoint.health.group.readiness.include=readinessState,delayjob",
            "management.prometheus.metrics.export.enabled=true",
            "delayjob.node=demo-node",
            "delayjob.health.timeout=30s",
            "delayjob.concurrency=2",
            "delayjob.max-attempts=1"
        })
final class ActuatorIT extends RunningDemo {

    private static final String MISSPELT = "ordres-" + UUID.randomUUID();

    private final String id = UUID.randomUUID().toString();

    private DelayJobRequest<ParamDTO> job(String suffix) {
        return DelayJobRequest.of(TestDelayJob.class, new ParamDTO("Ann", 1)).withId(id + suffix);
    }

    private Reply get(String path) {
        return demo.actuator(HttpMethod.GET, path, null);
    }

    private Reply post(String path, String body) {
        return demo.actuator(HttpMethod.POST, path, body);
    }

    @Test
    void tellsTheHealthOfTheNode() {
        Reply health = get("/health/delayjob");

        assertThat(health.status()).isEqualTo(200);
        assertThat(health.text("status")).isEqualTo("UP");
        JsonNode queue = health.body().at("/details/queues/default");
        assertThat(queue.propertyNames())
                .containsExactlyInAnyOrder("ready", "reserved", "overdue", "paused", "consumed", "workers", "free");
        assertThat(queue.path("overdue").asString()).startsWith("PT");
        assertThat(get("/health/readiness").text("status")).isEqualTo("UP");
    }

    @Test
    void showsTheSchedulesAndActsOnThem() {
        Reply one = Waits.soon().until(() -> get("/delayjobschedules/order-summary"), reply -> reply.status() == 200);
        assertThat(one.body().at("/schedule/every").asString()).isEqualTo("PT30S");
        assertThat(one.body().at("/schedule/queue").asString()).isEqualTo("default");
        assertThat(one.text("explanation")).startsWith("schedule 'order-summary': ");
        assertThat(get("/delayjobschedules").body().path("schedules").findValuesAsString("name"))
                .contains("order-summary");
        assertThat(get("/delayjobschedules?after=order-summary")
                        .body()
                        .path("schedules")
                        .isEmpty())
                .isTrue();
        assertThat(get("/delayjobschedules/none").status()).isEqualTo(404);

        Reply paused = post("/delayjobschedules/order-summary", "{\"action\":\"pause\"}");
        assertThat(paused.text("action")).isEqualTo("PAUSE");
        assertThat(get("/delayjobschedules/order-summary").text("explanation")).contains("it is paused");
        assertThat(post("/delayjobschedules/order-summary", "{\"action\":\"resume\"}")
                        .status())
                .isEqualTo(200);
        assertThat(post("/delayjobschedules/order-summary", "{\"action\":\"trigger\"}")
                        .text("id"))
                .contains("~extra");
        assertThat(post("/delayjobschedules/order-summary", "{\"action\":\"skip\"}")
                        .text("error"))
                .contains("action must be pause, resume or trigger, not 'skip'");
        assertThat(post("/delayjobschedules/none", "{\"action\":\"pause\"}").status())
                .isEqualTo(404);
    }

    @Test
    void letsPrometheusReadTheMeters() {
        demo.submit("name=Ann&delay=0&id=" + id);
        String completed = "delayjob_execution_seconds_count{job_name=\"" + TestDelayJob.class.getName()
                + "\",outcome=\"completed\",queue=\"default\"}";
        Waits.soon().untilAsserted(() -> assertThat(demo.meters()).contains(completed));
    }

    @Test
    void showsTheNodeAndItsQueues() {
        // Values that Redis does not give in time are left out.
        Reply node = Waits.soon()
                .until(
                        () -> get("/delayjob"),
                        reply -> reply.body().has("unconsumed")
                                && reply.body().at("/queues/default").has("counts"));

        assertThat(node.status()).isEqualTo(200);
        assertThat(node.body().propertyNames()).containsExactlyInAnyOrder("node", "consume", "queues", "unconsumed");
        assertThat(node.text("node")).isEqualTo("demo-node");
        JsonNode queue = node.body().at("/queues/default");
        assertThat(queue.propertyNames()).containsExactlyInAnyOrder("counts", "overdue", "here");
        assertThat(queue.path("counts").propertyNames())
                .containsExactlyInAnyOrder("delayed", "ready", "reserved", "dead", "finished", "paused");
        assertThat(queue.at("/here/workers").asInt()).isEqualTo(2);
        assertThat(queue.at("/here/faults").isEmpty()).isTrue();
    }

    /** The node's view of queues that no node runs is up to a minute old: before any test asks for it. */
    @BeforeAll
    static void submitToAQueueThatNoNodeRuns(@Autowired DelayJobProducer producer) {
        producer.submitDelayJob(DelayJobRequest.toTopic("any", 1).withQueue(MISSPELT), Duration.ZERO);
    }

    @Test
    void namesTheQueuesThatNoNodeRuns() {
        Waits.upTo(Duration.ofMinutes(3))
                .untilAsserted(() -> assertThat(get("/delayjob")
                                .body()
                                .at("/unconsumed/" + MISSPELT + "/ready")
                                .asInt())
                        .isEqualTo(1));
    }

    @Test
    void showsWhatRunsWhereWithoutItsParam() {
        demo.submit("name=SecretName&delay=0&sleepMillis=600000&id=" + id);
        // A node may run its first job before it has said that it is there.
        JsonNode queue = Waits.soon()
                .until(
                        () -> get("/delayjob/default").body(),
                        fleet -> running(fleet) != null && !fleet.path("nodes").isEmpty());

        assertThat(queue.propertyNames())
                .containsExactlyInAnyOrder("queue", "counts", "limits", "keys", "nodes", "running");
        assertThat(queue.path("keys").propertyNames())
                .containsExactlyInAnyOrder("held", "limitedJobs", "paused", "jobs", "longest");
        JsonNode node = queue.path("nodes").path(0);
        assertThat(node.propertyNames()).containsExactlyInAnyOrder("node", "workers", "free", "jobs");
        JsonNode job = Objects.requireNonNull(running(queue));
        assertThat(job.propertyNames())
                .containsExactlyInAnyOrder(
                        "id", "job", "state", "attempt", "dueAt", "submittedAt", "startedAt", "leaseExpiresAt", "node");
        assertThat(job.path("node").asString()).isEqualTo("demo-node");
        assertThat(queue.toString()).doesNotContain("SecretName");

        Reply cancelled = post("/delayjob/default/" + id, "{\"action\":\"cancel\"}");
        assertThat(cancelled.status()).isEqualTo(200);
        assertThat(cancelled.body()).hasToString("{\"done\":true,\"previous\":\"RESERVED\"}");
    }

    private @Nullable JsonNode running(JsonNode fleet) {
        Optional<JsonNode> found = fleet.path("running")
                .valueStream()
                .filter(job -> job.path("id").asString().equals(id))
                .findFirst();
        return found.orElse(null);
    }

    @Test
    void explainsReschedulesAndRunsAJob() {
        demo.submit("name=SecretName&delay=3600&id=" + id);

        Reply explained = get("/delayjob/default/" + id);
        assertThat(explained.status()).isEqualTo(200);
        assertThat(explained.body().propertyNames()).containsExactlyInAnyOrder("reason", "text", "job");
        assertThat(explained.text("reason")).isEqualTo("NOT_DUE");
        assertThat(explained.body().toString()).doesNotContain("SecretName");

        Reply later = post("/delayjob/default/" + id, "{\"action\":\"reschedule\",\"delay\":\"2h\"}");
        assertThat(later.body()).hasToString("{\"done\":true,\"previous\":\"DELAYED\"}");

        Reply now = post("/delayjob/default/" + id, "{\"action\":\"run-now\"}");
        assertThat(now.text("previous")).isEqualTo("DELAYED");
        Waits.soon().until(() -> demo.latest(id, "COMPLETED").isPresent());
    }

    @Test
    void pausesAndResumesAQueue() {
        Reply paused = post("/delayjob/default", "{\"action\":\"pause\"}");

        assertThat(paused.status()).isEqualTo(200);
        assertThat(paused.body()).hasToString("{\"queue\":\"default\",\"action\":\"PAUSE\"}");
        demo.submit("name=Ann&delay=0&id=" + id);
        assertThat(get("/delayjob/default").body().at("/counts/paused").asBoolean())
                .isTrue();
        Waits.soon().until(() -> get("/delayjob/default/" + id).text("reason").equals("PAUSED"));

        post("/delayjob/default", "{\"action\":\"resume\"}");
        Waits.soon().until(() -> demo.latest(id, "COMPLETED").isPresent());
    }

    @Test
    void pausesAndResumesOneKeyOnly(@Autowired DelayJobProducer producer) {
        Reply paused = post("/delayjob/default", "{\"action\":\"PAUSE\",\"key\":\"" + id + "\"}");

        assertThat(paused.status()).isEqualTo(200);
        assertThat(paused.body()).hasToString("{\"queue\":\"default\",\"action\":\"PAUSE\",\"key\":\"" + id + "\"}");
        JsonNode queue = get("/delayjob/default").body();
        assertThat(queue.at("/counts/paused").asBoolean()).isFalse();
        assertThat(queue.at("/keys/paused").valueStream().map(JsonNode::asString))
                .contains(id);
        producer.submitDelayJob(job("held").withKey(id), Duration.ZERO);
        producer.submitDelayJob(job("other").withKey(id + "-other"), Duration.ZERO);
        Waits.soon().until(() -> demo.latest(id + "other", "COMPLETED").isPresent());
        assertThat(get("/delayjob/default/" + id + "held").text("reason")).isEqualTo("LIMITED");

        Reply resumed = post("/delayjob/default", "{\"action\":\"RESUME\",\"key\":\"" + id + "\"}");
        assertThat(resumed.text("key")).isEqualTo(id);
        Waits.soon().until(() -> demo.latest(id + "held", "COMPLETED").isPresent());
    }

    @Test
    void showsTheLimitsOfAQueueAndItsKeys(@Autowired DelayJobAdmin admin) {
        String queue = "limited-" + id;
        assertThat(get("/delayjob/" + queue).body().path("limits")).hasToString("{\"set\":false,\"keys\":{}}");

        admin.setLimits(
                queue,
                Limits.NONE
                        .withConcurrency(40)
                        .withRate(new Limits.Rate(100, Duration.ofSeconds(1), 10))
                        .withPerKey(Limits.NONE.withConcurrency(2)));
        admin.setLimits(queue, "customer-42", Limits.NONE.withWeight(3));

        assertThat(get("/delayjob/" + queue).body().path("limits").toString().replace('"', '\''))
                .isEqualTo(
                        "{'concurrency':40,'rate':{'permits':100,'per':'PT1S','burst':10},'perKey':{'concurrency':2},"
                                + "'set':true,'keys':{'customer-42':{'weight':3}}}");
    }

    @Test
    void pausesNoMoreKeysThanAShardKeeps(@Autowired AsyncDelayJobAdmin admin) {
        String queue = "full-" + id;
        for (int some = 0; some < 10; some++) {
            CompletableFuture.allOf(IntStream.range(some * 1000, some * 1000 + 1000)
                            .mapToObj(n -> admin.pause(queue, "key-" + n))
                            .toArray(CompletableFuture[]::new))
                    .join();
        }

        Reply refused = post("/delayjob/" + queue, "{\"action\":\"pause\",\"key\":\"one more\"}");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.text("error"))
                .startsWith("key 'one more' of queue '" + queue + "' gets no limits of its own and no pause: 10000 ");

        post("/delayjob/" + queue, "{\"action\":\"resume\",\"key\":\"key-0\"}");
        assertThat(post("/delayjob/" + queue, "{\"action\":\"pause\",\"key\":\"one more\"}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void pausesNothingForAKeyThatIsNone() {
        assertThat(refusedKey("")).isEqualTo("key must have 1 to 128 characters: ''");
        assertThat(refusedKey("a".repeat(129))).startsWith("key must have 1 to 128 characters: ");
        assertThat(refusedKey("a\\u0000")).startsWith("key must not contain control characters");
        JsonNode queue = get("/delayjob/default").body();
        assertThat(queue.at("/counts/paused").asBoolean()).isFalse();
    }

    private String refusedKey(String key) {
        Reply refused = post("/delayjob/default", "{\"action\":\"pause\",\"key\":\"" + key + "\"}");
        assertThat(refused.status()).isEqualTo(400);
        return refused.text("error");
    }

    @Test
    void redrivesAndPurgesDeadJobs() {
        // Dead jobs of other tests would be counted too.
        post("/delayjob/default", "{\"action\":\"purge\",\"olderThan\":\"0s\"}");
        demo.submit("name=Ann&delay=0&fail=1&id=" + id);
        Waits.soon().until(() -> get("/delayjob/default/" + id).text("reason").equals("DEAD"));

        Reply redriven = post("/delayjob/default/" + id, "{\"action\":\"redrive\"}");
        assertThat(redriven.body()).hasToString("{\"done\":true,\"previous\":\"DEAD\"}");
        Waits.soon().until(() -> get("/delayjob/default/" + id).text("reason").equals("DEAD"));

        Reply all = post("/delayjob/default", "{\"action\":\"redrive\",\"limit\":10,\"perSecond\":100}");
        assertThat(all.body()).hasToString("{\"queue\":\"default\",\"action\":\"REDRIVE\",\"jobs\":1}");
        Waits.soon().until(() -> get("/delayjob/default/" + id).text("reason").equals("DEAD"));

        Reply purged = post("/delayjob/default", "{\"action\":\"purge\",\"olderThan\":\"0s\"}");
        assertThat(purged.body()).hasToString("{\"queue\":\"default\",\"action\":\"PURGE\",\"jobs\":1}");
        assertThat(get("/delayjob/default/" + id).status()).isEqualTo(404);
    }

    @Test
    void listsTheJobsOfAStatePageByPage() {
        for (int i = 0; i < 3; i++) {
            demo.submit("name=SecretName&delay=3600&id=" + id + i);
        }
        List<String> ids = new ArrayList<>();
        String cursor = "";
        do {
            Reply page = get("/delayjob/default?state=delayed&limit=2" + cursor);
            assertThat(page.status()).isEqualTo(200);
            assertThat(page.body().path("jobs").size()).isLessThanOrEqualTo(2);
            assertThat(page.body().toString()).doesNotContain("SecretName");
            page.body().path("jobs").forEach(job -> ids.add(job.path("id").asString()));
            cursor = "&cursor=" + page.text("next");
        } while (!cursor.equals("&cursor="));

        assertThat(ids).contains(id + 0, id + 1, id + 2).doesNotHaveDuplicates();
    }

    @Test
    void namesTheDeadJobs() {
        demo.submit("name=Ann&delay=0&fail=1&id=" + id);
        Waits.soon().until(() -> get("/delayjob/default/" + id).text("reason").equals("DEAD"));

        JsonNode dead = get("/delayjob/default?state=dead").body();
        assertThat(dead.propertyNames()).containsExactly("jobs");
        assertThat(dead.path("jobs").valueStream()).anySatisfy(job -> {
            assertThat(job.path("id").asString()).isEqualTo(id);
            assertThat(job.path("diedAt").asString()).isNotEmpty();
        });
    }

    @Test
    void knowsNoJobThatIsNotThere() {
        Reply explained = get("/delayjob/default/" + id);
        assertThat(explained.status()).isEqualTo(404);
        assertThat(explained.text("error")).startsWith("there is no job '" + id + "' in queue 'default': ");
        Reply cancelled = post("/delayjob/default/" + id, "{\"action\":\"cancel\"}");
        assertThat(cancelled.status()).isEqualTo(404);
        assertThat(cancelled.text("error")).isEqualTo(explained.text("error"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    /delayjob/default    | {}                       | action must be pause, resume, redrive or purge
                    /delayjob/default    | {'action':'dance'}       | action must be pause, resume, redrive or purge, not 'dance'
                    /delayjob/default    | {'action':'purge'}       | olderThan must be given, as in PT10M or 10m
                    /delayjob/default    | {'action':'purge','olderThan':'old'}  | olderThan must be a duration as in PT10M or 10m, not 'old'
                    /delayjob/default    | {'action':'redrive','limit':0}        | limit must be at least 1: 0
                    /delayjob/default    | {'action':'redrive','limit':'all'}    | limit must be a whole number, not 'all'
                    /delayjob/default    | {'action':'redrive','perSecond':0}    | perSecond must be 1 to 1000000: 0
                    /delayjob/default    | {'action':'redrive','key':'a'}        | key is for pause and resume only: leave key out to redrive dead jobs of all keys
                    /delayjob/default    | {'action':'purge','olderThan':'0s','key':'a'} | key is for pause and resume only: leave key out to purge dead jobs of all keys
                    /delayjob/def{ault}  | {'action':'pause'}       | queue must be 1 to 64 of the characters A-Z a-z 0-9 . _ - (a brace would break the Redis hash tag): 'def{ault}'
                    /delayjob/default/x  | {'action':'reschedule'}  | delay must be given, as in PT10M or 10m
                    /delayjob/default/x  | {'action':'walk'}        | action must be cancel, reschedule, run-now or redrive, not 'walk'
                    /delayjob/default/x  | {'action':'reschedule','delay':'-1s'} | delay must not be negative: PT-1S
                    """)
    void refusesWhatMakesNoSenseAndSaysWhy(String path, String body, String error) {
        Reply refused = post(path.replace("{", "%7B").replace("}", "%7D"), body.replace('\'', '"'));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("error")).isEqualTo(error);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    state=ded             | state must be delayed, ready, reserved, completed, dead or cancelled, not 'ded'
                    limit=5               | state must be delayed, ready, reserved, completed, dead or cancelled
                    state=dead&limit=1001 | limit must be 1 to 1000: 1001
                    state=dead&cursor=x   | cursor is not the next of a page of this queue: 'x'
                    """)
    void refusesToListWhatMakesNoSenseAndSaysWhy(String question, String error) {
        Reply refused = get("/delayjob/default?" + question);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("error")).isEqualTo(error);
    }
}
