package io.delayjob.client;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.JobSettlement;
import io.delayjob.LeaseLostException;
import io.delayjob.client.FakeServer.Answer;
import io.delayjob.client.FakeServer.Heard;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A worker whose claims and settlements are answered as a test says; else claims wait, and settlements are applied. */
@Execution(ExecutionMode.CONCURRENT)
class WorkerTest {

    private final FakeServer server = new FakeServer();
    private final Queue<Answer> toClaims = new ConcurrentLinkedQueue<>();
    private final Queue<Answer> toSettlements = new ConcurrentLinkedQueue<>();
    private final Queue<String> problems = new ConcurrentLinkedQueue<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private @Nullable HttpDelayJobWorker worker;

    @AfterEach
    void close() {
        end.countDown();
        if (worker != null) {
            worker.close();
        }
        server.close();
    }

    private static Answer jobs(Duration lease, String... ids) {
        String jobs = Stream.of(ids).map(id -> job(lease, id)).collect(Collectors.joining(","));
        return FakeServer.answer(200, "{\"jobs\": [" + jobs + "]}");
    }

    private static String job(Duration lease, String id) {
        return """
            {"queue": "mail", "id": "%s", "topic": "greet", "param": null, "headers": {}, "attempt": 1, "lease": "%s",
            "dueAt": "2030-01-31T08:00:00Z", "leaseEndsAt": "2030-01-31T08:00:09Z", "handle": "%s"}\
            """.formatted(id, lease, id);
    }

    private static Answer settled(boolean applied) {
        return (heard, exchange) -> {
            String results = settlements(heard)
                    .map(one -> "{\"applied\": " + applied + "}")
                    .collect(Collectors.joining(","));
            FakeServer.answer(200, "{\"results\": [" + results + "]}").to(heard, exchange);
        };
    }

    private static Answer refused() {
        return FakeServer.answer(400, FakeServer.problem("invalid-value", "no", ""));
    }

    private static Stream<String> settlements(Heard heard) {
        return heard.body()
                .path("settlements")
                .valueStream()
                .map(one -> one.path("action").asString("") + " "
                        + one.path("handle").asString(""));
    }

    private void work(JobHandler handler) {
        work(server.settings(), handler);
    }

    private void answerAsTold() {
        server.usually((heard, exchange) -> {
            boolean claims = heard.path().endsWith("/claims");
            Answer told = (claims ? toClaims : toSettlements).poll();
            Answer usual = claims ? server.stall() : settled(true);
            (told == null ? usual : told).to(heard, exchange);
        });
    }

    private void work(HttpDelayJobSettings settings, JobHandler handler) {
        answerAsTold();
        HttpDelayJobWorker begun = new HttpDelayJobWorker(
                settings,
                WorkerSettings.of("mail")
                        .withConcurrency(1)
                        .withGrace(Duration.ZERO)
                        .withProblems(this::tell),
                handler);
        worker = begun;
        new Thread(begun::run, "worker").start();
    }

    /** A receiver of problems that fails: the worker goes on. */
    private void tell(String problem) {
        problems.add(problem);
        throw new IllegalStateException(problem);
    }

    private List<Heard> heard(String path) {
        return server.heard().stream()
                .filter(heard -> heard.path().endsWith(path))
                .toList();
    }

    /** The settlements of each request so far. */
    private List<List<String>> settled() {
        return heard("/settlements").stream()
                .map(heard -> settlements(heard).toList())
                .toList();
    }

    private static void until(Callable<Boolean> condition) {
        await().atMost(1, MINUTES).until(condition);
    }

    private static Duration between(Heard one, Heard other) {
        return Duration.ofNanos(other.atNanos() - one.atNanos());
    }

