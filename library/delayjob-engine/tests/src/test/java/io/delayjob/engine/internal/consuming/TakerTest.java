package io.delayjob.engine.internal.consuming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.engine.LedgersByHand;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.running.Slots;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.Settlement;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.telemetry.QueueTelemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Claims of a taker: the workers they occupy while unanswered, their repeats, and their timing. */
@Execution(ExecutionMode.CONCURRENT)
class TakerTest {

    private static final Duration ANY = Duration.ofSeconds(30);

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final Queue<Sent> sent = new ConcurrentLinkedQueue<>();
    private final Queue<Claimed.Job> dispatched = new ConcurrentLinkedQueue<>();
    private final Slots slots = new Slots(3);
    private final AtomicInteger passedOn = new AtomicInteger();
    private final Fleet fleet = new Fleet();
    private volatile CompletableFuture<List<Boolean>> settled = CompletableFuture.completedFuture(List.of(true));
    private final Shard shard = new Shard(
            new ShardId("q", 0),
            new LedgersByHand((proxy, method, args) -> answer(method.getName(), args)),
            TestSettings.node("q", TestSettings.defaults(), ANY),
            scheduler);
    private final WakeSignal signal = new WakeSignal();
    private final Taker taker = new Taker(
            new ServedShard(shard, "n", ANY, slots, fleet, signal),
            Duration.ofSeconds(7),
            slots,
            signal,
            QueueTelemetry.NONE,
            (job, askedNanos) -> dispatched.add(job),
            () -> passedOn.incrementAndGet());

    private record Sent(Call call, ClaimRequest request, CompletableFuture<Claimed> answer) {}

    @AfterEach
    void close() {
        slots.close();
        taker.stop();
        sent.forEach(claim -> claim.answer().complete(claimed()));
        scheduler.shutdownNow();
    }

    @Test
    void aClaimThatIsNotAnsweredLeavesTheWorkersToOtherShards() {
        taker.start();
        Sent silent = next();
        await().until(() -> slots.free() == 3);
        assertThat(slots.take(3)).isEqualTo(3);
        slots.giveBack(3);
        silent.answer().complete(claimed("a", "b"));
        await().until(() -> dispatched.size() == 2);
        await().until(() -> slots.free() == 1);
    }

    @Test
    void whatALateAnswerHandsOutBeyondTheFreeWorkersKeepsThemFromTheNextClaims() {
        taker.start();
        Sent silent = next();
        await().until(() -> slots.take(3) == 3);
        silent.answer().complete(claimed("a", "b"));
        await().until(() -> dispatched.size() == 2);
        slots.giveBack(3);
        await().until(() -> slots.free() == 1);
    }

    @Test
    void aClaimThatFailedIsRepeatedUnderItsNumber() {
        taker.start();
        Sent first = next();
        fail(first, LedgerException.Kind.UNKNOWN);
        Sent second = next();
        fail(second, LedgerException.Kind.NOT_RUN);
        Sent third = next();
        third.answer().complete(claimed());
        assertThat(List.of(second.call(), third.call())).containsOnly(first.call());
    }

    @Test
    void anAnswerThatDoesNotComeIsAskedForShorterUntilItHasNoJobs() {
        taker.start();
        List<Integer> bytes = new ArrayList<>();
        for (Sent claim = next(); bytes.size() < 5; claim = next()) {
            bytes.add(claim.request().limits().bytes());
            assertThat(claim.request().unsure()).isEqualTo(bytes.size() > 1);
            fail(claim, LedgerException.Kind.UNKNOWN);
        }
        assertThat(bytes).containsExactly(1 << 20, 1 << 18, 1 << 16, 1 << 14, 0);
    }

    @Test
    void answersGetLongerAgainWhenTheyCome() {
        taker.start();
        Sent lost = next();
        fail(lost, LedgerException.Kind.UNKNOWN);
        fail(next(), LedgerException.Kind.UNKNOWN);
        Sent last = next();
        last.answer().complete(more());
        assertThat(List.of(lost.call(), last.call())).containsOnly(lost.call());
        Sent second = next();
        assertThat(second.request().unsure()).isFalse();
        second.answer().complete(more());
        Sent third = next();
        third.answer().complete(claimed());
        assertThat(List.of(last, second, third))
                .extracting(sent -> sent.request().limits().bytes())
                .containsExactly(1 << 16, 1 << 18, 1 << 20);
    }

    @Test
    void aClaimThatDidNotRunIsRepeatedAtItsLength() {
        taker.start();
        fail(next(), LedgerException.Kind.NOT_RUN);
        assertThat(next().request())
                .extracting(request -> request.limits().bytes(), ClaimRequest::unsure)
                .containsExactly(1 << 20, false);
    }

    @Test
    void whatFollowsAGarbledAnswerOvertakesTheTriesBeforeIt() {
        taker.start();
        Sent garbled = next();
        fail(garbled, LedgerException.Kind.UNKNOWN);
        fail(next(), LedgerException.Kind.GARBLED);
        Sent following = next();
        assertThat(following.call().number()).isEqualTo(garbled.call().number() + 1);
        assertThat(following.request().unsure()).isTrue();
    }

    @Test
    void aStopHasWhatALostAnswerHandedOutGivenBack() throws InterruptedException {
        taker.start();
        Sent lost = next();
        taker.stop();
        fail(lost, LedgerException.Kind.UNKNOWN);
        Sent again = next();
        assertThat(again.call()).isEqualTo(lost.call());
        assertThat(again.request())
                .extracting(request -> request.limits().bytes(), ClaimRequest::unsure)
                .containsExactly(0, true);
        again.answer().complete(claimed());
        assertThat(taker.awaitEnd(TestSettings.SOON)).isTrue();
        assertThat(slots.free()).isEqualTo(3);
    }

