package io.delayjob.engine.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.engine.TestSettings;
import io.delayjob.engine.internal.calls.SentCalls.Sent;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.LedgerException.Kind;
import io.delayjob.engine.ledger.NotReplicatedException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class LaneTest {

    private static final Duration SHORT = Duration.ofMillis(300);

    /** Over soon as well, and not before the test has done what it does meanwhile. */
    private static final Duration A_WHILE = Duration.ofSeconds(5);

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final SentCalls sent = new SentCalls();
    private final Queue<Call> unknown = new ConcurrentLinkedQueue<>();
    private Duration apart = Duration.ZERO;
    private int names;

    @AfterEach
    void close() {
        scheduler.shutdownNow();
    }

    @Test
    void sendsAtOnceWhenAloneAndCollectsWhileACallIsUnderWay() {
        Lane<String, Boolean> lane = lane(null);
        CompletableFuture<Boolean> a = lane.add("a");
        CompletableFuture<Boolean> b = lane.add("b");
        CompletableFuture<Boolean> c = lane.add("c");
        Sent first = sent.next();
        assertThat(first.values()).containsExactly("a");
        assertThat(sent.isEmpty()).isTrue();
        first.succeed();
        Sent second = sent.next();
        assertThat(second.values()).containsExactly("b", "c");
        assertThat(second.call().number()).isGreaterThan(first.call().number());
        assertThat(a).isCompletedWithValue(true);
        assertThat(b).isNotDone();
        second.succeed();
        assertThat(c).isCompletedWithValue(true);
        assertThat(lane.idle()).isTrue();
    }

    @Test
    void letsTheNextCallCarryWhatFollowsSoon() {
        apart = A_WHILE;
        Lane<String, Boolean> lane = lane(null);
        long begun = System.nanoTime();
        lane.add("a");
        sent.next(Sent::succeed);
        lane.add("b");
        lane.add("c");
        assertThat(sent.isEmpty()).isTrue();
        assertThat(sent.next(Sent::succeed).values()).containsExactly("b", "c");
        assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(A_WHILE.toNanos());
        assertThat(lane.idle()).isTrue();
    }

    @Test
    void keepsNothingWaitingWhereAnswersTakeNoTime() {
        apart = Duration.ofMinutes(5);
        Lane<String, Boolean> lane = lane(null, (call, values) -> CompletableFuture.completedFuture(List.of(true)));
        assertThat(lane.add("a")).isCompletedWithValue(true);
        assertThat(lane.add("b")).isCompletedWithValue(true);
    }

    @Test
    void keepsNoFullCallWaiting() {
        apart = Duration.ofMinutes(5);
        Lane<String, Boolean> lane = lane(null);
        lane.add("a");
        sent.next(Sent::succeed);
        addAll(lane, Collections.nCopies(Ledger.MAX_BATCH, "b"));
        assertThat(sent.next(Sent::succeed).values()).hasSize(Ledger.MAX_BATCH);
    }

    @Test
    void boundsACallByCountAndByWeight() {
        Lane<String, Boolean> lane = lane(null);
        addAll(
                lane,
                IntStream.range(0, 2 * Ledger.MAX_BATCH + 100)
                        .mapToObj(Integer::toString)
                        .toList());
        assertThat(sent.next(Sent::succeed).values()).hasSize(Ledger.MAX_BATCH);
        assertThat(sent.next(Sent::succeed).values()).hasSize(Ledger.MAX_BATCH);
        assertThat(sent.next(Sent::succeed).values()).hasSize(100);
        addAll(lane, List.of("x".repeat(400_000), "y".repeat(400_000), "z"));
        assertThat(sent.next(Sent::succeed).values()).hasSize(1);
        assertThat(sent.next(Sent::succeed).values()).hasSize(2);
    }

    @Test
    void repeatsACallThatFailedUnderItsNumber() {
        CompletableFuture<Boolean> answer = lane(Duration.ofMinutes(1)).add("a");
        Sent first = sent.next(s -> s.fail(Kind.UNKNOWN));
        Sent second = sent.next(s -> s.fail(Kind.NOT_RUN));
        Sent third = sent.next(Sent::succeed);
        assertThat(second.call()).isEqualTo(first.call());
        assertThat(third.call()).isEqualTo(first.call());
        assertThat(answer).isCompletedWithValue(true);
    }

    @Test
    void saysThatTheOutcomeIsUnknownIfAnyTryMayHaveRun() {
        CompletableFuture<Boolean> answer = lane(Duration.ofMinutes(1)).add("a");
        sent.next(s -> s.fail(Kind.UNKNOWN));
        sent.next(s -> s.fail(Kind.REFUSED));
        assertThat(failure(answer).kind()).isEqualTo(Kind.UNKNOWN);
    }

    @Test
    void failsAtOnceWhenRefusedAndServesTheNext() {
        Lane<String, Boolean> lane = lane(Duration.ofMinutes(1));
        CompletableFuture<Boolean> refused = lane.add("a");
        CompletableFuture<Boolean> next = lane.add("b");
        sent.next(s -> s.fail(Kind.REFUSED));
        assertThat(failure(refused).kind()).isEqualTo(Kind.REFUSED);
        sent.next(Sent::succeed);
        assertThat(next).isCompletedWithValue(true);
    }

    @Test
    void doesNotRepeatWhatTooFewReplicasAcknowledgedAndPassesItOnAsItIs() {
        CompletableFuture<Boolean> answer = lane(Duration.ofMinutes(1)).add("a");
        sent.next(s -> s.fail(Kind.UNKNOWN));
        NotReplicatedException few = new NotReplicatedException(2, 1, "few");
        sent.next(s -> s.answer().completeExceptionally(few));
        assertThat(failure(answer)).isSameAs(few);
        assertThat(few.kind()).isEqualTo(Kind.NOT_REPLICATED);
    }

    @Test
    void givesUpAndSaysWhatIsKnownWhenItsTimeoutEndsBetweenTwoTries() {
        LedgerException failure = new LedgerException(Kind.NOT_RUN, "failed", new IllegalStateException());
        Lane<String, Boolean> lane = answering(SHORT, values -> CompletableFuture.failedFuture(failure));
        CompletableFuture<Boolean> answer = lane.add("a");
        awaitFailure(answer, Kind.NOT_RUN);
        assertThat(failure(answer)).isSameAs(failure);
        assertThat(lane.idle()).isTrue();
        assertThat(unknown).isEmpty();
    }

    @Test
    void saysThatTheOutcomeIsUnknownWhenItsTimeoutEndsDuringATry() {
        Lane<String, Boolean> lane = lane(SHORT);
        CompletableFuture<Boolean> answer = lane.add("a");
        Sent first = sent.next();
        awaitFailure(answer, Kind.UNKNOWN);
        assertThat(unknown).containsExactly(first.call());
        assertThat(lane.idle()).isFalse();
    }

    /** Though no try has run yet, the next one, for the other's sake, carries both. */
    @Test
    void saysThatTheOutcomeIsUnknownOfWhatIsRepeatedWithOthers() {
        CompletableFuture<List<Boolean>> first = new CompletableFuture<>();
        AtomicBoolean isUp = new AtomicBoolean();
        Lane<String, Boolean> lane = lane(Duration.ofMinutes(1), (call, values) -> {
            if (values.contains("first")) {
                return first;
            }
            return isUp.get()
                    ? CompletableFuture.completedFuture(List.of(true, true))
                    : CompletableFuture.failedFuture(
                            new LedgerException(Kind.NOT_RUN, "failed", new IllegalStateException()));
        });
        lane.add("first");
        CompletableFuture<Boolean> soon = lane.add("a", System.nanoTime() + A_WHILE.toNanos());
        CompletableFuture<Boolean> later = lane.add("b");
        first.complete(List.of(true));
        awaitFailure(soon, Kind.UNKNOWN);
        isUp.set(true);
        assertThat(later).succeedsWithin(TestSettings.SOON);
    }

    @Test
    void saysThatWhatWaitedInVainHasNotRun() {
        Lane<String, Boolean> lane = lane(SHORT);
        lane.add("a");
        CompletableFuture<Boolean> waiting = lane.add("b");
        Sent first = sent.next();
        awaitFailure(waiting, Kind.NOT_RUN);
        assertThat(failure(waiting)).hasMessageContainingAll("not sent within PT0.3S", "the calls before it");
        first.succeed();
        assertThat(lane.idle()).isTrue();
        assertThat(sent.isEmpty()).isTrue();
    }

    @Test
    void goesOnOnlyWhenATryHasEndedThatNobodyWaitsForAnyMore() {
        Lane<String, Boolean> lane = lane(SHORT);
        CompletableFuture<Boolean> lost = lane.add("a");
        Sent first = sent.next();
        awaitFailure(lost, Kind.UNKNOWN);
        lane.add("b", System.nanoTime() + TestSettings.SOON.toNanos());
        assertThat(sent.isEmpty()).isTrue();
        first.fail(Kind.UNKNOWN);
        Sent second = sent.next();
        assertThat(second.values()).containsExactly("b");
        assertThat(second.call().lane()).isNotEqualTo(first.call().lane());
    }

    @Test
    void repeatsACallForThoseWhoStillWaitForIt() {
        Lane<String, Boolean> lane = lane(Duration.ofMinutes(1));
        lane.add("first");
        Sent first = sent.next();
        CompletableFuture<Boolean> soon = lane.add("a", System.nanoTime() + A_WHILE.toNanos());
        CompletableFuture<Boolean> later = lane.add("b");
        first.succeed();
        Sent both = sent.next();
        awaitFailure(soon, Kind.UNKNOWN);
        assertThat(later).isNotDone();
        both.fail(Kind.UNKNOWN);
        Sent again = sent.next(Sent::succeed);
        assertThat(again.call()).isEqualTo(both.call());
        assertThat(later).isCompletedWithValue(true);
        assertThat(unknown).containsExactly(both.call());
    }

    @Test
    void takesNoMoreWhenTooManyWait() {
        Lane<String, Boolean> lane = lane(Duration.ofMinutes(1));
        lane.add("first");
        addAll(lane, Collections.nCopies(Backlog.MOST, "a"));
        LedgerException failure = failure(lane.add("b"));
        assertThat(failure.kind()).isEqualTo(Kind.NOT_RUN);
        assertThat(failure)
                .hasMessageContainingAll("50000 entries with 50000 characters", "wait for answers", "shards");
        assertThat(sent.next(Sent::succeed).values()).containsExactly("first");
        sent.next();
        assertThat(lane.add("b")).isNotDone();
    }

    @Test
    void takesNoMoreWhenTooManyCharactersWait() {
        Lane<String, Boolean> lane = lane(Duration.ofMinutes(1));
        lane.add("first");
        addAll(lane, Collections.nCopies(32, "x".repeat(1024 * 1024)));
        assertThat(failure(lane.add("b")).kind()).isEqualTo(Kind.NOT_RUN);
    }

    @Test
    void takesWhatComesTogetherHoweverMuchItIsAndWhatHasNoTimeout() {
        Lane<String, Boolean> settlements = lane(null);
        settlements.add("first");
        addAll(settlements, Collections.nCopies(2 * Backlog.MOST, "a"));
        assertThat(settlements.add("b")).isNotDone();
        assertThat(addAll(lane(Duration.ofMinutes(1)), Collections.nCopies(2 * Backlog.MOST, "a")))
                .noneMatch(CompletableFuture::isDone);
    }

    @Test
    void sendsAnyNumberOfCallsThatAreAnsweredAtOnce() {
        Lane<String, Boolean> lane = answering(
                Duration.ofMinutes(1),
                values -> CompletableFuture.completedFuture(Collections.nCopies(values.size(), true)));
        String aCall = "x".repeat(600_000);
        assertThat(addAll(lane, Collections.nCopies(20_000, aCall))).allMatch(CompletableFuture::isDone);
    }

    @Test
    void knowsForHowLongItHasBeenRefusedOrUnanswered() {
        Duration never = Duration.ofHours(1);
        Lane<String, Boolean> lane = lane(null);
        assertThat(lane.obstacle(Duration.ZERO, Duration.ZERO)).isNull();
        lane.add("a");
        assertThat(lane.obstacle(Duration.ZERO, never)).isNull();
        assertThat(lane.obstacle(never, Duration.ZERO)).hasMessageContaining("did not answer");
        sent.next(s -> s.fail(Kind.REFUSED));
        assertThat(lane.obstacle(Duration.ZERO, never)).hasMessage("failed");
        assertThat(lane.obstacle(never, never)).isNull();
        sent.next(Sent::succeed);
        assertThat(lane.obstacle(Duration.ZERO, Duration.ZERO)).isNull();
    }

    @Test
    void withoutAnEndToItsTimeoutRepeatsEvenWhatIsRefused() {
        CompletableFuture<Boolean> answer = lane(null).add("a");
        sent.next(s -> s.fail(Kind.REFUSED));
        sent.next(Sent::succeed);
        assertThat(answer).isCompletedWithValue(true);
    }

    @Test
    void goesOnUnderAnotherNameAfterACallThatMayHaveRun() {
        Lane<String, Boolean> lane = lane(Duration.ofMinutes(1));
        CompletableFuture<Boolean> lost = lane.add("a");
        sent.next(s -> s.fail(Kind.UNKNOWN));
        Sent first = sent.next(s -> s.fail(Kind.REFUSED));
        assertThat(failure(lost).kind()).isEqualTo(Kind.UNKNOWN);
        assertThat(unknown).containsExactly(first.call());
        lane.add("b");
        assertThat(sent.next(Sent::succeed).call().lane())
                .isNotEqualTo(first.call().lane());
    }

    @Test
    void keepsItsNameAfterACallThatDidNotRun() {
        Lane<String, Boolean> lane = lane(Duration.ofMinutes(1));
        lane.add("a");
        Sent first = sent.next(s -> s.fail(Kind.REFUSED));
        lane.add("b");
        assertThat(sent.next(Sent::succeed).call())
                .isEqualTo(new Call(first.call().lane(), 2));
        assertThat(unknown).isEmpty();
    }

    @Test
    void failsWhatItHoldsWhenTheClientIsShutDown() {
        CompletableFuture<Boolean> answer = lane(null).add("a");
        sent.next(s -> s.fail(Kind.SHUT_DOWN));
        assertThat(failure(answer).kind()).isEqualTo(Kind.SHUT_DOWN);
    }

    private Lane<String, Boolean> lane(@Nullable Duration timeout) {
        return lane(timeout, sent::send);
    }

    private Lane<String, Boolean> answering(
            Duration timeout, Function<List<String>, CompletableFuture<List<Boolean>>> answer) {
        return lane(timeout, (call, values) -> answer.apply(values));
    }

    private Lane<String, Boolean> lane(
            @Nullable Duration timeout, BiFunction<Call, List<String>, CompletableFuture<List<Boolean>>> send) {
        return new Lane<>(
                () -> "lane-" + ++names,
                send,
                String::length,
                new Lane.Terms(timeout, true, apart),
                (batch, positions) -> unknown.add(batch.call()),
                scheduler);
    }

    private static List<CompletableFuture<Boolean>> addAll(Lane<String, Boolean> lane, List<String> values) {
        return lane.addAll(values, lane.deadline());
    }

    private static void awaitFailure(CompletableFuture<?> answer, Kind kind) {
        await().atMost(TestSettings.SOON).until(answer::isCompletedExceptionally);
        assertThat(failure(answer).kind()).isEqualTo(kind);
    }

    private static LedgerException failure(CompletableFuture<?> answer) {
        LedgerException failure = Futures.failure(answer);
        assertThat(failure).isNotNull();
        return Objects.requireNonNull(failure);
    }
}
