package io.delayjob.engine.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.engine.TestSettings;
import io.delayjob.engine.internal.calls.SentCalls.Sent;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.LedgerException.Kind;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class BulkTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final SentCalls sent = new SentCalls();

    @AfterEach
    void close() {
        scheduler.shutdownNow();
    }

    @Test
    void takesAsLongAsItNeedsWhileItsCallsAreAnsweredInTime() {
        Duration timeout = Duration.ofSeconds(6);
        Lane<String, Boolean> lane = lane(
                timeout,
                (call, values) -> CompletableFuture.supplyAsync(
                        () -> Collections.nCopies(values.size(), true),
                        CompletableFuture.delayedExecutor(timeout.toMillis() / 40, TimeUnit.MILLISECONDS)));
        List<CompletableFuture<Boolean>> answers = send(lane, values(60 * Ledger.MAX_BATCH));
        assertThat(CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)))
                .succeedsWithin(TestSettings.SOON);
    }

    @Test
    void fillsItsCallsInOrder() {
        Lane<String, Boolean> lane = lane(Duration.ofMinutes(1), sent::send);
        List<String> values = values(2 * Ledger.MAX_BATCH + 1);
        List<CompletableFuture<Boolean>> answers = send(lane, values);
        assertThat(sent.next(Sent::succeed).values()).isEqualTo(values.subList(0, Ledger.MAX_BATCH));
        assertThat(answers.subList(0, Ledger.MAX_BATCH)).allMatch(CompletableFuture::isDone);
        assertThat(answers.get(Ledger.MAX_BATCH)).isNotDone();
        assertThat(sent.next(Sent::succeed).values()).isEqualTo(values.subList(Ledger.MAX_BATCH, 2 * Ledger.MAX_BATCH));
        assertThat(sent.next(Sent::succeed).values()).containsExactly(Integer.toString(2 * Ledger.MAX_BATCH));
        assertThat(answers).allMatch(CompletableFuture::isDone);
        assertThat(lane.idle()).isTrue();
    }

    @Test
    void whatIsLargeFillsCallsByItsCharacters() {
        Lane<String, Boolean> lane = lane(Duration.ofMinutes(1), sent::send);
        send(lane, Collections.nCopies(5, "x".repeat(200_000)));
        assertThat(sent.next(Sent::succeed).values()).hasSize(2);
        assertThat(sent.next(Sent::succeed).values()).hasSize(2);
        assertThat(sent.next(Sent::succeed).values()).hasSize(1);
    }

    @Test
    void keepsOthersWaitingForTwoOfItsCallsAtMost() {
        Lane<String, Boolean> lane = lane(Duration.ofMinutes(1), sent::send);
        send(lane, values(3 * Backlog.MOST));
        CompletableFuture<Boolean> other = lane.add("other");
        sent.next(Sent::succeed);
        sent.next(Sent::succeed);
        assertThat(sent.next(Sent::succeed).values()).contains("other");
        assertThat(other).isCompletedWithValue(true);
    }

    @Test
    void isNotTakenWhileTooMuchOfOthersWaits() {
        Lane<String, Boolean> lane = lane(Duration.ofMinutes(1), sent::send);
        List<CompletableFuture<Boolean>> first = send(lane, values(Backlog.MOST + Ledger.MAX_BATCH));
        LedgerException refused =
                failure(send(lane, values(2 * Ledger.MAX_BATCH)).get(0));
        assertThat(refused.kind()).isEqualTo(Kind.NOT_RUN);
        assertThat(refused).hasMessageContaining("50000 entries");
        assertThat(lane.add("single")).isNotDone();
        sent.next(call -> call.fail(Kind.REFUSED));
        assertThat(failure(first.get(Backlog.MOST)).kind()).isEqualTo(Kind.NOT_RUN);
        assertThat(send(lane, values(2 * Ledger.MAX_BATCH)).get(0)).isNotDone();
    }

    @Test
    void isNotSentAnyFurtherWhenAPartOfItFailed() {
        Lane<String, Boolean> lane = lane(Duration.ofMinutes(1), sent::send);
        List<CompletableFuture<Boolean>> answers = send(lane, values(5 * Ledger.MAX_BATCH));
        sent.next(call -> call.fail(Kind.REFUSED));
        assertThat(failure(answers.get(0)).kind()).isEqualTo(Kind.REFUSED);
        assertThat(answers.subList(Ledger.MAX_BATCH, 2 * Ledger.MAX_BATCH)).noneMatch(CompletableFuture::isDone);
        assertThat(answers.subList(2 * Ledger.MAX_BATCH, answers.size()))
                .allSatisfy(answer -> assertThat(failure(answer).kind()).isEqualTo(Kind.NOT_RUN));
        assertThat(failure(answers.get(3 * Ledger.MAX_BATCH)))
                .hasMessage("it was not sent because an earlier part of the same bulk failed: failed");
        sent.next(Sent::succeed);
        assertThat(answers.get(Ledger.MAX_BATCH)).isCompletedWithValue(true);
        assertThat(lane.idle()).isTrue();
        assertThat(sent.isEmpty()).isTrue();
    }

    @Test
    void endsWithTheTimeOfItsFirstCallsWhenNobodyAnswers() {
        List<CompletableFuture<Boolean>> answers = send(lane(TIMEOUT, sent::send), values(20 * Ledger.MAX_BATCH));
        await().atMost(TestSettings.SOON).until(() -> answers.stream().allMatch(CompletableFuture::isDone));
        assertThat(failure(answers.get(0)).kind()).isEqualTo(Kind.UNKNOWN);
        assertThat(answers.subList(Ledger.MAX_BATCH, answers.size()))
                .allSatisfy(answer -> assertThat(failure(answer).kind()).isEqualTo(Kind.NOT_RUN));
    }

    @Test
    void sendsAnyNumberOfCallsThatAreAnsweredAtOnce() {
        Lane<String, Boolean> lane = lane(
                Duration.ofMinutes(1),
                (call, values) -> CompletableFuture.completedFuture(Collections.nCopies(values.size(), true)));
        String aCall = "x".repeat(600_000);
        assertThat(send(lane, Collections.nCopies(20_000, aCall))).allMatch(CompletableFuture::isDone);
    }

    private Lane<String, Boolean> lane(
            Duration timeout, BiFunction<Call, List<String>, CompletableFuture<List<Boolean>>> send) {
        return new Lane<>(() -> "lane", send, String::length, Lane.Terms.within(timeout), null, scheduler);
    }

    private static List<CompletableFuture<Boolean>> send(Lane<String, Boolean> lane, List<String> values) {
        return Bulk.send(lane, values, lane.deadline());
    }

    private static List<String> values(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }

    private static LedgerException failure(CompletableFuture<?> answer) {
        return Objects.requireNonNull(Futures.failure(answer));
    }
}
