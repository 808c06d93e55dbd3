package io.delayjob.delivery.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.ClaimedJob;
import io.delayjob.JobOptions;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.spi.DeliveryOutcome;
import io.delayjob.support.Checks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each job gets the answer to its own call, whatever a target writes to its connection, and whenever. */
@Execution(ExecutionMode.CONCURRENT)
class AnswersOfTargetsTest {

    /** Timeout of a call that leaves time for its connection, even on a machine that stalls. */
    private static final Duration STALL = Duration.ofSeconds(4);

    private static final String FAILED = "HTTP/1.1 500 No\r\nContent-Length: 3\r\n\r\nown";
    private static final String DONE = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst";
    private static final String STRANGERS = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nstrangers";

    private RawTarget target;
    private HttpCalls calls;

    @BeforeEach
    void open() throws IOException {
        target = new RawTarget();
        calls = new HttpCalls(
                new AddressRules(List.of(), List.of("127.0.0.1")),
                java.net.InetAddress::getAllByName,
                Duration.ofHours(1));
    }

    @AfterEach
    void close() {
        calls.close();
        target.close();
    }

    private DeliveryOutcome call(String id) {
        return call(id, Duration.ofMinutes(1));
    }

    private DeliveryOutcome call(String id, Duration timeout) {
        ClaimedJob job = new ClaimedJob(
                "q", id, "t", "{}", Map.of(), 1, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH, JobOptions.NONE, "h");
        return calls.call(Binding.of("t", target.uri().toString()).withTimeout(timeout), target.uri(), job)
                .toCompletableFuture()
                .orTimeout(2, TimeUnit.MINUTES)
                .join();
    }

    private static void assertDelivered(DeliveryOutcome outcome, String body) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        DeliveryOutcome.Delivered.class,
                        delivered -> assertThat(delivered.result()).contains("\"" + body + "\""));
    }

    private static void assertFailed(DeliveryOutcome outcome, String reason) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        DeliveryOutcome.Failed.class,
                        failed -> assertThat(failed.reason()).contains(reason));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\n",
                "HTTP/1.1 102 Processing\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n"
            })
    void interimAnswersAreReadPastAndTheNextJobGetsItsOwn(String interim) {
        target.answering(interim + DONE).answering(interim + FAILED).answering(connection -> {
            connection.write(interim.getBytes(StandardCharsets.US_ASCII));
            connection.flush();
            connection.write(STRANGERS.getBytes(StandardCharsets.US_ASCII));
        });

        assertDelivered(call("1"), "first");
        assertFailed(call("2"), "HTTP 500");
        assertDelivered(call("3"), "strangers");
    }

    /** JSON may write half a character as an escape, which a stored result must not have. */
    @Test
    void anAnswerWithHalfACharacterIsKeptAsItsText() {
        String body = "{\"cut\":\"\\ud83d\"}";
        target.answering("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);

        assertThat(call("1"))
                .isInstanceOfSatisfying(
                        DeliveryOutcome.Delivered.class,
                        delivered -> assertThat(delivered.result())
                                .contains("\\\\ud83d")
                                .matches(Checks::isWhole));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "Wed, 21 Oct 2015 07:28:00 GMT"})
    void aTargetThatAsksForNoWaitHasFailed(String retryAfter) {
        target.answering("HTTP/1.1 503 No\r\nRetry-After: " + retryAfter + "\r\nContent-Length: 0\r\n\r\n");

        assertFailed(call("1"), "HTTP 503");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                DONE + STRANGERS,
                DONE + "x",
                DONE + "HTTP/1.1 200 OK\r\nX: ",
                DONE + "HTTP/1.1 103 Early Hints\r\n\r\n",
                "HTTP/1.1 204 Nothing\r\n\r\n" + STRANGERS,
                "HTTP/1.1 204 Nothing\r\nContent-Length: 9\r\n\r\nstrangers",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n0\r\n\r\n" + STRANGERS
            })
    void whatFollowsAnAnswerIsNotTheNextJobs(String answer) {
        target.answering(answer).answering(FAILED);

        assertThat(call("1")).isInstanceOf(DeliveryOutcome.Delivered.class);
        assertFailed(call("2"), "HTTP 500");
        assertThat(target.connections()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 304 Same\r\nContent-Length: 9\r\n\r\nstrangers",
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: upgrade\r\n\r\n" + STRANGERS
            })
    void whatFollowsAnAnswerWithoutABodyIsNotTheNextJobs(String answer) {
        target.answering(answer).answering(FAILED);

        assertThat(call("1")).isInstanceOf(DeliveryOutcome.Refused.class);
        assertFailed(call("2"), "HTTP 500");
        assertThat(target.connections()).isEqualTo(2);
    }

    @Test
    void aConnectionIsClosedOnWhichSomethingComesThatNobodyAskedFor() throws IOException {
        target.answering(DONE).answering(FAILED);
        assertDelivered(call("1"), "first");

        target.writeUnasked(STRANGERS);

        await().until(() -> target.closed() == 1);
        assertFailed(call("2"), "HTTP 500");
    }

    @Test
    void aConnectionWithHalfABodyIsNotUsedAgain() {
        target.answering("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + "x".repeat(50_000))
                .answering(FAILED);

        assertThat(call("1")).isInstanceOf(DeliveryOutcome.Delivered.class);
        assertFailed(call("2"), "HTTP 500");
        assertThat(target.connections()).isEqualTo(2);
    }

    /** A byte each moment, so that no single read takes long. */
    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 103 Early Hints\r\nX: "})
    void aTargetThatNeverEndsItsHeadersIsGivenUpInTime(String start) {
        target.answering(connection -> {
            connection.write(start.getBytes(StandardCharsets.US_ASCII));
            while (true) {
                connection.write('x');
                connection.flush();
                sleep();
            }
        });

        assertFailed(call("1", STALL), "did not answer within " + STALL);
        await().until(() -> target.closed() == 1);
    }

    /** Interim answers without end are no answer. */
    @Test
    void aTargetThatSendsInterimAnswersAloneIsGivenUpInTime() {
        target.answering(connection -> {
            while (true) {
                connection.write("HTTP/1.1 102 Processing\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                connection.flush();
                sleep();
            }
        });

        assertFailed(call("1", STALL), "did not answer within " + STALL);
        await().until(() -> target.closed() == 1);
    }

    private static void sleep() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
