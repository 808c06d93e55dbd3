package io.delayjob.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.server.Api.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Workers over HTTP, with two servers of the same jobs. */
@EachServer
@SuppressWarnings("NullAway.Init")
class ClaimsApiIT {

    @Parameter
    private TestServer.Kind kind;

    private TestServer server;
    private TestServer other;
    private Api api;

    @BeforeParameterizedClassInvocation
    void start() {
        String prefix = TestServer.prefix();
        server = kind.start(prefix, new String[0]);
        other = kind.start(prefix, new String[0]);
        api = server.api();
    }

    @AfterParameterizedClassInvocation
    void stop() {
        server.close();
        other.close();
    }

    private void submit(String queue, String id, String delay) {
        Answer stored = api.post(
                "/queues/" + queue + "/jobs",
                "{\"id\": \"%s\", \"topic\": \"greet\", \"param\": {\"name\": \"Ann\"}, \"delay\": \"%s\"}"
                        .formatted(id, delay));
        assertThat(stored.status()).as("%s", stored).isEqualTo(201);
    }

    private static JsonNode one(Answer claimed) {
        assertThat(claimed.status()).as("%s", claimed).isEqualTo(200);
        assertThat(claimed.json().path("jobs")).hasSize(1);
        return claimed.json().path("jobs").get(0);
    }

    private static Answer settle(Api at, String handle, String rest) {
        return at.post("/settlements", "{\"settlements\": [{\"handle\": \"%s\", %s}]}".formatted(handle, rest));
    }

    private static boolean applied(Answer settled) {
        assertThat(settled.status()).as("%s", settled).isEqualTo(200);
        return settled.json().path("results").get(0).path("applied").asBoolean();
    }

    @Test
    void aJobGoesFromSubmitToCompleteOverTwoServers() {
        submit("whole", "a", "PT0S");

        JsonNode job = one(api.post("/queues/whole/claims", "{\"max\": 10, \"wait\": \"PT60S\", \"worker\": \"w-1\"}"));

        assertThat(job.path("id").asString()).isEqualTo("a");
        assertThat(job.path("topic").asString()).isEqualTo("greet");
        assertThat(job.path("param").path("name").asString()).isEqualTo("Ann");
        assertThat(job.path("attempt").asInt()).isEqualTo(1);
        assertThat(Instant.parse(job.path("leaseEndsAt").asString())).isAfter(Instant.now());
        JsonNode held = api.get("/queues/whole/jobs/a").json();
        assertThat(held.path("state").asString()).isEqualTo("RESERVED");
        assertThat(held.path("node").asString()).isEqualTo("w-1");

        String handle = job.path("handle").asString();
        assertThat(applied(settle(other.api(), handle, "\"action\": \"complete\", \"result\": {\"sent\": true}")))
                .isTrue();
        assertThat(applied(settle(api, handle, "\"action\": \"complete\""))).isFalse();
        assertThat(api.get("/queues/whole/jobs/a").status()).isEqualTo(404);
    }

    @Test
    void aClaimWaitsForTheFirstJobAndNeverGetsItEarly() {
        CompletableFuture<Answer> claim = api.postAsync("/queues/wait/claims", "{\"wait\": \"PT60S\"}");
        submit("wait", "a", "PT1S");

        JsonNode job = one(claim.orTimeout(120, SECONDS).join());

        assertThat(Instant.parse(job.path("dueAt").asString())).isBeforeOrEqualTo(Instant.now());
    }

    @Test
    void aClaimWithoutJobsIsAnsweredWhenItsWaitEnds() {
        Instant before = Instant.now();

        Answer claimed = api.post("/queues/nothing/claims", "{\"wait\": \"PT1S\"}");

        assertThat(claimed.response().body()).isEqualTo("{\"jobs\":[]}");
        assertThat(Duration.between(before, Instant.now())).isGreaterThanOrEqualTo(Duration.ofMillis(990));
    }

    @Test
    void anEmptyBodyClaimsOneJobAtOnce() {
        submit("empty", "a", "PT0S");
        submit("empty", "b", "PT0S");

        assertThat(one(api.post("/queues/empty/claims")).path("id").asString()).isEqualTo("a");
    }

    @Test
    void severalQueuesAreClaimedFromInTheirOrder() {
        submit("later", "b", "PT0S");
        submit("first", "a", "PT0S");

        assertThat(one(api.post("/claims", "{\"queues\": [\"first\", \"later\"]}"))
                        .path("queue")
                        .asString())
                .isEqualTo("first");
        assertThat(one(api.post("/claims", "{\"queues\": [\"first\", \"later\"]}"))
                        .path("queue")
                        .asString())
                .isEqualTo("later");
    }

