package io.delayjob.redisson.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.redisson.internal.ledger.Call;
import io.delayjob.redisson.internal.ledger.Ledger;
import io.delayjob.redisson.internal.ledger.LedgerException;
import io.delayjob.redisson.internal.ledger.LedgerException.Kind;
import io.delayjob.redisson.internal.ledger.NotReplicatedException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LaneTest {

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final Queue<Sent> sent = new ConcurrentLinkedQueue<>();
    private final Queue<Call> unknown = new ConcurrentLinkedQueue<>();
    private int names;

    /** One call as the other side sees it. */
    private record Sent(Call call, List<String> values, CompletableFuture<List<Boolean>> answer) {

        void succeed() {
            answer.complete(values.stream().map(value -> true).toList());
        }

        void fail(Kind kind) {
            answer.completeExceptionally(new LedgerException(kind, "failed", new IllegalStateException()));
        }
    }

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
        Sent first = next();
        assertThat(first.values()).containsExactly("a");
        assertThat(sent).isEmpty();
        first.succeed();
        Sent second = next();
        assertThat(second.values()).containsExactly("b", "c");
        assertThat(second.call().number()).isGreaterThan(first.call().number());
        assertThat(a).isCompletedWithValue(true);
        assertThat(b).isNotDone();
        second.succeed();
        assertThat(c).isCompletedWithValue(true);
        assertThat(lane.idle()).isTrue();
    }

    @Test
    void boundsACallByCountAndByWeight() {
        Lane<String, Boolean> lane = lane(null);
        lane.addAll(IntStream.range(0, 2 * Ledger.MAX_BATCH + 200)
                .mapToObj(Integer::toString)
                .toList());
        assertThat(next(Sent::succeed).values()).hasSize(Ledger.MAX_BATCH);
        assertThat(next(Sent::succeed).values()).hasSize(Ledger.MAX_BATCH);
        assertThat(next(Sent::succeed).values()).hasSize(200);
        lane.addAll(List.of("x".repeat(400_000), "y".repeat(400_000), "z"));
        assertThat(next(Sent::succeed).values()).hasSize(1);
        assertThat(next(Sent::succeed).values()).hasSize(2);
    }

    @Test
    void repeatsACallThatFailedUnderItsNumber() {
        CompletableFuture<Boolean> answer = lane(Duration.ofMinutes(1)).add("a");
        Sent first = next(s -> s.fail(Kind.UNKNOWN));
        Sent second = next(s -> s.fail(Kind.NOT_RUN));
        Sent third = next(Sent::succeed);
        assertThat(second.call()).isEqualTo(first.call());
        assertThat(third.call()).isEqualTo(first.call());
        assertThat(answer).isCompletedWithValue(true);
    }

    @Test
    void saysThatTheOutcomeIsUnknownIfAnyTryMayHaveRun() {
        CompletableFuture<Boolean> answer = lane(Duration.ofMinutes(1)).add("a");
        next(s -> s.fail(Kind.UNKNOWN));
        next(s -> s.fail(Kind.REFUSED));
        assertThat(failure(answer).kind()).isEqualTo(Kind.UNKNOWN);
    }

    @Test
    void failsAtOnceWhenRefusedAndServesTheNext() {
        Lane<String, Boolean> lane = lane(Duration.ofMinutes(1));
        CompletableFuture<Boolean> refused = lane.add("a");
        CompletableFuture<Boolean> next = lane.add("b");
        next(s -> s.fail(Kind.REFUSED));
        assertThat(failure(refused).kind()).isEqualTo(Kind.REFUSED);
        next(Sent::succeed);
        assertThat(next).isCompletedWithValue(true);
    }

    @Test
    void doesNotRepeatWhatTooFewReplicasAcknowledgedAndPassesItOnAsItIs() {
        CompletableFuture<Boolean> answer = lane(Duration.ofMinutes(1)).add("a");
        next(s -> s.fail(Kind.UNKNOWN));
        NotReplicatedException few = new NotReplicatedException(2, 1, "few");
        next(s -> s.answer().completeExceptionally(few));
        assertThat(failure(answer)).isSameAs(few);
        assertThat(few.kind()).isEqualTo(Kind.NOT_REPLICATED);
    }

    @Test
    void givesUpWhenItsPatienceEnds() {
        CompletableFuture<Boolean> answer = lane(Duration.ofNanos(1)).add("a");
        next(s -> s.fail(Kind.NOT_RUN));
        assertThat(failure(answer).kind()).isEqualTo(Kind.NOT_RUN);
    }

    @Test
    void withoutAnEndToItsPatienceRepeatsEvenWhatIsRefused() {
        CompletableFuture<Boolean> answer = lane(null).add("a");
        next(s -> s.fail(Kind.REFUSED));
        next(Sent::succeed);
        assertThat(answer).isCompletedWithValue(true);
    }

    @Test
    void goesOnUnderAnotherNameAfterACallThatMayHaveRun() {
        Lane<String, Boolean> lane = lane(Duration.ofNanos(1));
        CompletableFuture<Boolean> lost = lane.add("a");
        Sent first = next(s -> s.fail(Kind.UNKNOWN));
        assertThat(failure(lost).kind()).isEqualTo(Kind.UNKNOWN);
        assertThat(unknown).containsExactly(first.call());
        lane.add("b");
        assertThat(next(Sent::succeed).call().lane()).isNotEqualTo(first.call().lane());
    }

    @Test
    void keepsItsNameAfterACallThatDidNotRun() {
        Lane<String, Boolean> lane = lane(Duration.ofNanos(1));
        lane.add("a");
        Sent first = next(s -> s.fail(Kind.NOT_RUN));
        lane.add("b");
        assertThat(next(Sent::succeed).call()).isEqualTo(new Call(first.call().lane(), 2));
        assertThat(unknown).isEmpty();
    }

    @Test
    void failsWhatItHoldsWhenTheClientIsShutDown() {
        CompletableFuture<Boolean> answer = lane(null).add("a");
        next(s -> s.fail(Kind.SHUT_DOWN));
        assertThat(failure(answer).kind()).isEqualTo(Kind.SHUT_DOWN);
    }

    private Lane<String, Boolean> lane(@Nullable Duration patience) {
        return new Lane<>(
                () -> "lane-" + ++names,
                (call, values) -> {
                    Sent now = new Sent(call, values, new CompletableFuture<>());
                    sent.add(now);
                    return now.answer();
                },
                String::length,
                patience,
                (call, values) -> unknown.add(call),
                scheduler);
    }

    private Sent next() {
        return next(s -> {});
    }

    private Sent next(Consumer<Sent> then) {
        Sent next = await().atMost(Duration.ofSeconds(10)).until(sent::poll, s -> s != null);
        then.accept(next);
        return next;
    }

    private static LedgerException failure(CompletableFuture<?> answer) {
        LedgerException failure = Futures.failure(answer);
        assertThat(failure).isNotNull();
        return Objects.requireNonNull(failure);
    }
}
