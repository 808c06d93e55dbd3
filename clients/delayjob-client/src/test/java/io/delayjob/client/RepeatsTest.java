package io.delayjob.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.delayjob.Dedupe;
import io.delayjob.DelayJobException;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobSubmissionException;
import io.delayjob.SubmitResult;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.client.FakeServer.Heard;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Submits whose requests fail. */
class RepeatsTest {

    private static final Duration SHORT = Duration.ofMillis(2500);

    private static final String SCHEDULE =
            "{\"name\": \"nightly\", \"queue\": \"mail\", \"topic\": \"report\", \"cron\": \"0 0 3 * * *\", \"zone\": \"Z\","
                    + " \"gap\": \"SHIFT\", \"repeated\": \"FIRST\", \"jitter\": \"PT0S\", \"overlap\": \"SKIP\", \"catchUp\": \"LAST\","
                    + " \"window\": \"PT24H\", \"pauseAfter\": 0, \"revision\": 0, \"headers\": {}, \"paused\": false, \"waits\": false,"
                    + " \"fired\": 0, \"skipped\": 0, \"decisions\": []}";

    private final FakeServer server = new FakeServer();

    @AfterEach
    void close() {
        server.close();
    }

    private SubmitResult submit() {
        return submit(server.producer());
    }

    private static SubmitResult submit(HttpDelayJobProducer producer) {
        return producer.submit(DelayJobRequest.toTopic("greet", "Ann"), Duration.ofSeconds(3));
    }

    private JobSubmissionException failure() {
        return failure(server.producer());
    }

    /** The failure of a submit whose time comes to its end. */
    private JobSubmissionException lateFailure() {
        return failure(new HttpDelayJobProducer(server.settings().withTimeout(SHORT)));
    }

    /** Tries for so long, as the last try must leave time to connect: a minute, which no machine that stalls uses up. */
    private static HttpDelayJobProducer trying(HttpDelayJobSettings settings, Duration time) {
        Duration connect = Duration.ofMinutes(1);
        return new HttpDelayJobProducer(new HttpDelayJobSettings(
                settings.url(),
                settings.token(),
                settings.queue(),
                connect.plus(time),
                settings.mapper(),
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(connect)
                        .build(),
                settings.submitHeaders()));
    }

    private static JobSubmissionException failure(HttpDelayJobProducer producer) {
        JobSubmissionException failure = catchThrowableOfType(JobSubmissionException.class, () -> submit(producer));
        assertThat(failure).isNotNull();
        assertThat(failure.queue()).isEqualTo("mail");
        assertThat(failure.results()).extracting(SubmitResult::outcome).containsExactly(Outcome.UNCONFIRMED);
        assertThat(failure.results()).extracting(SubmitResult::id).isEqualTo(failure.jobIds());
        assertThat(failure).hasStackTraceContaining("called here").message().doesNotContain(FakeServer.TOKEN);
        return failure;
    }

    @Test
    void nothingIsStoredWhereNobodyListens() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        HttpDelayJobSettings settings =
                HttpDelayJobSettings.of("http://127.0.0.1:" + port, "t").withQueue("mail");

        JobSubmissionException failure = failure(trying(settings, Duration.ofSeconds(1)));