    @Test
    void whoHungUpGetsNothing() throws IOException {
        submit("hang-up", "later", "PT1H");
        try (Socket worker = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            String body = "{\"wait\": \"PT60S\"}";
            worker.getOutputStream()
                    .write(("POST /api/v1/queues/hang-up/claims HTTP/1.1\r\n"
                                    + "Host: x\r\n"
                                    + "Content-Type: application/json\r\n"
                                    + "Authorization:"
                                    + " Bearer"
                                    + " " + TestServer.ADMIN + "\r\nContent-Length: "
                                    + body.length() + "\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));
            await().until(() -> isClaimedFrom(api, "hang-up"));
        }
        submit("hang-up", "a", "PT0S");

        JsonNode job = one(api.post("/queues/hang-up/claims", "{\"wait\": \"PT60S\"}"));

        assertThat(job.path("attempt").asInt()).isEqualTo(1);
    }

    private static boolean isClaimedFrom(Api api, String queue) {
        return api.get("/nodes").json().findValuesAsString("queue").contains(queue);
    }

    @Test
    void theLoadOfAQueueCountsItsJobsAndTheWorkersElsewhere() {
        List.of("a", "b", "c").forEach(id -> submit("load", id, "PT0S"));
        submit("load", "later", "PT1H");
        one(api.post("/queues/load/claims"));

        await().untilAsserted(() -> {
            JsonNode load = other.api().get("/queues/load/load").json();
            assertThat(load.path("jobs").asLong()).isEqualTo(3);
            assertThat(load.path("workers").asLong()).isEqualTo(1);
            assertThat(load.path("jobsPerWorker").asDouble()).isEqualTo(3);
            assertThat(load.path("overdueSeconds").asDouble()).isPositive();
        });
    }

    @Test
    void aClaimIsRepeatedByItsIdAtAnotherServer() {
        submit("repeat", "a", "PT0S");
        submit("repeat", "b", "PT0S");

        JsonNode first = one(api.post("/queues/repeat/claims", "{\"claimId\": \"c-1\"}"));
        JsonNode again = one(other.api().post("/queues/repeat/claims", "{\"claimId\": \"c-1\"}"));

        assertThat(again.path("id").asString()).isEqualTo(first.path("id").asString());
        assertThat(again.path("attempt").asInt()).isEqualTo(1);
    }

    @Test
    void aFailedAttemptIsRetriedUntilNoneIsLeft() {
        api.post("/queues/retry/jobs", "{\"id\": \"a\", \"topic\": \"t\", \"delay\": \"PT0S\", \"maxAttempts\": 2}");
        JsonNode first = one(api.post("/queues/retry/claims", "{\"wait\": \"PT60S\"}"));
        assertThat(applied(settle(
                        api,
                        first.path("handle").asString(),
                        "\"action\": \"retry\", \"delay\": \"PT0S\", \"error\": \"smtp down\"")))
                .isTrue();
        JsonNode second = one(api.post("/queues/retry/claims", "{\"wait\": \"PT60S\"}"));
        assertThat(second.path("attempt").asInt()).isEqualTo(2);
        assertThat(applied(settle(
                        api, second.path("handle").asString(), "\"action\": \"retry\", \"error\": \"smtp down\"")))
                .isTrue();

        JsonNode dead = api.get("/queues/retry/jobs/a").json();

        assertThat(dead.path("state").asString()).isEqualTo("DEAD");
        assertThat(dead.path("lastError").asString()).contains("attempt 2 of 2 failed: smtp down");
        assertThat(api.post("/queues/retry/redrive", "{\"limit\": 10}")
                        .json()
                        .path("redriven")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void leasesAreExtendedProgressIsSeenAndJobsAreGivenBackAndBuried() {
        submit("more", "a", "PT0S");
        String handle = one(api.post("/queues/more/claims", "{\"lease\": \"PT1M\"}"))
                .path("handle")
                .asString();

        assertThat(applied(settle(api, handle, "\"action\": \"extend\", \"lease\": \"PT10M\"")))
                .isTrue();
        assertThat(applied(settle(api, handle, "\"action\": \"progress\", \"progress\": {\"percent\": 40}")))
                .isTrue();
        JsonNode held = api.get("/queues/more/jobs/a").json();
        assertThat(Instant.parse(held.path("leaseEndsAt").asString()))
                .isAfter(Instant.now().plusSeconds(500));
        assertThat(held.path("progress").path("percent").asInt()).isEqualTo(40);

        assertThat(applied(settle(api, handle, "\"action\": \"release\""))).isTrue();
        JsonNode again = one(api.post("/queues/more/claims"));
        assertThat(again.path("attempt").asInt()).isEqualTo(1);
        assertThat(applied(settle(
                        api, again.path("handle").asString(), "\"action\": \"bury\", \"error\": \"no such mailbox\"")))
                .isTrue();
        assertThat(api.get("/queues/more/jobs/a").json().path("lastError").asString())
                .contains("no such mailbox");
    }

    @Test
    void aSettlementAfterTheLeaseEndedIsNotApplied() {
        submit("late", "a", "PT0S");
        String handle = one(api.post("/queues/late/claims", "{\"lease\": \"PT1S\"}"))
                .path("handle")
                .asString();
        JsonNode second = one(api.post("/queues/late/claims", "{\"wait\": \"PT60S\"}"));

        assertThat(second.path("attempt").asInt()).isEqualTo(2);
        assertThat(applied(settle(api, handle, "\"action\": \"complete\""))).isFalse();
    }

    @Test
    void aStoppingServerAnswersTheClaimsThatWait() {
        String prefix = TestServer.prefix();
        CompletableFuture<Answer> claim;
        try (TestServer stopping = kind.start(prefix, new String[0])) {
            stopping.api().post("/queues/stop/jobs", "{\"topic\": \"t\", \"delay\": \"PT1H\"}");
            claim = stopping.api().postAsync("/queues/stop/claims", "{\"wait\": \"PT60S\"}");
            Api stoppingApi = stopping.api();
            await().until(() -> isClaimedFrom(stoppingApi, "stop"));
        }

        assertThat(claim.orTimeout(120, SECONDS).join().response().body()).isEqualTo("{\"jobs\":[]}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"wait\": \"PT61S\"}     | invalid-value | PT1M1S",
                "{\"wait\": \"-PT1S\"}     | invalid-value | PT-1S",
                "{\"max\": 0}              | invalid-value | max",
                "{\"max\": 1001}           | invalid-value | 1001",
                "{\"lease\": \"PT0S\"}     | invalid-value | lease",
                "{\"worker\": \"a b\"}     | invalid-value | worker",
                "{\"claimId\": \"\"}       | invalid-value | id",
                "{\"queues\": [\"q\"]}     | invalid-value | queues",
                "{\"count\": 1}            | invalid-body  | count",
            })
    void refusesABadClaim(String body, String problem, String named) {
        Answer refused = api.post("/queues/bad/claims", body);

        assertThat(refused.status()).as("%s", refused).isEqualTo(400);
        assertThat(refused.problem()).isEqualTo(problem);
        assertThat(refused.json().path("detail").asString()).contains(named);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"handle\": \"x\", \"action\": \"complete\"}; invalid-value; 'x'",
                "{\"handle\": \"x\", \"action\": \"finish\"}; invalid-body; finish",
                "{\"handle\": \"%s\", \"action\": \"complete\", \"delay\": \"PT1S\"}; invalid-value; delay",
                "{\"handle\": \"%s\", \"action\": \"extend\"}; invalid-value; lease",
                "{\"handle\": \"%s\", \"action\": \"progress\", \"progress\": {\"percent\": 101}}; invalid-value; 101",
                "{\"handle\": \"%s\", \"action\": \"retry\", \"delay\": \"-PT1S\"}; invalid-value; delay",
                "{\"handle\": \"%s\", \"action\": \"release\", \"slowKey\": true}; invalid-value; release needs delay with slowKey: for how long",
                "{\"handle\": \"%s\", \"action\": \"release\", \"slowKey\": true, \"delay\": \"PT0S\"}; invalid-value; delay must be positive",
                "{\"handle\": \"%s\", \"action\": \"release\", \"slowKey\": true, \"delay\": \"PT1S\", \"error\": \"no\"}; invalid-value; error does not belong to release",
                "{\"handle\": \"%s\", \"action\": \"release\", \"slowKey\": false, \"delay\": \"PT1S\"}; invalid-value; delay belongs to release only with",
                "{\"handle\": \"%s\", \"action\": \"retry\", \"slowKey\": true}; invalid-value; slowKey does not belong to retry",
            })
    void refusesABadSettlementAndSettlesNothing(String settlement, String problem, String named) {
        submit("bad-settle", "a", "PT0S");
        String handle = one(api.post("/queues/bad-settle/claims", "{\"wait\": \"PT60S\"}"))
                .path("handle")
                .asString();

        Answer refused = api.post(
                "/settlements",
                "{\"settlements\": [{\"handle\": \"%s\", \"action\": \"complete\"}, %s]}"
                        .formatted(handle, settlement.formatted(handle)));

        assertThat(refused.status()).as("%s", refused).isEqualTo(400);
        assertThat(refused.problem()).isEqualTo(problem);
        assertThat(refused.json().path("detail").asString()).contains(named);
        assertThat(applied(settle(api, handle, "\"action\": \"complete\""))).isTrue();
    }
}
