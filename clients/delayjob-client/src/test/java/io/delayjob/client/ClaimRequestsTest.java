package io.delayjob.client;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.Backoff;
import io.delayjob.ClaimedJob;
import io.delayjob.Dedupe;
import io.delayjob.DelayJobException;
import io.delayjob.JobClaim;
import io.delayjob.JobOptions;
import io.delayjob.JobSettlement;
import io.delayjob.Progress;
import io.delayjob.client.FakeServer.Heard;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Claims and settlements whose requests are answered as a test says. */
class ClaimRequestsTest {

    private static final String JOB = """
        {"queue": "mail", "id": "a", "topic": "greet", "param": {"price": 1.10, "count": 12345678901234567890}, "headers":
        {"shop": "7"}, "attempt": 2, "dueAt": "2030-01-31T08:00:00.123Z", "leaseEndsAt": "2030-01-31T08:00:09Z", "handle": "h-1"}\
        """;

    private final FakeServer server = new FakeServer();

    @AfterEach
    void close() {
        server.close();
    }

    private static String jobs(String... jobs) {
        return "{\"jobs\": [" + String.join(",", jobs) + "]}";
    }

    @Test
    void jobsAreReadAsTheyAre() throws InterruptedException {
        server.thenAnswers(200, jobs(JOB, JOB.replace("{\"price\": 1.10, \"count\": 12345678901234567890}", "null")));
        JobClaim claim = JobClaim.of(List.of("mail", "sms"))
                .withMax(10)
                .withLease(Duration.ofSeconds(30))
                .withWorker("w-1")
                .withId("c-1");

        List<ClaimedJob> claimed = server.claims().claim(claim);

        assertThat(claimed.get(0))
                .isEqualTo(new ClaimedJob(
                        "mail",
                        "a",
                        "greet",
                        "{\"price\":1.10,\"count\":12345678901234567890}",
                        Map.of("shop", "7"),
                        2,
                        Instant.parse("2030-01-31T08:00:00.123Z"),
                        Instant.parse("2030-01-31T08:00:00.123Z"),
                        Instant.parse("2030-01-31T08:00:09Z"),
                        JobOptions.NONE,
                        "h-1"));
        assertThat(claimed.get(1).param()).isEqualTo("null");
        assertThat(server.heard().get(0).path()).isEqualTo("/api/v1/claims");
        assertThat(server.heard().get(0).body()).isEqualTo(Json.MAPPER.readTree("""
            {"queues": ["mail", "sms"], "max": 10, "wait": "PT0S", "lease": "PT30S", "worker": "w-1", "claimId": "c-1"}
            """));
    }

    @Test
    void optionsOfAJobAreReadWhereTheServerTellsThem() throws InterruptedException {
        JobOptions options = new JobOptions(
                7,
                Backoff.fixed(Duration.ofSeconds(3)),
                Duration.ofSeconds(40),
                Duration.ofSeconds(9),
                Duration.ofHours(2),
                9,
                "customer-42",
                Dedupe.within("key", Duration.ofMinutes(1)),
                List.of("vip"));
        String fields = Json.MAPPER.writeValueAsString(options);
        server.thenAnswers(
                200,
                jobs(JOB.replace(
                        "\"handle\"",
                        "\"submittedAt\": \"2030-01-30T00:00:00Z\", "
                                + fields.substring(1, fields.length() - 1)
                                + ", \"handle\"")));

        ClaimedJob claimed = server.claims().claim(JobClaim.of("mail")).get(0);

        assertThat(claimed.options()).isEqualTo(options);
        assertThat(claimed.submittedAt()).isEqualTo(Instant.parse("2030-01-30T00:00:00Z"));
    }

