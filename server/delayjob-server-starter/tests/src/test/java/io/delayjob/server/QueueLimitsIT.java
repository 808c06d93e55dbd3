package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.embedded.RedisCall;
import io.delayjob.server.Api.Answer;
import io.delayjob.testing.RedisServer;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** Keys and limits over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueueLimitsIT {

    /** Queues with four shards. */
    private static final String SHARDED = "sharded";

    private static final String SLOWED = "slowed";

    private final String prefix = TestServer.prefix();
    private TestServer server;
    private Api api;
    private int queues;

    @BeforeAll
    void start() {
        server = TestServer.start(prefix, new String[] {
            "delayjob.queues." + SHARDED + ".shards=4",
            "delayjob.queues." + SLOWED + ".shards=4",
            "delayjob.queues.shared.shards=4",
            "delayjob.queues.shared.limits.concurrency=4"
        });
        api = server.api();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private Answer put(String path, String body) {
        return api.send("PUT", path, body);
    }

    private static String detail(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        return answer.json().path("detail").stringValue();
    }

    private static void assertStatus(int status, Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
    }

    private String queue() {
        return "limited-" + ++queues;
    }

    private void submit(String queue, String id, String key) {
        assertStatus(
                201,
                api.post(
                        "/queues/" + queue + "/jobs",
                        "{\"id\": \"%s\", \"topic\": \"t\", \"delay\": \"PT0S\", \"key\": \"%s\"}".formatted(id, key)));
    }

    private void submit(String queue, String id) {
        assertStatus(
                201,
                api.post(
                        "/queues/" + queue + "/jobs",
                        "{\"id\": \"%s\", \"topic\": \"t\", \"delay\": \"PT0S\"}".formatted(id)));
    }

    private List<String> claim(String queue) {
        JsonNode jobs = claimed(queue);
        return jobs.valueStream().map(job -> job.path("id").stringValue()).toList();
    }

    private JsonNode claimed(String queue) {
        return api.post("/queues/" + queue + "/claims", "{\"max\": 9, \"wait\": \"PT0S\"}")
                .json()
                .path("jobs");
    }

    private void settle(JsonNode job, String how) {
        String handle = job.path("handle").stringValue();
        assertThat(api.post("/settlements", "{\"settlements\": [{\"handle\": \"%s\", %s}]}".formatted(handle, how))
                        .json()
                        .at("/results/0/applied")
                        .booleanValue())
                .isTrue();
    }

    /** Waits until a claim has made the server known to the queue, and returns what holds a job back. */
    private String limitOf(String queue, String id) {
        return await().until(
                        () -> api.get("/queues/" + queue + "/jobs/" + id + "/explanation")
                                .json(),
                        why -> why.path("reason").stringValue().equals("LIMITED"))
                .path("text")
                .stringValue();
    }

    @Test
    void limitsOfEachKeyHoldItsJobsBackAndSayWhoHasThePermits() {
        String queue = queue();
        JsonNode set = put("/queues/" + queue + "/limits", "{\"perKey\": {\"concurrency\": 1, \"order\": \"STRICT\"}}")
                .json();
        assertThat(set.path("set").booleanValue()).isTrue();
        assertThat(set.at("/perKey/concurrency").intValue()).isEqualTo(1);
        submit(queue, "a1", "a");
        submit(queue, "a2", "a");
        submit(queue, "b1", "b");
        assertThat(claim(queue)).containsExactlyInAnyOrder("a1", "b1");
        JsonNode limits = api.get("/queues/" + queue + "/limits").json();
        assertThat(limits.path("heldKeys").intValue()).isEqualTo(1);
        assertThat(limits.path("keyedJobs").intValue()).isEqualTo(1);
        assertThat(limits.at("/longest/0/key").stringValue()).isEqualTo("a");
        assertThat(limits.at("/longest/0/next").stringValue()).isEqualTo("a2");
        assertThat(limits.at("/longest/0/holders/0").stringValue()).isEqualTo("a1");
        assertThat(limitOf(queue, "a2")).isEqualTo("job 'a2': key 'a' runs as many jobs at once as it may, 1: a1");
        assertThat(api.get("/queues/" + queue + "/jobs/a2").json().path("key").stringValue())
                .isEqualTo("a");
        assertThat(api.delete("/queues/" + queue + "/limits").json().path("set").booleanValue())
                .isFalse();
        assertThat(claim(queue)).containsExactly("a2");
    }

    @Test
    void aDeadJobHoldsItsKeyInThatOrderUntilItIsRedriven() {
        String queue = queue();
        put("/queues/" + queue + "/limits", "{\"perKey\": {\"order\": \"STRICT_HOLD\"}}");
        submit(queue, "a1", "a");
        submit(queue, "a2", "a");
        settle(claimed(queue).path(0), "\"action\": \"bury\", \"error\": \"broken\"");
        assertThat(claim(queue)).isEmpty();
        assertThat(api.get("/queues/" + queue + "/limits")
                        .json()
                        .at("/longest/0/dead/0")
                        .stringValue())
                .isEqualTo("a1");
        assertThat(limitOf(queue, "a2"))
                .isEqualTo("job 'a2': key 'a' waits for jobs that are dead, because its order is STRICT_HOLD:"
                        + " redrive or purge a1");
        assertStatus(200, api.post("/queues/" + queue + "/jobs/a1/redrive"));
        assertThat(claim(queue)).containsExactly("a1");
    }

    @Test
    void aKeyHasLimitsOfItsOwnAndCanBePaused() {
        String queue = queue();
        JsonNode set = put(
                        "/queues/" + queue + "/limits/keys/customer%2042",
                        "{\"rate\": {\"permits\": 1, \"per\": \"PT1H\"}, \"weight\": 3}")
                .json();
        assertThat(set.at("/keys/customer 42/rate/per").stringValue()).isEqualTo("PT1H");
        assertThat(set.at("/keys/customer 42/weight").intValue()).isEqualTo(3);
        JsonNode key =
                api.get("/queues/" + queue + "/limits/keys/customer%2042").json();
        assertThat(key.path("set").booleanValue()).isTrue();
        assertThat(key.at("/limits/weight").intValue()).isEqualTo(3);
        assertThat(key.path("waiting").intValue()).isZero();
        assertThat(key.has("next")).isFalse();
        assertStatus(200, api.post("/queues/" + queue + "/limits/keys/other/pause"));
        submit(queue, "c1", "customer 42");
        submit(queue, "c2", "customer 42");
        submit(queue, "o1", "other");
        assertThat(claim(queue)).containsExactly("c1");
        assertThat(limitOf(queue, "o1")).isEqualTo("job 'o1': key 'other' is paused: resume it");
        assertThat(limitOf(queue, "c2"))
                .startsWith("job 'c2': the next job of key 'customer 42' may begin at ")
                .endsWith(" at the earliest, because of its rate");
        assertThat(api.get("/queues/" + queue + "/limits/keys/customer%2042")
                        .json()
                        .has("beginsAt"))
                .isTrue();
        assertStatus(200, api.post("/queues/" + queue + "/limits/keys/other/resume"));
        assertStatus(200, api.delete("/queues/" + queue + "/limits/keys/customer%2042"));
        assertThat(claim(queue)).containsExactlyInAnyOrder("c2", "o1");
    }

    @Test
    void theJobsThatHaveThePermitsOfTheQueueAreNamed() {
        String queue = queue();
        put("/queues/" + queue + "/limits", "{\"concurrency\": 2}");
        submit(queue, "a1", "a");
        submit(queue, "b1", "b");
        submit(queue, "c1", "c");
        assertThat(claim(queue)).containsExactlyInAnyOrder("a1", "b1");
        assertThat(limitOf(queue, "c1"))
                .isEqualTo("job 'c1': queue '" + queue + "' runs as many jobs at once as it may, 2: a1, b1");
    }

    @Test
    void aWorkerThatIsToldToSlowDownSlowsTheKey() {
        String queue = queue();
        submit(queue, "a1", "a");
        submit(queue, "b1", "b");
        JsonNode first = claimed(queue)
                .valueStream()
                .filter(job -> job.path("id").stringValue().equals("a1"))
                .findFirst()
                .orElseThrow();
        settle(first, "\"action\": \"release\", \"delay\": \"PT1H\", \"slowKey\": true");
        submit(queue, "a2", "a");
        submit(queue, "b2", "b");
        assertThat(claim(queue)).containsExactly("b2");
        assertThat(limitOf(queue, "a2"))
                .contains(" at the earliest, because a handler was told to slow down; of those");
    }

    @Test
    void aJobIsHeldBackByTheShareOfItsShard() {
        submit("shared", "first", "a");
        assertThat(claim("shared")).containsExactly("first");
        submit("shared", "second", "a");
        assertThat(limitOf("shared", "second"))
                .isEqualTo(
                        "job 'second': queue 'shared' runs as many jobs at once as it may in the shard of this one, 1: first");
    }

    @Test
    void aWorkerWithoutAKeyThatIsToldToSlowDownSlowsAllShardsOfTheQueue() {
        submit(SLOWED, "told");
        settle(claimed(SLOWED).path(0), "\"action\": \"release\", \"delay\": \"PT1H\", \"slowKey\": true");
        List<String> others = IntStream.range(0, 40).mapToObj(n -> "other-" + n).toList();
        others.forEach(id -> submit(SLOWED, id));
        others.forEach(id -> assertThat(limitOf(SLOWED, id)).contains("because a handler was told to slow down"));
        assertThat(claim(SLOWED)).isEmpty();
        assertStatus(200, api.post("/queues/" + SLOWED + "/resume", "{}"));
        assertThat(claim(SLOWED)).isNotEmpty();
    }

    @Test
    void refusesLimitsThatAreNone() {
        String queue = "/queues/" + queue() + "/limits";
        assertThat(detail(put(queue, "{\"concurrency\": 0}"))).contains("concurrency must be at least 1: 0");
        assertThat(detail(put(queue, "{\"rate\": {\"permits\": 0, \"per\": \"PT1S\"}}")))
                .contains("rate.permits must be at least 1: 0");
        assertThat(detail(put(queue, "{\"rate\": {\"permits\": 1, \"per\": \"PT0S\"}}")))
                .contains("rate.per must be 1 ms to 366 days: PT0S");
        assertThat(detail(put(queue, "{\"rate\": {\"permits\": 1, \"per\": \"PT1S\", \"burst\": -1}}")))
                .contains("rate.burst must be at least 0: -1");
        assertThat(detail(put(queue, "{\"perKey\": {\"concurrency\": 0}}")))
                .contains("perKey.concurrency must be at least 1: 0");
        assertThat(detail(put(queue + "/keys/" + "k".repeat(129), "{}"))).contains("key must have 1 to 128 characters");
        assertThat(api.get(queue).json().path("set").booleanValue()).isFalse();
    }

    @Test
    void refusesFewerJobsAtOnceThanShardsAndKeepsTheLimitsThatAreSet() {
        String path = "/queues/" + SHARDED + "/limits";
        assertStatus(200, put(path, "{\"concurrency\": 8}"));
        assertThat(detail(put(path, "{\"concurrency\": 3}")))
                .isEqualTo("concurrency must be at least the number of shards, 4, because each has a share of it: 3;"
                        + " raise it, or use fewer shards");
        assertThat(api.get(path).json().path("concurrency").intValue()).isEqualTo(8);
    }

    @Test
    void refusesAKeyAndADedupeKeyOfDifferentShardsAndStoresNothing() {
        String path = "/queues/" + SHARDED + "/jobs";
        String job =
                "{\"id\": \"a\", \"topic\": \"t\", \"delay\": \"PT1H\", \"key\": \"%s\", \"dedupe\": {\"key\": \"order-42\", \"scope\": \"UNTIL_FINISHED\"}}";
        assertThat(detail(api.post(path, job.formatted("customer-1"))))
                .isEqualTo(
                        "queue 'sharded' has 4 shards, and the key 'customer-1' belongs to another one than the dedupe"
                                + " key 'order-42'; leave one of them out, or use the same text for both");
        assertStatus(404, api.get(path + "/a"));
        assertStatus(201, api.post(path, job.formatted("order-42")));
        assertStatus(200, api.get(path + "/a"));
    }

    @Test
    void saysHowToMakeRoomWhenTenThousandKeysOfAShardHaveLimitsOrAPause() throws IOException {
        String queue = queue();
        String path = "/queues/" + queue + "/limits/keys/";
        assertStatus(200, put(path + "first", "{\"concurrency\": 1}"));
        pauseInRedis(queue, 9999);
        Answer refused = put(path + "another", "{\"concurrency\": 1}");
        assertStatus(429, refused);
        assertThat(refused.problem()).isEqualTo("too-many-requests");
        assertThat(refused.json().path("detail").stringValue())
                .isEqualTo("key 'another' of queue '" + queue
                        + "' gets no limits of its own and no pause: 10000 other keys"
                        + " of its shard have some; clear or resume some of them, or set limits for each key");
        assertStatus(429, api.post(path + "another/pause"));
        assertStatus(200, put(path + "first", "{\"concurrency\": 2}"));
        assertStatus(200, api.post(path + "paused-1/resume"));
        assertStatus(200, put(path + "another", "{\"concurrency\": 1}"));
    }

    /** Pauses many keys as the ledger does, with one command. */
    private void pauseInRedis(String queue, int keys) throws IOException {
        Stream<String> pauses =
                IntStream.rangeClosed(1, keys).boxed().flatMap(n -> Stream.of("paused:paused-" + n, "1"));
        String limits = prefix + ":{" + queue + ":0}:limits";
        String added = RedisCall.call(
                RedisServer.shared().url(),
                Stream.concat(Stream.of("HSET", limits), pauses).toArray(String[]::new));
        assertThat(added).isEqualTo(String.valueOf(keys));
    }
}