    @Test
    void aStopLeavesAClaimAloneThatDidNotRun() throws InterruptedException {
        taker.start();
        Sent failed = next();
        taker.stop();
        fail(failed, LedgerException.Kind.NOT_RUN);
        assertThat(taker.awaitEnd(TestSettings.SOON)).isTrue();
        assertThat(sent).isEmpty();
    }

    /** A fleet of one, as here, claims 10 ms ahead. */
    @Test
    void claimsJobsShortlyBeforeTheyAreDue() {
        taker.start();
        assertThat(next().request().aheadMillis()).isEqualTo(10);
    }

    @Test
    void theHolderClaimsAtOnceWhenItIsWorthItAndOthersAfterItsHeadStart() {
        fleet.fed(new Feed.Answer(1, true, 0, true, false, Feed.Pulse.NONE, null));
        taker.start();
        // A slow machine makes some of them longer, and none shorter.
        long holders =
                LongStream.generate(this::nanosToNextClaim).limit(5).min().orElseThrow();
        fleet.leave();
        assertThat(nanosToNextClaim())
                .isGreaterThan(holders + Duration.ofMillis(500).toNanos());
    }

    /** The alarm of a fleet of a hundred: another's turn is 700 ms later. */
    private long nanosToNextClaim() {
        next().answer().complete(new Claimed(List.of(), Claimed.Mode.QUIET, 20L, 100, true));
        long answered = System.nanoTime();
        await().until(() -> !sent.isEmpty());
        return System.nanoTime() - answered;
    }

    @Test
    void theHolderRingsAnotherNodeWhenItHasNoWorkerForTheNextJob() {
        fleet.fed(new Feed.Answer(1, true, 0, true, false, Feed.Pulse.NONE, null));
        taker.start();
        Sent first = next();
        await().until(() -> slots.free() == 3);
        assertThat(slots.take(3)).isEqualTo(3);
        first.answer().complete(new Claimed(List.of(), Claimed.Mode.QUIET, 20L, 1, true));
        await().until(() -> passedOn.get() == 1);
        assertThat(sent).isEmpty();
        slots.giveBack(3);
        next();
        assertThat(passedOn).hasValue(1);
    }

    /** One of several. The ring was for one of them, and this one cannot take the job. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aNodeThatIsRungWithoutAFreeWorkerRingsAnotherOnce(int nodes) {
        fleet.fed(new Feed.Answer(nodes, false, 0, true, false, Feed.Pulse.NONE, null));
        taker.start();
        Sent first = next();
        await().until(() -> slots.free() == 3);
        assertThat(slots.take(3)).isEqualTo(3);
        first.answer().complete(new Claimed(List.of(), Claimed.Mode.QUIET, null, nodes, true));
        signal.ring();
        if (nodes > 1) {
            await().until(() -> passedOn.get() == 1);
        }
        slots.giveBack(3);
        next();
        assertThat(passedOn).hasValue(nodes - 1);
    }

    @Test
    void aFullFlowLogIsAFaultUntilJobsAreHandedOutAgain() {
        taker.start();
        assertThat(taker.fullFlow()).isNull();
        next().answer().complete(new Claimed(List.of(), Claimed.Mode.FULL, null, 1, true));
        Sent second = next();
        assertThat(taker.fullFlow()).contains("flow log", "delayjob.journal.max-flow-entries");
        second.answer().complete(claimed("a"));
        await().until(() -> dispatched.size() == 1);
        assertThat(taker.fullFlow()).isNull();
    }

    @Test
    void takesNoJobsWhileThoseThatEndedCannotBeSettled() {
        settled = CompletableFuture.failedFuture(
                new LedgerException(LedgerException.Kind.REFUSED, "refused", new IllegalStateException()));
        takesJobsOnceSettled(() -> settled = CompletableFuture.completedFuture(List.of(true)));
    }

    @Test
    void takesNoJobsWhileTheSettlementsOfThoseThatEndedAreUnanswered() {
        CompletableFuture<List<Boolean>> silent = new CompletableFuture<>();
        settled = silent;
        takesJobsOnceSettled(() -> silent.complete(List.of(true)));
    }

    private void takesJobsOnceSettled(Runnable mend) {
        CompletableFuture<Boolean> stored = shard.settle(new Settlement.Complete(new Lease("a", "1:r"), null, 0));
        await().atMost(TestSettings.SOON).until(() -> shard.obstacle() != null);
        taker.start();
        await().during(Duration.ofMillis(1500)).until(sent::isEmpty);
        assertThat(slots.free()).isEqualTo(3);
        mend.run();
        await().atMost(TestSettings.SOON).until(stored::isDone);
        next().answer().complete(claimed("b"));
        await().until(() -> dispatched.size() == 1);
    }

    private static void fail(Sent claim, LedgerException.Kind kind) {
        claim.answer().completeExceptionally(new LedgerException(kind, "failed", new IllegalStateException()));
    }

    private Sent next() {
        await().until(() -> !sent.isEmpty());
        return sent.remove();
    }

    private static Claimed claimed(String... ids) {
        return new Claimed(List.of(ids).stream().map(TakerTest::job).toList(), Claimed.Mode.QUIET, null, 1, true);
    }

    /** Nothing, and there is more. */
    private static Claimed more() {
        return new Claimed(List.of(), Claimed.Mode.QUIET, 0L, 1, true);
    }

    private static Claimed.Job job(String id) {
        return LedgersByHand.handedOut(id);
    }

    private CompletableFuture<?> answer(String method, Object[] args) {
        if (method.equals("settle")) {
            return settled;
        }
        CompletableFuture<Claimed> answer = new CompletableFuture<>();
        sent.add(new Sent((Call) args[0], (ClaimRequest) args[1], answer));
        return answer;
    }
}
