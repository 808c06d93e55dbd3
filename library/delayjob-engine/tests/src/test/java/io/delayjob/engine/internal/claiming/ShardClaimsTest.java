package io.delayjob.engine.internal.claiming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.engine.LedgersByHand;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.claiming.ShardClaims.Taken;
import io.delayjob.engine.internal.claiming.ShardClaims.Wanted;
import io.delayjob.engine.internal.running.Node;
import io.delayjob.engine.ledger.Attempt;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.LedgerException.Kind;
import io.delayjob.engine.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Claim calls that fail or get no answer: their repeats, and the jobs that they may have handed out. */
class ShardClaimsTest {

    private static final Duration ANY = Duration.ofSeconds(30);
    private static final Wanted ONE = new Wanted(null, 1, null, null);
    private static final Claimed NOTHING = new Claimed(List.of(), Claimed.Mode.QUIET, null, 1, true);

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final List<Sent> sent = new CopyOnWriteArrayList<>();
    /** The failures of the next calls; the ledger answers the others. */
    private final Queue<Kind> failures = new ArrayDeque<>();

    private final Node node = Nodes.of(
            new LedgersByHand((proxy, method, args) -> claim((Call) args[0], (ClaimRequest) args[1])),
            TestSettings.defaults(),
            ANY,
            scheduler,
            new CopyOnWriteArrayList<>(),
            Telemetry.NONE);
    private final ShardClaims claims =
            new ShardClaims(node.queues().shards("q").get(0), "n~claims", TestSettings.defaults(), node);

    private record Sent(Call call, ClaimRequest request) {}

    @AfterEach
    void close() {
        scheduler.shutdownNow();
    }

    private synchronized CompletableFuture<Claimed> claim(Call call, ClaimRequest request) {
        sent.add(new Sent(call, request));
        Kind kind = failures.poll();
        return kind == null
                ? CompletableFuture.completedFuture(request.limits().bytes() == 0 ? NOTHING : job())
                : CompletableFuture.failedFuture(new LedgerException(kind, "no answer", null));
    }

    private static Claimed job() {
        Claimed.Job job = new Claimed.Job(
                new Lease("a", "1:r"),
                "{\"v\":1,\"at\":1,\"job\":\"resize\",\"param\":1}",
                new Attempt(1, 1000L, 1000L, null),
                null,
                0,
                false,
                false,
                2_000_000);
        return new Claimed(List.of(job), Claimed.Mode.QUIET, null, 1, true);
    }

    private CompletableFuture<Taken> take(Wanted wanted, Duration timeout) {
        return claims.take(wanted, System.nanoTime() + timeout.toNanos());
    }

    @Test
    void aCallThatMayHaveRunIsRepeatedWithSmallerAnswersWhateverItsRepeatsMeet() {
        failures.addAll(List.of(Kind.UNKNOWN, Kind.NOT_RUN, Kind.UNKNOWN));
        Taken taken = take(ONE, ANY).join();
        assertThat(taken.jobs())
                .singleElement()
                .satisfies(held -> assertThat(held.job().topic()).isEqualTo("resize"));
        assertThat(sent)
                .extracting(Sent::call)
                .hasSize(4)
                .containsOnly(sent.get(0).call());
        assertThat(sent)
                .extracting(one -> one.request().limits().bytes())
                .containsExactly(
                        Ledger.MAX_CLAIM_BYTES,
                        Ledger.MAX_CLAIM_BYTES / 4,
                        Ledger.MAX_CLAIM_BYTES / 16,
                        Ledger.MAX_CLAIM_BYTES / 64);
        assertThat(sent).extracting(one -> one.request().unsure()).containsExactly(false, true, true, true);
    }

    @Test
    void theNextCallFollowsOnTheSameLaneOnlyIfTheLastWasAnswered() {
        take(ONE, ANY).join();
        failures.add(Kind.UNKNOWN);
        assertThat(take(ONE, Duration.ZERO)).isCompletedExceptionally();
        take(ONE, ANY).join();
        List<Call> calls = sent.stream()
                .map(Sent::call)
                .filter(call -> call.number() > 0)
                .distinct()
                .toList();
        assertThat(calls).hasSize(3);
        assertThat(calls.get(1)).isEqualTo(new Call(calls.get(0).lane(), 2));
        assertThat(calls.get(2).lane()).isNotEqualTo(calls.get(0).lane());
    }

    @Test
    void whatACallMayHaveHandedOutIsGivenBackOnceItsClaimHasFailed() {
        failures.addAll(List.of(Kind.UNKNOWN, Kind.NOT_RUN, Kind.UNKNOWN));
        CompletableFuture<Taken> taken = take(ONE, Duration.ZERO);
        assertThat(Futures.failure(taken)).returns(Kind.UNKNOWN, LedgerException::kind);
        await().atMost(TestSettings.SOON).until(() -> sent.size() == 4);
        assertThat(sent).extracting(Sent::call).containsOnly(sent.get(0).call());
        assertThat(sent.subList(1, 4))
                .allSatisfy(one -> assertThat(one.request().limits().bytes()).isZero())
                .allSatisfy(one -> assertThat(one.request().unsure()).isTrue());
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"NOT_RUN", "REFUSED", "GARBLED", "SHUT_DOWN"})
    void aCallThatDidNotRunOrWillNotBeAnsweredFailsAtOnce(Kind kind) {
        failures.add(kind);
        assertThat(Futures.failure(take(ONE, ANY))).returns(kind, LedgerException::kind);
        assertThat(sent).hasSize(1);
    }

    @Test
    void aClaimWithAnIdLeavesItsJobsToItsRepeatAndLeavesNoMemoOfFindingNothing() {
        Wanted wanted = new Wanted("claim-1", 1, null, null);
        failures.addAll(List.of(Kind.UNKNOWN, Kind.UNKNOWN));
        take(wanted, ANY).join();
        failures.add(Kind.UNKNOWN);
        assertThat(take(wanted, Duration.ZERO)).isCompletedExceptionally();
        assertThat(sent).hasSize(4).extracting(Sent::call).containsOnly(new Call("~claims:claim-1", 1));
        assertThat(sent).noneMatch(one -> one.request().unsure());
        assertThat(sent).extracting(one -> one.request().random()).containsOnly(ClaimIds.random("claim-1"));
    }

    @Test
    void aJobThatNeverEndedIsHandedOutBesideAsManyOthersAsABeanWouldGet() {
        take(new Wanted(null, 200, null, null), ANY).join();
        assertThat(sent.get(0).request().limits().lost())
                .isEqualTo(TestSettings.defaults().concurrency());
    }
}