    @Test
    void aClaimIsNotMadeAgainBeforeRetryAfter() {
        toClaims.add(FakeServer.retryAfter(429, "3"));

        work(server.settings().withTimeout(Duration.ofSeconds(2)), job -> {});

        until(() -> heard("/claims").size() >= 2);
        assertThat(between(heard("/claims").get(0), heard("/claims").get(1)))
                .isGreaterThanOrEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void aSettlementIsNotSentAgainBeforeRetryAfter() {
        toClaims.add(jobs(Duration.ofSeconds(30), "a"));
        toSettlements.add(FakeServer.retryAfter(503, "3"));

        work(server.settings().withTimeout(Duration.ofSeconds(2)), job -> {});

        until(() -> heard("/settlements").size() == 2);
        assertThat(between(heard("/settlements").get(0), heard("/settlements").get(1)))
                .isGreaterThanOrEqualTo(Duration.ofSeconds(3));
    }

    @ParameterizedTest
    @CsvSource({"PT-5S, PT1S", "PT0S, PT1S", "PT5S, PT5S", "PT24H, PT1M", ", PT1S"})
    void retryAfterIsObeyedForAMinuteAtMost(@Nullable Duration retryAfter, Duration pause) {
        Problem problem = new Problem(429, "", "", null, List.of(), retryAfter);

        assertThat(new CallException("busy", false, problem, null).pause()).isEqualTo(pause);
    }

    @Test
    void oneExtensionOfALeaseIsUnderWayAndNoneBehindIt() {
        toClaims.add(jobs(Duration.ofSeconds(1), "a"));
        for (int i = 0; i < 6; i++) {
            toSettlements.add(FakeServer.cut());
        }

        work(job -> end.await());

        until(() -> heard("/settlements").size() >= 9);
        assertThat(settled()).allMatch(List.of("extend a")::equals);
    }

    @Test
    void aSilentConnectionCostsNoLease() {
        toClaims.add(jobs(Duration.ofSeconds(4), "a"));
        toSettlements.add(server.stall());

        work(job -> end.await());

        until(() -> heard("/settlements").size() >= 2);
        assertThat(settled()).startsWith(List.of("extend a"), List.of("extend a"));
    }

    @Test
    void aLeaseWhoseExtensionIsRepeatedAndNotAppliedIsLost() {
        toClaims.add(jobs(Duration.ofSeconds(30), "a"));
        toSettlements.add(FakeServer.cut());
        toSettlements.add(settled(false));
        Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();

        work(job -> {
            try {
                job.extendLease(Duration.ofSeconds(60));
            } catch (LeaseLostException e) {
                thrown.add(e);
            }
        });

        until(() -> heard("/settlements").size() == 3);
        assertThat(thrown).hasSize(1);
    }

    @Test
    void aJobOfARepeatedClaimWhoseLeaseIsLostDoesNotRun() {
        toClaims.add(FakeServer.cut());
        toClaims.add(jobs(Duration.ofSeconds(30), "a"));
        toSettlements.add(FakeServer.cut());
        toSettlements.add(settled(false));
        toClaims.add(jobs(Duration.ofSeconds(30), "b"));
        Queue<String> ran = new ConcurrentLinkedQueue<>();

        work(job -> ran.add(job.claimed().id()));

        until(() -> heard("/settlements").size() == 3);
        assertThat(settled()).containsExactly(List.of("extend a"), List.of("extend a"), List.of("complete b"));
        assertThat(ran).containsExactly("b");
    }

    @Test
    void ofReportsThatWaitTheLastIsSent() {
        toClaims.add(jobs(Duration.ofSeconds(30), "a"));
        CountDownLatch reported = new CountDownLatch(1);
        toSettlements.add((heard, exchange) -> {
            reported.await();
            settled(true).to(heard, exchange);
        });

        work(job -> {
            for (int percent = 0; percent <= 100; percent++) {
                job.progress(percent, "");
            }
            reported.countDown();
        });

        until(() -> settled().stream().mapToInt(List::size).sum() == 3);
        assertThat(settled().stream().flatMap(List::stream)).containsExactly("progress a", "progress a", "complete a");
        assertThat(heard("/settlements")
                        .get(1)
                        .body()
                        .at("/settlements/0/progress/percent")
                        .intValue())
                .isEqualTo(100);
    }

    @Test
    void anAttemptWhoseExceptionCannotBeReadIsSettledToo() {
        toClaims.add(jobs(Duration.ofSeconds(30), "a"));

        work(job -> {
            throw new Unreadable();
        });

        until(() -> !settled().isEmpty());
        assertThat(settled()).containsExactly(List.of("retry a"));
        assertThat(heard("/settlements")
                        .get(0)
                        .body()
                        .at("/settlements/0/error")
                        .asString())
                .contains(Unreadable.class.getName());
    }

    @Test
    void ofALongExceptionIsSentWhatTheServerKeeps() {
        toClaims.add(jobs(Duration.ofSeconds(30), "a"));

        work(job -> {
            throw new IllegalStateException("long ".repeat(10_000));
        });

        until(() -> !settled().isEmpty());
        assertThat(heard("/settlements")
                        .get(0)
                        .body()
                        .at("/settlements/0/error")
                        .asString())
                .hasSize(8193)
                .startsWith("java.lang.IllegalStateException: long long");
    }

    private static final class Unreadable extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }

    @Test
    void aReceiverOfProblemsThatFailsCostsNoRoom() {
        toClaims.add(jobs(Duration.ofSeconds(30), "a"));
        toClaims.add(jobs(Duration.ofSeconds(30), "b"));
        toSettlements.add(refused());

        work(job -> {});

        until(() -> settled().contains(List.of("complete b")));
        assertThat(problems).singleElement().asString().contains("job 'a'");
    }

    private WorkerSettler settler() {
        answerAsTold();
        return new WorkerSettler(server.claims(), () -> Duration.ofSeconds(3));
    }

    private static JobSettlement complete(String handle) {
        return new JobSettlement.Complete(handle, null);
    }

    @Test
    void aSettlementThatIsRefusedAfterALostAnswerStopsNoOther() {
        WorkerSettler settler = settler();
        CountDownLatch all = new CountDownLatch(1);
        toSettlements.add((heard, exchange) -> {
            all.await();
            settled(true).to(heard, exchange);
        });
        toSettlements.add(FakeServer.cut());
        toSettlements.add(refused());
        toSettlements.add(refused());

        CompletableFuture<Boolean> first = settler.settle(complete("first"));
        CompletableFuture<Boolean> bad = settler.settle(complete("bad"));
        CompletableFuture<Boolean> good = settler.settle(complete("good"));
        all.countDown();

        assertThat(first).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(false);
        assertThat(good).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(false);
        assertThat(bad).isCompletedExceptionally();
    }

    @Test
    void aResultThatIsTooDeepToBeSentStopsNoOther() {
        String deep = "[".repeat(499) + "]".repeat(499);
        WorkerSettler settler = settler();

        assertThat(settler.settle(new JobSettlement.Complete("bad", deep)))
                .failsWithin(Duration.ofMinutes(1))
                .withThrowableThat()
                .withCauseInstanceOf(IllegalArgumentException.class);
        assertThat(settler.settle(complete("good")))
                .succeedsWithin(Duration.ofMinutes(1))
                .isEqualTo(false);
        assertThatThrownBy(() -> Json.checkResult(deep)).isInstanceOf(IllegalArgumentException.class);
    }
}