        assertThat(failure.outcome()).isEqualTo(JobSubmissionException.Outcome.NOT_STORED);
        assertThat(failure).hasMessageContaining("127.0.0.1:" + port).hasMessageContaining("delayjob.client.url");
    }

    @Test
    void aRequestWhoseAnswerWasLostIsRepeatedWithTheSameId() {
        server.thenCuts().thenExist();

        SubmitResult result = submit();

        assertThat(result.outcome()).isEqualTo(Outcome.STORED);
        assertThat(server.heard()).hasSize(2).extracting(Heard::ids).containsOnly(List.of(result.id()));
    }

    @Test
    void aJobWithAKeyIsRepeatedWithTheSameId() {
        server.thenCuts().thenExist();

        SubmitResult result =
                server.producer().submit(DelayJobRequest.toTopic("t").withKey("customer-42"), Duration.ZERO);

        assertThat(result.outcome()).isEqualTo(Outcome.STORED);
        assertThat(server.heard()).hasSize(2).extracting(Heard::ids).containsOnly(List.of(result.id()));
    }

    /** More often than a producer makes requests at once. */
    @Test
    void aRequestThatCannotBeMadeTakesNoOthersTurn() {
        HttpDelayJobSettings settings = server.settings();
        HttpDelayJobProducer producer = new HttpDelayJobProducer(new HttpDelayJobSettings(
                settings.url(),
                settings.token(),
                settings.queue(),
                settings.timeout(),
                settings.mapper(),
                settings.httpClient(),
                () -> Map.of("baggage", "Zürich\n")));

        assertTimeoutPreemptively(Duration.ofMinutes(2), () -> {
            for (int i = 0; i < 100; i++) {
                assertThatThrownBy(() -> submit(producer)).isInstanceOf(IllegalArgumentException.class);
            }
        });
    }

    @Test
    void anIdOfTheCallersExistsAfterARepeat() {
        server.thenCuts().thenExist();

        SubmitResult result =
                server.producer().submit(DelayJobRequest.toTopic("t").withId("mine"), Duration.ZERO);

        assertThat(result).isEqualTo(new SubmitResult("mail", "mine", Outcome.EXISTS));
    }

    @Test
    void aServerThatDoesNotKnowAFieldIsOlder() {
        server.thenAnswers(
                400,
                "{\"type\": \"urn:delayjob:problem:invalid-body\", \"detail\": \"unknown field 'tags' in the body\"}");

        assertThatThrownBy(this::submit)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("unknown field 'tags' in the body; the server is older than this client");
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 429, 502, 503, 504})
    void aServerThatCannotAnswerNowIsAskedAgain(int status) {
        server.thenAnswers(status, "").thenAnswers(status, "<html>busy</html>");

        assertThat(submit().outcome()).isEqualTo(Outcome.STORED);

        assertThat(server.heard())
                .hasSize(3)
                .extracting(Heard::ids)
                .containsOnly(server.heard().get(0).ids());
    }

    @Test
    void retryAfterIsObeyed() {
        server.thenRetryAfter(503, "1");
        long begun = System.nanoTime();

        assertThat(submit().outcome()).isEqualTo(Outcome.STORED);

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aWaitBeyondTheTimeoutEndsTheSubmitAtOnce() {
        server.thenRetryAfter(429, "3600");
        HttpDelayJobProducer patient =
                new HttpDelayJobProducer(server.settings().withTimeout(Duration.ofMinutes(30)));

        JobSubmissionException failure = assertTimeoutPreemptively(Duration.ofMinutes(2), () -> failure(patient));

        assertThat(failure.outcome()).isEqualTo(JobSubmissionException.Outcome.NOT_STORED);
        assertThat(server.heard()).hasSize(1);
    }

    @Test
    void theOutcomeIsWhatTheServerSays() {
        for (int i = 0; i < 100; i++) {
            server.thenAnswers(
                    503, FakeServer.problem("not-confirmed", "Redis refused it", ", \"outcome\": \"NOT_STORED\""));
        }

        JobSubmissionException failure = failure(trying(server.settings(), Duration.ofSeconds(5)));

        assertThat(failure.outcome()).isEqualTo(JobSubmissionException.Outcome.NOT_STORED);
        assertThat(failure).hasMessageContaining("503 (not-confirmed): Redis refused it");
        assertThat(server.heard().size()).isGreaterThan(1);
    }

    @Test
    void theOutcomeIsUnknownOnceATryMayHaveBeenStored() {
        server.thenCuts();
        for (int i = 0; i < 100; i++) {
            server.thenAnswers(
                    503, FakeServer.problem("not-confirmed", "Redis refused it", ", \"outcome\": \"NOT_STORED\""));
        }

        assertThat(lateFailure().outcome()).isEqualTo(JobSubmissionException.Outcome.UNKNOWN);
    }

    @Test
    void whatReplicasDidNotAcknowledgeIsNotRepeated() {
        server.thenAnswers(503, FakeServer.problem("not-confirmed", "1 of 2", ", \"outcome\": \"NOT_REPLICATED\""));

        assertThat(failure().outcome()).isEqualTo(JobSubmissionException.Outcome.NOT_REPLICATED);
        assertThat(server.heard()).hasSize(1);
    }

    @Test
    void anAnswerThatNeverComesLeavesTheOutcomeUnknown() {
        server.thenStalls();
        long begun = System.nanoTime();

        JobSubmissionException failure = lateFailure();

        assertThat(failure.outcome()).isEqualTo(JobSubmissionException.Outcome.UNKNOWN);
        assertThat(failure).hasMessageContaining("no answer within PT2.5S");
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(SHORT);
    }

    @Test
    void anAnswerThatNeverEndsLeavesTheOutcomeUnknown() {
        server.thenStallsInTheBody();

        assertThat(lateFailure().outcome()).isEqualTo(JobSubmissionException.Outcome.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "<html>welcome</html>",
                "{\"jobs\": []}",
                "{\"jobs\": [{\"id\": \"x\"}]}",
                "{\"jobs\": null}"
            })
    void anAnswerThatIsNoneLeavesTheOutcomeUnknown(String body) {
        server.thenAnswers(200, body);

        JobSubmissionException failure = failure();

        assertThat(failure.outcome()).isEqualTo(JobSubmissionException.Outcome.UNKNOWN);
        assertThat(failure).hasMessageContaining("delayjob.client.url");
        assertThat(server.heard()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "401, unauthenticated, the token is unknown, delayjob.client.token",
        "403, forbidden, token 'shop' needs the role submit, delayjob.client.token",
        "404, no-such-queue, token 'shop' knows no queue 'mail', delayjob.client.queue",
    })
    void aRefusedTokenIsReportedAtOnce(int status, String type, String detail, String setting) {
        server.thenProblem(status, type, detail);

        JobSubmissionException failure = failure();

        assertThat(failure.outcome()).isEqualTo(JobSubmissionException.Outcome.NOT_STORED);
        assertThat(failure).hasMessageContaining(detail).hasMessageContaining(setting);
        assertThat(server.heard()).hasSize(1);
    }

    @Test
    void anotherServerIsReportedAsOne() {
        server.thenAnswers(404, "<html>not found</html>");

        assertThat(failure())
                .hasMessageContaining("404: '<html>not found</html>'")
                .hasMessageContaining("delayjob.client.url");
    }

    @ParameterizedTest
    @CsvSource({"400, invalid-value", "413, body-too-large", "422, key-reused"})
    void aRefusedValueIsAnIllegalArgument(int status, String type) {
        server.thenProblem(status, type, "/jobs/0: param is too long").thenProblem(status, type, "again");

        assertThatThrownBy(this::submit)
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/jobs/0: param is too long");
        assertThatThrownBy(() -> server.producer()
                        .submitAsync(DelayJobRequest.toTopic("t"), Duration.ZERO)
                        .join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("again");
    }

    @Test
    void afterAFailedRequestTheRestIsNotSentAndEachJobHasItsResult() {
        server.thenStores(() -> {}).thenProblem(400, "invalid-value", "/jobs/0: param is too long");
        List<DelayJobRequest<Void>> requests = IntStream.range(0, 6)
                .mapToObj(i -> DelayJobRequest.toTopic("t").withId("j-" + i).withQueue("q-" + i % 3))
                .toList();

        JobSubmissionException failure = catchThrowableOfType(
                JobSubmissionException.class, () -> server.producer().submitAll(requests, Duration.ZERO));

        assertThat(server.heard()).hasSize(2);
        assertThat(failure.queue()).isEqualTo("q-1");
        assertThat(failure.jobIds()).containsExactly("j-1", "j-4");
        assertThat(failure.outcome()).isEqualTo(JobSubmissionException.Outcome.NOT_STORED);
        assertThat(failure).hasMessageContaining("param is too long");
        assertThat(failure.results())
                .extracting(SubmitResult::outcome)
                .containsExactly(
                        Outcome.STORED,
                        Outcome.UNCONFIRMED,
                        Outcome.UNCONFIRMED,
                        Outcome.STORED,
                        Outcome.UNCONFIRMED,
                        Outcome.UNCONFIRMED);
        assertThat(failure.getSuppressed())
                .filteredOn(JobSubmissionException.class::isInstance)
                .singleElement()
                .satisfies(unsent ->
                        assertThat(((JobSubmissionException) unsent).jobIds()).containsExactly("j-2", "j-5"));
    }

    @Test
    void theServerSaysWhichJobsOfARequestAreStored() {
        server.thenAnswers(
                503,
                FakeServer.problem(
                        "not-confirmed",
                        "one is not",
                        ", \"outcome\": \"NOT_REPLICATED\", \"jobs\": [{\"id\": \"a\", \"outcome\": \"STORED\"}, {\"id\": \"b\","
                                + " \"outcome\": \"UNCONFIRMED\"}]"));
        List<DelayJobRequest<Void>> requests = List.of(
                DelayJobRequest.toTopic("t").withId("a"),
                DelayJobRequest.toTopic("t").withId("b"));

        JobSubmissionException failure = catchThrowableOfType(
                JobSubmissionException.class, () -> server.producer().submitAll(requests, Duration.ZERO));

        assertThat(failure.jobIds()).containsExactly("b");
        assertThat(failure.results())
                .extracting(SubmitResult::outcome)
                .containsExactly(Outcome.STORED, Outcome.UNCONFIRMED);
    }

    @Test
    void aJobWhoseIdTheServerMakesIsNamedByItsKey() {
        server.thenAnswers(500, FakeServer.problem("internal", "failure x1", ""));

        JobSubmissionException failure = catchThrowableOfType(
                JobSubmissionException.class,
                () -> server.producer()
                        .submit(
                                DelayJobRequest.toTopic("t").withDedupe(Dedupe.untilStarted("reindex-7")),
                                Duration.ZERO));

        assertThat(failure.jobIds()).containsExactly("reindex-7");
        assertThat(failure.outcome()).isEqualTo(JobSubmissionException.Outcome.UNKNOWN);
        assertThat(failure).isInstanceOf(DelayJobException.class).hasMessageContaining("failure x1");
    }

    @Test
    void aTriggerWhoseAnswerIsLostIsRepeatedWithItsKey() {
        server.thenAnswers(200, SCHEDULE)
                .thenCuts()
                .thenAnswers(200, "{\"job\": {\"id\": \"j\", \"outcome\": \"STORED\"}}");
        SubmitResult triggered =
                new HttpDelayJobSchedules(server.settings()).trigger("nightly").orElseThrow();
        assertThat(triggered).isEqualTo(new SubmitResult("mail", "j", Outcome.STORED));
        List<String> keys = server.heard().stream()
                .filter(heard -> heard.path().endsWith("/schedules/nightly/trigger"))
                .map(heard -> heard.headers().getFirst("Idempotency-Key"))
                .toList();
        assertThat(keys).hasSize(2).doesNotContainNull().containsOnly(keys.get(0));
    }
}