    @Test
    void aClaimIsRepeatedForWhatIsLeftOfItsWait() throws InterruptedException {
        server.thenRetryAfter(503, "1").thenCuts().thenAnswers(200, jobs());

        List<ClaimedJob> claimed = server.claims().claim(JobClaim.of("mail").withMaxWait(Duration.ofMinutes(1)));

        assertThat(claimed).isEmpty();
        assertThat(server.heard())
                .extracting(heard -> Duration.parse(heard.body().path("wait").asString()))
                .hasSize(3)
                .isSortedAccordingTo((one, other) -> other.compareTo(one))
                .satisfies(waits -> assertThat(waits.get(0)).isGreaterThan(Duration.ofSeconds(30)))
                .satisfies(waits -> assertThat(waits.get(1)).isLessThanOrEqualTo(Duration.ofSeconds(59)));
        assertThat(server.heard()).noneMatch(heard -> heard.body().has("claimId"));
    }

    @Test
    void aCancelledClaimHangsUp() throws IOException, InterruptedException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            HttpDelayJobClaims claims =
                    new HttpDelayJobClaims(HttpDelayJobSettings.of("http://127.0.0.1:" + socket.getLocalPort(), "t"));
            CompletableFuture<List<ClaimedJob>> claim =
                    claims.claimAsync(JobClaim.of("mail").withMaxWait(Duration.ofSeconds(60)));
            try (Socket connection = socket.accept()) {
                connection.setSoTimeout(120_000);
                assertThat(connection.getInputStream().read()).isEqualTo('P');

                claim.cancel(true);

                while (connection.getInputStream().read() >= 0) {}
            }
            assertThat(claim).isCancelled();
        }
    }

    @Test
    void anInterruptedClaimIsCancelled() throws InterruptedException {
        server.thenStalls();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread worker = new Thread(() -> {
            try {
                server.claims().claim(JobClaim.of("mail").withMaxWait(Duration.ofSeconds(60)));
            } catch (InterruptedException e) {
                thrown.set(e);
            }
        });
        worker.start();
        await().until(() -> server.heard().size() == 1);

        worker.interrupt();
        worker.join(120_000);

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    }

    @Test
    void jobsThatArriveAfterTheCancelAreGivenBack() throws InterruptedException {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        Call.Request<List<ClaimedJob>> slow = new Call.Request<>(
                "/claims",
                Map.of(),
                () -> Json.bytes(Map.of()),
                answer -> {
                    reading.countDown();
                    awaitQuietly(cancelled);
                    return Json.read(answer, Json.Claimed.class).claimed();
                },
                Duration.ofMinutes(2),
                unwanted -> server.claims()
                        .settle(List.of(
                                new JobSettlement.Release(unwanted.get(0).handle()))));
        server.thenAnswers(200, jobs(JOB))
                .thenAnswers(200, "{\"results\": [{\"handle\": \"h-1\", \"applied\": true}]}");

        CompletableFuture<List<ClaimedJob>> claim = new Call<>(server.settings(), slow, System.nanoTime()).begin();
        assertThat(reading.await(2, MINUTES)).isTrue();
        claim.cancel(true);
        cancelled.countDown();

        await().until(() -> server.heard().size() == 2);
        assertThat(server.heard().get(1).body())
                .isEqualTo(Json.MAPPER.readTree("{\"settlements\": [{\"handle\": \"h-1\", \"action\": \"release\"}]}"));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(2, MINUTES)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void everySettlementIsSent() {
        server.thenAnswers(
                200,
                "{\"results\": [%s]}"
                        .formatted(String.join(
                                ",",
                                List.of("true", "false", "true", "true", "true", "true", "true").stream()
                                        .map(applied -> "{\"handle\": \"h\", \"applied\": " + applied + "}")
                                        .toList())));

        List<Boolean> applied = server.claims()
                .settle(List.of(
                        new JobSettlement.Complete("h-1", null),
                        new JobSettlement.Complete("h-2", "{\"price\": 1.10}"),
                        new JobSettlement.Retry("h-3", Duration.ofMillis(1500), "down \uD83D"),
                        new JobSettlement.Bury("h-4", "no such mailbox"),
                        new JobSettlement.Release("h-5"),
                        new JobSettlement.Extend("h-6", Duration.ofSeconds(30)),
                        new JobSettlement.Report("h-7", new Progress(40, "half"))));

        assertThat(applied).containsExactly(true, false, true, true, true, true, true);
        Heard heard = server.heard().get(0);
        assertThat(heard.path()).isEqualTo("/api/v1/settlements");
        assertThat(heard.body()).isEqualTo(Json.MAPPER.readTree("""
            {"settlements": [{"handle": "h-1", "action": "complete"},
            {"handle": "h-2", "action": "complete", "result": {"price": 1.10}},
            {"handle": "h-3", "action": "retry", "delay": "PT1.5S", "error": "down \\ud83d"},
            {"handle": "h-4", "action": "bury", "error": "no such mailbox"},
            {"handle": "h-5", "action": "release"},
            {"handle": "h-6", "action": "extend", "lease": "PT30S"},
            {"handle": "h-7", "action": "progress", "progress": {"percent": 40, "text": "half"}}]}
            """));
    }

    @Test
    void refusesWhatCannotBeSettledBeforeAnythingIsSent() {
        HttpDelayJobClaims claims = server.claims();
        List<JobSettlement> many = new ArrayList<>();
        for (int i = 0; i < 1001; i++) {
            many.add(new JobSettlement.Release("h"));
        }

        assertThatThrownBy(() -> claims.settle(many))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1001");
        assertThatThrownBy(() -> claims.settle(List.of(new JobSettlement.Complete("h", "{}, {"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("result");
        assertThat(claims.settle(List.of())).isEmpty();
        assertThat(server.heard()).isEmpty();
    }

    @Test
    void aLostSettlementIsRepeated() {
        server.thenCuts().thenAnswers(200, "{\"results\": [{\"handle\": \"h\", \"applied\": false}]}");

        assertThat(server.claims().settle(List.of(new JobSettlement.Release("h"))))
                .containsExactly(false);
        assertThat(server.heard()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "401, unauthenticated, delayjob.client.token",
        "403, forbidden, delayjob.client.token",
        "404, no-such-queue, delayjob.client.queue",
        "500, internal, detail",
    })
    void aRefusedClaimFails(int status, String type, String named) {
        server.thenProblem(status, type, "detail").thenProblem(status, type, "detail");

        assertThatThrownBy(() -> server.claims().claim(JobClaim.of("mail")))
                .isInstanceOf(DelayJobException.class)
                .hasMessageContaining("detail")
                .hasMessageContaining(named);
        assertThatThrownBy(() -> server.claims().settle(List.of(new JobSettlement.Release("h"))))
                .isInstanceOf(DelayJobException.class)
                .hasMessageContaining("detail");
        assertThat(server.heard()).hasSize(2);
    }

    @Test
    void anUnknownHandleIsAnIllegalArgument() {
        server.thenProblem(400, "invalid-value", "not a handle of a claimed job: 'h'");

        assertThatThrownBy(() -> server.claims().settle(List.of(new JobSettlement.Release("h"))))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not a handle of a claimed job: 'h'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "{\"jobs\": [{\"id\": \"a\"}]}", "{\"jobs\": [null]}", "welcome"})
    void anAnswerThatIsNoneFails(String body) {
        server.thenAnswers(200, body);

        assertThatThrownBy(() -> server.claims().claim(JobClaim.of("mail")))
                .isInstanceOf(DelayJobException.class)
                .hasMessageContaining("delayjob.client.url");
    }

    @Test
    void aClaimThatIsNeverAnsweredFailsSoonAfterItsWait() {
        server.thenStalls();
        HttpDelayJobClaims claims = new HttpDelayJobClaims(server.settings().withTimeout(Duration.ofMillis(500)));
        long begun = System.nanoTime();

        assertThatThrownBy(() -> claims.claim(JobClaim.of("mail").withMaxWait(Duration.ofSeconds(1))))
                .isInstanceOf(DelayJobException.class)
                .hasMessageContaining("no answer within PT1.5S");

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(1500));
    }
}
