package io.delayjob.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.delayjob.Dedupe;
import io.delayjob.JobState;
import io.delayjob.Limits;
import io.delayjob.Progress;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.ledger.Flow.Kind;
import io.delayjob.engine.ledger.Flow.Step;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Ledger contract: the flow log, and jobs that are restored. */
public abstract class FlowContract extends GracePeriodContract {

    private static final long BOUND = 1000;

    private @Nullable String position;

    @Test
    void aLogBeginsWithItsStartAndHasAllThatFollows() {
        submit(job("before", 5));
        Flow.Page first = page(null, 10, BOUND);
        assertThat(first.anchored()).isTrue();
        assertThat(first.nowMillis()).isEqualTo(START);
        assertThat(first.entries()).isEqualTo(1);
        assertThat(first.read()).isEqualTo(first.last());
        assertThat(told(first.steps())).containsExactly(step(Kind.START, "", null, 0, null));
        assertThat(page(first.read(), 10, BOUND).steps()).isEmpty();
        submit(job("a", 5));
        Flow.Page second = page(first.read(), 10, BOUND);
        assertThat(told(second.steps()))
                .containsExactly(stored(Kind.SUBMIT, "a", START + 5, "{\"v\":1,\"at\":" + START + "," + BODY));
        assertThat(second.entries()).isEqualTo(2);
    }

    @Test
    void nothingIsLoggedWhereNobodyAsks() {
        submit(job("a", 0));
        complete(claimOne());
        assertThat(ledger.missing(List.of("a")).join()).isEqualTo(new Flow.Missing(Set.of("a"), Flow.NOTHING));
        assertThat(page(null, 10, BOUND).steps()).extracting(Step::kind).containsExactly(Kind.START);
    }

    @Test
    void aSubmitIsLoggedWithAllThatIsStored() {
        follow();
        Dedupe dedupe = new Dedupe("k|1", Dedupe.Scope.WINDOW, Dedupe.Mode.KEEP_FIRST, Duration.ofMillis(700));
        submit(
                new NewJob("a|é", new NewJob.Due(START + 9, false), new JobContent(BODY, 500L, 7, dedupe)),
                job("b", 0),
                job("c", 0, 0));
        assertThat(news())
                .extracting(Step::id, Step::item, Step::dueMillis, Step::content)
                .containsExactly(
                        tuple("a|é", 0, START + 9, new JobContent(record(), 500L, 7, dedupe)),
                        tuple("b", 1, START, JobContent.of(record())),
                        tuple("c", 2, START, JobContent.of(record()).withPriority(0)));
    }

    private Fence fence() {
        return page(null, 0, BOUND).fence();
    }

    private static NewJob journaled(NewJob job, String permit, long tag) {
        return job.with(new NewJob.Journaled(permit, tag));
    }

    @Test
    void aSubmitOfTheJournalIsToldFromOthersInTheLog() {
        follow();
        String permit = fence().term();
        Dedupe key = Dedupe.untilStarted("k").postponing();
        assertThat(submit(
                        journaled(job("a", 5), permit, 11),
                        journaled(job("a", 5), permit, 12),
                        job("b", 5),
                        journaled(job("c", 5, key), permit, 13),
                        journaled(job("d", 6, key), permit, 14)))
                .extracting(result -> result.outcome())
                .containsExactly(Outcome.STORED, Outcome.EXISTS, Outcome.STORED, Outcome.STORED, Outcome.POSTPONED);
        assertThat(news())
                .extracting(Step::kind, Step::id, Step::tag)
                .containsExactlyInAnyOrder(
                        tuple(Kind.SUBMIT, "a", 11L),
                        tuple(Kind.REFUSE, "a", 12L),
                        tuple(Kind.SUBMIT, "b", null),
                        tuple(Kind.SUBMIT, "c", 13L),
                        tuple(Kind.SUBMIT, "c", null),
                        tuple(Kind.REFUSE, "d", 14L));
    }

    @Test
    void aSubmitOfTheJournalThatComesTooLateLeavesNoTrace() {
        follow();
        String permit = fence().term();
        ledger.raiseFence("c0ffee").join();
        ledger.raiseFence("c0ffee").join();
        assertThat(fence()).isEqualTo(new Fence("c0ffee", 0));
        assertThat(submit(journaled(job("a", 0), permit, 1), job("b", 0)))
                .containsExactly(result("a", Outcome.JOURNALED), result("b", Outcome.STORED));
        assertThat(news()).extracting(Step::id).containsExactly("b");
        assertThat(find("a")).isEmpty();
        assertThat(submit(journaled(job("a", 0), "c0ffee", 1))).containsExactly(result("a", Outcome.STORED));
        assertThat(submit(journaled(job("c", 0), "", 2))).containsExactly(result("c", Outcome.JOURNALED));
    }

    @Test
    void aPermitOfARelayIsForOneCallAndLeavesThoseOfNodesAlone() {
        follow();
        Fence seen = fence();
        assertThat(submit(journaled(job("a", 0), seen.ofRelay(), 1), journaled(job("b", 0), seen.ofRelay(), 2)))
                .extracting(result -> result.outcome())
                .containsExactly(Outcome.STORED, Outcome.STORED);
        assertThat(fence()).isEqualTo(new Fence(seen.term(), 1));
        complete(claimOne());
        assertThat(submit(journaled(job("a", 0), seen.ofRelay(), 1))).containsExactly(result("a", Outcome.JOURNALED));
        assertThat(submit(journaled(job("c", 0), seen.term(), 3))).containsExactly(result("c", Outcome.STORED));
        assertThat(fence()).isEqualTo(new Fence(seen.term(), 1));
    }

    @Test
    void aSubmitOfTheJournalStoresNothingWhereNobodyReadsTheLog() {
        ledger.raiseFence("c0ffee").join();
        NewJob[] jobs = {journaled(job("a", 0), "c0ffee", 1), journaled(job("b", 0), "c0ffee:0", 2)};
        assertThat(submit(jobs)).containsExactly(result("a", Outcome.JOURNALED), result("b", Outcome.JOURNALED));
        follow();
        assertThat(fence()).isEqualTo(new Fence("c0ffee", 0));
        assertThat(submit(jobs)).containsExactly(result("a", Outcome.STORED), result("b", Outcome.STORED));
    }

    @Test
    void aSubmitThatStoresNothingSaysWhichJobStandsInItsWay() {
        Dedupe key = Dedupe.untilFinished("k");
        submit(job("a", 5, key));
        follow();
        assertThat(submit(job("a", 1), job("b", 1, key), job("c", 1), job("c", 2)))
                .extracting(result -> result.outcome())
                .containsExactly(Outcome.EXISTS, Outcome.KEPT, Outcome.STORED, Outcome.EXISTS);
        assertThat(news())
                .extracting(Step::kind, Step::id, Step::state, Step::text)
                .containsExactly(
                        tuple(Kind.REFUSE, "a", null, "a"),
                        tuple(Kind.REFUSE, "b", null, "a"),
                        tuple(Kind.SUBMIT, "c", JobState.DELAYED, null),
                        tuple(Kind.REFUSE, "c", null, "c"));
    }

    @Test
    void jobsThatAreEvictedAreGoneButNotLogged() {
        Dedupe key = Dedupe.untilFinished("k");
        submit(job("dead", -2), job("runs", -1, key), job("waits", 5));
        bury(claimOne());
        Lease runs = claimOne();
        follow();
        Call call = call();
        assertThat(ledger.evict(call, 2).join()).isEqualTo(2);
        assertThat(ledger.evict(call, 2).join()).isEqualTo(2);
        assertThat(find("waits")).isEmpty();
        assertThat(find("runs")).isEmpty();
        assertThat(find("dead")).isPresent();
        assertThat(ledger.evict(call(), 2).join()).isEqualTo(1);
        assertThat(ledger.evict(call(), 2).join()).isZero();
        assertThat(complete(runs)).isFalse();
        assertThat(news()).isEmpty();
        assertThat(submit(job("again", 1, key))).containsExactly(result("again", Outcome.STORED));
    }

    @Test
    void aJobThatIsReplacedEnds() {
        Dedupe key = Dedupe.untilFinished("k").replacing();
        submit(job("a", 5, key));
        follow();
        submit(job("b", 7, key));
        submit(job("b", 9, key));
        assertThat(told(news()))
                .containsExactly(
                        step(Kind.REPLACE, "a", JobState.CANCELLED, 0, null, null, "b"),
                        stored(Kind.SUBMIT, "b", START + 7, key),
                        stored(Kind.SUBMIT, "b", START + 9, key));
    }

    @Test
    void aPostponedJobIsStoredAnewUnderItsId() {
        Dedupe key = Dedupe.untilFinished("k").postponing();
        submit(job("a", 5, key));
        follow();
        submit(job("b", 7, key));
        assertThat(told(news()))
                .containsExactly(
                        stored(Kind.SUBMIT, "a", START + 7, key), step(Kind.REFUSE, "b", null, 0, null, null, "a"));
    }

    @Test
    void attemptsAreLoggedWithTheirWorkerAndTheirEnd() {
        follow();
        submit(job("a", 0), job("b", 0));
        news();
        List<Lease> leases = claimAs("n", "w");
        assertThat(told(news()))
                .containsExactly(
                        step(Kind.CLAIM, "a", JobState.RESERVED, 1, null, "w", null),
                        step(Kind.CLAIM, "b", JobState.RESERVED, 1, null, "w", null));
        time(3);
        retry(leases.get(0), 10);
        bury(leases.get(1));
        assertThat(told(news()))
                .containsExactly(
                        step(Kind.RETRY, "a", JobState.DELAYED, 1, START + 13, null, "broke"),
                        step(Kind.BURY, "b", JobState.DEAD, 1, START + 3, null, "hopeless"));
        redrive("b");
        time(13);
        Lease second = claimOne();
        assertThat(told(news()))
                .containsExactly(
                        step(Kind.REDRIVE, "b", JobState.DELAYED, 0, START + 3),
                        step(Kind.CLAIM, "b", JobState.RESERVED, 1, null, "n", null));
        complete(second, "{\"a\":1}");
        Lease third = claimOne();
        release(third, null);
        assertThat(told(news()))
                .containsExactly(
                        step(Kind.COMPLETE, "b", JobState.COMPLETED, 1, null, null, "{\"a\":1}"),
                        step(Kind.CLAIM, "a", JobState.RESERVED, 2, null, "n", null),
                        step(Kind.RELEASE, "a", JobState.DELAYED, 1, START + 13));
        complete(claimOne());
        assertThat(news()).last().extracting(Step::text).isNull();
    }

    @Test
    void whatIsRefusedIsNotLogged() {
        follow();
        submit(job("a", 0));
        Lease lease = claimOne();
        complete(lease);
        news();
        complete(lease);
        retry(lease, 1);
        bury(lease);
        release(lease, null);
        cancel("a");
        reschedule("a", 5);
        redrive("a");
        claim(5);
        ledger.redriveAll(call(), 5, 0, 0).join();
        ledger.purgeDead(call(), 0, 5).join();
        assertThat(news()).isEmpty();
    }

    @Test
    void renewalsAndProgressAreNoStepsOfAJob() {
        follow();
        submit(job("a", 0));
        Lease lease = claimOne();
        news();
        renew(lease, 5);
        ledger.report(List.of(new Ledger.Report(lease, new Progress(5, "x")))).join();
        assertThat(news()).isEmpty();
    }

    @Test
    void aLeaseThatEndsIsLoggedBeforeTheNextAttempt() {
        follow();
        submit(leased("a", 0, 10));
        claimOne();
        news();
        time(10);
        claimOne();
        assertThat(told(news()))
                .containsExactly(
                        step(Kind.EXPIRE, "a", JobState.RESERVED, 1, null, "n", null),
                        step(Kind.CLAIM, "a", JobState.RESERVED, 2, null, "n", null));
    }

    @Test
    void aRepeatedCallIsLoggedOnce() {
        follow();
        Call submit = call();
        ledger.submit(submit, List.of(job("a", 0))).join();
        ledger.submit(submit, List.of(job("a", 0))).join();
        ledger.outcome(submit, List.of("a")).join();
        Call claim = call();
        ClaimRequest request = new ClaimRequest("n", 5, LEASE, "r");
        Lease lease = ledger.claim(claim, request).join().jobs().get(0).lease();
        ledger.claim(claim, request.repeated(Ledger.MAX_CLAIM_BYTES)).join();
        assertThat(news()).extracting(Step::kind).containsExactly(Kind.SUBMIT, Kind.CLAIM);
        ledger.claim(claim, request.repeated(0)).join();
        assertThat(told(news())).containsExactly(step(Kind.RELEASE, "a", JobState.DELAYED, 0, START));
        assertThat(complete(lease)).isFalse();
    }

    @Test
    void waitingJobsAreLoggedWhenTheyAreCancelledOrMoved() {
        submit(job("a", 5), job("b", 5), job("c", 0));
        Lease lease = claimOne();
        follow();
        reschedule("a", 9);
        cancel("b");
        cancel(lease.id());
        assertThat(told(news()))
                .containsExactly(
                        step(Kind.RESCHEDULE, "a", JobState.DELAYED, 0, START + 9),
                        step(Kind.CANCEL, "b", JobState.CANCELLED, 0, null),
                        step(Kind.CANCEL, "c", JobState.CANCELLED, 1, null));
    }

    @Test
    void deadJobsAreLoggedWhenTheyWaitAgainOrArePurged() {
        for (String id : List.of("a", "b", "c", "d")) {
            bringToDeath(id, null);
            time(1);
        }
        follow();
        ledger.redriveAll(call(), 2, 5_000, 10_000).join();
        ledger.purgeDead(call(), 0, 1).join();
        assertThat(told(news()))
                .containsExactly(
                        step(Kind.REDRIVE, "a", JobState.DELAYED, 0, START + 6),
                        step(Kind.REDRIVE, "b", JobState.DELAYED, 0, START + 16),
                        step(Kind.PURGE, "c", null, 0, null));
    }

    @Test
    void aJobThatIsPassedOnIsLoggedUntilItsNodeHasIt() {
        feedAs("n", "x");
        feedAs("m", "j");
        submit(job("a", 0));
        follow();
        claimAs("n", "n");
        assertThat(told(news())).containsExactly(step(Kind.PASS_ON, "a", JobState.DELAYED, 0, START + 5000));
        claimAs("m", "m");
        assertThat(told(news()))
                .containsExactly(
                        step(Kind.TAKE_BACK, "a", JobState.DELAYED, 0, START),
                        step(Kind.CLAIM, "a", JobState.RESERVED, 1, null, "m", null));
    }

    @Test
    void aJobWhoseLeaseEndsAtANodeWithoutItsHandlerIsPassedOn() {
        feedAs("n", "x");
        feedAs("m", "j");
        submit(leased("a", 0, 10));
        claimAs("m", "m");
        follow();
        time(10);
        claimAs("n", "n");
        assertThat(told(news()))
                .containsExactly(
                        step(Kind.EXPIRE, "a", JobState.RESERVED, 1, null, "m", null),
                        step(Kind.PASS_ON, "a", JobState.DELAYED, 1, START + 5010));
    }

    @Test
    void pagesGoOnWhereTheLastOneEnded() {
        follow();
        IntStream.range(0, 7).forEach(i -> submit(job("job-" + i, i), job("other-" + i, i)));
        Flow.Page first = page(position, 3, BOUND);
        assertThat(first.steps())
                .extracting(Step::id)
                .containsExactly("job-0", "other-0", "job-1", "other-1", "job-2", "other-2");
        assertThat(first.steps()).extracting(Step::item).containsExactly(0, 1, 0, 1, 0, 1);
        assertThat(first.read()).isEqualTo(first.steps().get(5).position());
        assertThat(Flow.ORDER.compare(first.read(), first.last())).isNegative();
        assertThat(first.entries()).isEqualTo(8);
        Flow.Page second = page(first.read(), 100, BOUND);
        assertThat(second.steps()).hasSize(8);
        assertThat(second.read()).isEqualTo(second.last());
        assertThat(page(second.read(), 100, BOUND).read()).isEqualTo(second.read());
        assertThat(page(null, 0, BOUND))
                .isEqualTo(new Flow.Page(true, List.of(), Flow.NOTHING, second.last(), 8, START, second.fence()));
    }

    @Test
    void positionsGrowInTheirOrder() {
        follow();
        IntStream.range(0, 30).forEach(i -> submit(job("job-" + i, i)));
        List<String> positions = news().stream().map(Step::position).toList();
        assertThat(positions).isSortedAccordingTo(Flow.ORDER).doesNotHaveDuplicates();
        assertThat(Flow.ORDER.compare("9-10", "10-9")).isNegative();
        assertThat(Flow.ORDER.compare("9-10", "9-9")).isPositive();
        assertThat(Flow.ORDER.compare("9-10", "9-10")).isZero();
    }

    @Test
    void aTrimToAPositionThatIsNotInTheLogRemovesNothing() {
        follow();
        submit(job("a", 0));
        submit(job("b", 0));
        assertThat(ledger.trimFlow("9999999999999-0").join()).isEqualTo(3);
        assertThat(news()).extracting(Step::id).containsExactly("a", "b");
    }

    @Test
    void aTrimLeavesTheEntryAtItsPosition() {
        follow();
        submit(job("a", 0));
        submit(job("b", 0));
        submit(job("c", 0));
        List<Step> steps = news();
        String second = steps.get(1).position();
        assertThat(ledger.trimFlow(second).join()).isEqualTo(2);
        Flow.Page page = page(second, 10, BOUND);
        assertThat(page.anchored()).isTrue();
        assertThat(page.steps()).extracting(Step::id).containsExactly("c");
        assertThat(page(steps.get(0).position(), 10, BOUND).anchored()).isFalse();
        assertThat(page(null, 10, BOUND).steps()).extracting(Step::id).containsExactly("b", "c");
    }

    @Test
    void aPositionOfOtherDataIsNoAnchor() {
        submit(job("a", 0));
        Flow.Page page = page(START + 5 + "-3", 10, BOUND);
        assertThat(page.anchored()).isFalse();
    }

    @Test
    void aLogThatNobodyKeepsGoingEndsAndBeginsAgain() {
        follow();
        time(Flow.KEPT_MILLIS - 1);
        submit(job("a", 0));
        news();
        time(2 * Flow.KEPT_MILLIS);
        underTest().forgetFlow();
        submit(job("b", 0));
        Flow.Page page = page(position, 10, BOUND);
        assertThat(page.anchored()).isTrue();
        assertThat(page.steps()).extracting(Step::kind).containsExactly(Kind.START);
    }

    @Test
    void aFullLogStopsClaimsAndSubmitsUntilItIsTrimmed() {
        follow();
        submit(job("a", 0));
        submit(job("b", 0), job("c", 0));
        Lease lease = claimOne();
        Call repeated = call();
        ledger.submit(repeated, List.of(job("d", 9))).join();
        Flow.Page page = page(null, 100, 5);
        assertThat(page.entries()).isEqualTo(5);
        Claimed none = claim(5);
        assertThat(none.jobs()).isEmpty();
        assertThat(none.mode()).isEqualTo(Claimed.Mode.FULL);
        assertThat(none.nextMillis()).isNull();
        assertThatThrownBy(() -> submit(job("x", 0)))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(LedgerException.class)
                .hasMessageContaining("flow log")
                .hasMessageContaining("5 entries")
                .hasMessageContaining("delayjob.journal.max-flow-entries")
                .extracting(e -> ((LedgerException) e).kind())
                .isEqualTo(LedgerException.Kind.REFUSED);
        assertThat(find("x")).isEmpty();
        assertThatThrownBy(() -> restore(restored("x", JobState.DELAYED)))
                .hasMessageContaining("delayjob.journal.max-flow-entries");
        assertThat(ledger.submit(repeated, List.of(job("d", 9))).join()).containsExactly(result("d", Outcome.STORED));
        assertThat(complete(lease)).isTrue();
        assertThat(page(page.read(), 10, 5).steps()).extracting(Step::kind).containsExactly(Kind.COMPLETE);
        assertThat(ledger.trimFlow(page.read()).join()).isEqualTo(2);
        assertThat(claim(1).jobs()).hasSize(1);
        submit(job("x", 0));
    }

    @Test
    void theBoundIsThatOfTheLastRequest() {
        follow();
        submit(job("a", 0));
        page(null, 0, 2);
        assertThat(claim(1).mode()).isEqualTo(Claimed.Mode.FULL);
        page(null, 0, 3);
        assertThat(claim(1).jobs()).hasSize(1);
        assertThat(news()).extracting(Step::kind).containsExactly(Kind.SUBMIT, Kind.CLAIM);
    }

    /** Finds the entry that was read last. */
    private void compare() {
        ledger.flow(new Flow.Request(position, 0, BOUND, true)).join();
    }

    private void compareWith(@Nullable String entry) {
        ledger.flow(new Flow.Request(entry, 0, BOUND, true)).join();
    }

    @Test
    void claimsWaitForAJournalThatHasNotComparedForLong() {
        follow();
        submit(job("a", 0), job("b", 0), job("c", 0));
        compare();
        time(Flow.COMPARED_MILLIS);
        assertThat(claim(1).jobs()).hasSize(1);
        time(Flow.COMPARED_MILLIS + 1);
        Claimed waits = claim(5);
        assertThat(waits.jobs()).isEmpty();
        assertThat(waits.mode()).isEqualTo(Claimed.Mode.QUIET);
        assertThat(waits.nextMillis()).isBetween(1L, 1000L);
        compareWith(null);
        compareWith("77-7");
        page(position, 0, BOUND);
        assertThat(claim(5).jobs()).isEmpty();
        compare();
        assertThat(claim(1).jobs()).hasSize(1);
        assertThat(news())
                .extracting(Step::kind)
                .containsExactly(Kind.SUBMIT, Kind.SUBMIT, Kind.SUBMIT, Kind.CLAIM, Kind.CLAIM);
    }

    @Test
    void claimsWaitForAJournalForSoLongAndNoLonger() {
        follow();
        submit(job("a", 0), job("b", 0), job("c", 0));
        compare();
        long from = 10 * Flow.KEPT_MILLIS;
        time(from);
        assertThat(claim(5).jobs()).isEmpty();
        time(from + Flow.PATIENCE_MILLIS - 1);
        assertThat(claim(5).jobs()).isEmpty();
        time(from + Flow.PATIENCE_MILLIS);
        assertThat(claim(1).jobs()).hasSize(1);
        time(2 * from);
        assertThat(claim(1).jobs()).hasSize(1);
    }

    @Test
    void claimsWaitForNoJournalThatHasNeverCompared() {
        follow();
        submit(job("a", 0));
        time(2 * Flow.KEPT_MILLIS);
        assertThat(claim(1).jobs()).hasSize(1);
    }

    @Test
    void aClaimIsNotRepeatedByOneThatWaitsForTheJournal() {
        follow();
        submit(job("a", 0), job("b", 0));
        compare();
        Call call = call();
        Claimed first = ledger.claim(call, new ClaimRequest("n", 1, LEASE, "r")).join();
        assertThat(first.jobs()).hasSize(1);
        time(Flow.COMPARED_MILLIS + 1);
        assertThat(ledger.claim(call, new ClaimRequest("n", 1, LEASE, "r"))
                        .join()
                        .jobs())
                .extracting(job -> job.lease().id())
                .containsExactly(first.jobs().get(0).lease().id());
    }

    @Test
    void aFullLogOfAPausedQueueIsThatOfAPausedQueue() {
        page(null, 0, 1);
        ledger.pause(true).join();
        assertThat(claim(1).mode()).isEqualTo(Claimed.Mode.PAUSED);
    }

    @Test
    void theFleetSaysHowFullALogIs() {
        assertThat(ledger.fleet().join().flow()).isNull();
        page(null, 0, 7);
        submit(job("a", 0));
        assertThat(ledger.fleet().join().flow()).isEqualTo(new FleetView.Fill(2, 7));
    }

    @Test
    void missingJobsAreThoseThatAreInNoState() {
        submit(job("waits", 9), job("dead", 0));
        bury(claimOne());
        submit(job("runs", 0));
        claimOne();
        follow();
        submit(job("done", 0));
        complete(claimOne());
        Flow.Missing missing = ledger.missing(List.of("waits", "dead", "runs", "done", "never"))
                .join();
        assertThat(missing.ids()).containsExactlyInAnyOrder("done", "never");
        assertThat(missing.last()).isEqualTo(news().get(2).position());
        assertThat(ledger.missing(List.of()).join().ids()).isEmpty();
    }

    @Test
    void aJobIsPutBackAsItWas() {
        follow();
        RestoredJob waits =
                new RestoredJob("a", new JobContent(record(), 700L, 9, null), JobState.DELAYED, START - 3, 2, "broke");
        RestoredJob dead = new RestoredJob("b", JobContent.of(record()), JobState.DEAD, START - 9, 4, "hopeless");
        RestoredJob fresh = new RestoredJob("c", JobContent.of(record()), JobState.DELAYED, START + 9, 0, null);
        assertThat(restore(waits, dead, fresh)).containsExactly(true, true, true);
        assertThat(news())
                .extracting(
                        Step::kind, Step::id, Step::state, Step::attempt, Step::dueMillis, Step::text, Step::content)
                .containsExactly(
                        tuple(
                                Kind.RESTORE,
                                "a",
                                JobState.DELAYED,
                                2,
                                START - 3,
                                "broke",
                                new JobContent(record(), 700L, 9, null)),
                        tuple(Kind.RESTORE, "b", JobState.DEAD, 4, START - 9, "hopeless", JobContent.of(record())),
                        tuple(Kind.RESTORE, "c", JobState.DELAYED, 0, START + 9, null, JobContent.of(record())));
        Attempt second = new Attempt(2, null, null, null);
        assertThat(found("a"))
                .isEqualTo(new StoredJob(JobState.READY, START - 3, record(), second, null, "broke", null, null));
        assertThat(found("b"))
                .isEqualTo(new StoredJob(
                        JobState.DEAD,
                        START - 9,
                        record(),
                        new Attempt(4, null, null, null),
                        null,
                        "hopeless",
                        null,
                        null));
        assertThat(found("c"))
                .isEqualTo(new StoredJob(JobState.DELAYED, START + 9, record(), Attempt.NONE, null, null, null, null));
        Claimed.Job claimed = claimJob();
        assertThat(claimed.attempt().number()).isEqualTo(3);
        assertThat(claimed.attempt().dueMillis()).isEqualTo(START - 3);
        assertThat(claimed.leaseMillis()).isEqualTo(700);
        assertThat(claimed.record()).isEqualTo(record());
        assertThat(redrive("b").done()).isTrue();
        assertThat(claimJob().attempt().number()).isEqualTo(1);
    }

    @Test
    void aJobThatExistsIsNotPutBack() {
        submit(job("waits", 9), job("dead", -1));
        bury(claimOne());
        submit(job("runs", 0));
        claimOne();
        follow();
        assertThat(restore(
                        restored("waits", JobState.DELAYED),
                        restored("dead", JobState.DEAD),
                        restored("runs", JobState.DELAYED),
                        restored("new", JobState.DELAYED),
                        restored("new", JobState.DEAD)))
                .containsExactly(false, false, false, true, false);
        assertThat(found("waits").atMillis()).isEqualTo(START + 9);
        assertThat(news()).extracting(Step::kind, Step::id).containsExactly(tuple(Kind.RESTORE, "new"));
    }

    @Test
    void aRepeatedRestoreGetsItsFirstAnswer() {
        follow();
        Call call = new Call("restores", 1);
        RestorePermit permit = begin();
        List<RestoredJob> jobs = List.of(restored("a", JobState.DELAYED));
        assertThat(ledger.restore(call, permit, jobs).join()).containsExactly(true);
        cancel("a");
        assertThat(ledger.restore(call, permit, jobs).join()).containsExactly(true);
        assertThat(find("a")).isEmpty();
        assertThat(news()).extracting(Step::kind).containsExactly(Kind.RESTORE, Kind.CANCEL);
    }

    @Test
    void aRestoreThatAnotherOneHasOvertakenStoresNothing() {
        follow();
        RestorePermit late = begin();
        RestorePermit next = begin();
        List<RestoredJob> jobs = List.of(restored("a", JobState.DELAYED));
        assertThat(ledger.restore(call(), late, jobs).join()).isEmpty();
        assertThat(find("a")).isEmpty();
        assertThat(ledger.restore(call(), next, jobs).join()).containsExactly(true);
        complete(claimOne());
        assertThat(ledger.restore(call(), late, jobs).join()).isEmpty();
        assertThat(news()).extracting(Step::kind).containsExactly(Kind.RESTORE, Kind.CLAIM, Kind.COMPLETE);
    }

    /** So a call that is repeated long after its memo has expired stores nothing either. */
    @Test
    void aPermitToRestoreIsForOneCall() {
        RestorePermit permit = begin();
        List<RestoredJob> jobs = List.of(restored("a", JobState.DELAYED));
        assertThat(ledger.restore(call(), permit, jobs).join()).containsExactly(true);
        ledger.beginRestore(permit.term()).join();
        complete(claimOne());
        assertThat(ledger.restore(call(), permit, jobs).join()).isEmpty();
        assertThat(ledger.restore(call(), permit.next(), jobs).join()).containsExactly(true);
    }

    @Test
    void nothingIsPutBackBeforeARestoreHasBegun() {
        List<RestoredJob> jobs = List.of(restored("a", JobState.DELAYED));
        assertThat(ledger.restore(call(), RestorePermit.first("c0ffee"), jobs).join())
                .isEmpty();
        assertThat(find("a")).isEmpty();
    }

    private RestorePermit begin() {
        String term = Fence.newTerm();
        ledger.beginRestore(term).join();
        return RestorePermit.first(term);
    }

    @Test
    void aJobThatIsPutBackHasItsKeyAgainIfItWouldStillHoldIt() {
        restore(
                keyed("a", JobState.DELAYED, 1, Dedupe.untilFinished("finished")),
                keyed("b", JobState.DEAD, 1, Dedupe.untilFinished("dead")),
                keyed("c", JobState.DELAYED, 0, Dedupe.untilStarted("fresh")),
                keyed("d", JobState.DELAYED, 1, Dedupe.untilStarted("started")),
                keyed("e", JobState.DEAD, 1, Dedupe.within("window", Duration.ofMillis(501))),
                keyed("f", JobState.DELAYED, 0, Dedupe.within("over", Duration.ofMillis(500))));
        assertThat(submit("1", 0, Dedupe.untilFinished("finished"))).isEqualTo(result("a", Outcome.KEPT));
        assertThat(submit("2", 0, Dedupe.untilFinished("dead")).outcome()).isEqualTo(Outcome.STORED);
        assertThat(submit("3", 0, Dedupe.untilStarted("fresh"))).isEqualTo(result("c", Outcome.KEPT));
        assertThat(submit("4", 0, Dedupe.untilStarted("started")).outcome()).isEqualTo(Outcome.STORED);
        assertThat(submit("5", 0, Dedupe.within("window", Duration.ofDays(1)))).isEqualTo(result("e", Outcome.KEPT));
        assertThat(submit("6", 0, Dedupe.within("over", Duration.ofDays(1))).outcome())
                .isEqualTo(Outcome.STORED);
        time(1);
        assertThat(submit("7", 0, Dedupe.within("window", Duration.ofDays(1))).outcome())
                .isEqualTo(Outcome.STORED);
    }

    @Test
    void aWindowOfAJobOfANewerReleaseBeganWhenItsRecordSays() {
        Dedupe window = Dedupe.within("window", Duration.ofMillis(501));
        String record = record(START - 500).replace("\"v\":1", "\"v\":2");
        restore(new RestoredJob("a", new JobContent(record, null, window), JobState.DELAYED, START, 0, null));
        assertThat(submit("1", 0, window)).isEqualTo(result("a", Outcome.KEPT));
    }

    @Test
    void aKeyThatAnotherJobHoldsStaysWithIt() {
        Dedupe key = Dedupe.untilFinished("k");
        submit("first", 5, key);
        restore(keyed("second", JobState.DELAYED, 0, key));
        assertThat(submit("third", 0, key)).isEqualTo(result("first", Outcome.KEPT));
        cancel("second");
        assertThat(submit("third", 0, key)).isEqualTo(result("first", Outcome.KEPT));
        cancel("first");
        assertThat(submit("third", 0, key).outcome()).isEqualTo(Outcome.STORED);
    }

    @Test
    void wholeBatchesAreLogged() {
        follow();
        List<NewJob> jobs = IntStream.range(0, Ledger.MAX_BATCH)
                .mapToObj(i -> new NewJob(
                        "job-" + i,
                        new NewJob.Due(0, true),
                        new JobContent(
                                BODY, LEASE, Dedupe.untilFinished("key-" + i).replacing())))
                .toList();
        List<NewJob> others = jobs.stream()
                .map(job -> new NewJob("other-" + job.id(), job.due(), job.content()))
                .toList();
        ledger.submit(call(), jobs).join();
        assertThat(news()).hasSize(200);
        ledger.submit(call(), others).join();
        assertThat(news()).hasSize(400);
        List<Lease> leases =
                claim(Ledger.MAX_BATCH).jobs().stream().map(Claimed.Job::lease).toList();
        time(LEASE);
        claim(Ledger.MAX_BATCH);
        assertThat(news()).hasSize(600);
        assertThat(leases).hasSize(200);
    }

    /** Begins the log, and reads it up to now. */
    private void follow() {
        news();
    }

    /** Reads the steps logged since the last read. */
    private List<Step> news() {
        Flow.Page page = page(position, 1000, BOUND);
        assertThat(page.read()).isEqualTo(page.last());
        position = page.read();
        return page.steps();
    }

    @Test
    void aSubmitOfTheJournalWhoseIdIsThatOfAnotherShardsJobIsRefusedInTheLog() {
        follow();
        Fence seen = fence();
        pointElsewhere("b");
        NewJob late = journaled(job("a", 0), "c0ffee", 1).elsewhere();
        assertThat(submit(
                        late,
                        journaled(job("a", 0, Dedupe.untilStarted("k")), seen.ofRelay(), 2)
                                .elsewhere(),
                        journaled(job("b", 0), seen.ofRelay(), 3).elsewhere(),
                        journaled(job("b", 0), seen.ofRelay(), 4)))
                .extracting(result -> result.outcome())
                .containsExactly(Outcome.JOURNALED, Outcome.EXISTS, Outcome.EXISTS, Outcome.UNCONFIRMED);
        assertThat(news())
                .extracting(Step::kind, Step::id, Step::tag, Step::text)
                .containsExactly(tuple(Kind.REFUSE, "a", 2L, "a"), tuple(Kind.REFUSE, "b", 3L, "b"));
        assertThat(fence()).as("the relay's permit was for this call").isEqualTo(seen.afterRelay());
        assertThat(ledger.missing(List.of("a", "b")).join().ids()).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void aRelaysPermitIsUsedUpByACallWhoseIdsAllPointElsewhere() {
        follow();
        Fence seen = fence();
        pointElsewhere("a");
        assertThat(submit(journaled(job("a", 0), seen.ofRelay(), 1))).containsExactly(result("a", Outcome.UNCONFIRMED));
        assertThat(fence()).isEqualTo(seen.afterRelay());
        assertThat(news()).isEmpty();
    }

    private void pointElsewhere(String id) {
        ledger.pointers()
                .point(List.of(new Pointers.Wanted(id, shard().number() + 1, "t-" + id, null)))
                .join();
    }

    private Flow.Page page(@Nullable String after, int limit, long bound) {
        return ledger.flow(new Flow.Request(after, limit, bound)).join();
    }

    @Test
    void limitsThatAreSetAreLoggedAsTheyThenAre() {
        follow();
        Limits queue = Limits.NONE
                .withConcurrency(4)
                .withRate(100, Duration.ofSeconds(1))
                .withPerKey(Limits.NONE.withConcurrency(1).withOrder(Limits.Order.STRICT));
        Limits own = Limits.NONE.withWeight(3);
        ShardLimits limits = ledger.limits();
        limits.set(ShardLimits.Shared.of(queue), 0).join();
        limits.set("a|b", own).join();
        limits.slow("a|b", Duration.ofSeconds(1)).join();
        List<Step> first = news();
        assertThat(first).extracting(Step::kind).containsOnly(Kind.LIMITS);
        assertThat(first)
                .extracting(step -> SetLimits.read(step.id(), step.text()))
                .containsExactly(new SetLimits("", queue, false), new SetLimits("a|b", own, false));
        limits.set("a|b", null).join();
        limits.set(null, 0).join();
        assertThat(news())
                .extracting(Step::kind, Step::id, Step::text)
                .containsExactly(tuple(Kind.LIMITS, "a|b", null), tuple(Kind.LIMITS, "", null));
    }

    @Test
    void pausesAreLoggedApartFromLimits() {
        follow();
        Limits own = Limits.NONE.withWeight(3);
        ShardLimits limits = ledger.limits();
        limits.set("a|b", own).join();
        limits.pause("a|b", true).join();
        limits.pause("c", true).join();
        ledger.pause(true).join();
        assertThat(limits.read(0).join().allSet())
                .containsExactlyInAnyOrder(
                        new SetLimits("", null, true), new SetLimits("a|b", own, true), new SetLimits("c", null, true));
        ledger.pause(false).join();
        limits.pause("a|b", false).join();
        assertThat(limits.read(0).join().allSet())
                .containsExactlyInAnyOrder(new SetLimits("a|b", own, false), new SetLimits("c", null, true));
        assertThat(news())
                .filteredOn(step -> step.kind() == Kind.PAUSE)
                .extracting(Step::id, Step::text)
                .containsExactly(
                        tuple("a|b", "1"), tuple("c", "1"), tuple("", "1"), tuple("", null), tuple("a|b", null));
    }

    @Test
    void aJobIsNotRestoredWhereItsIdPointsElsewhereOrItsPointerWasRevoked() {
        Pointer revoked = new Pointer("a", shard().number(), "t1", START);
        Pointer shown = new Pointer("c", shard().number(), "t2", START);
        ledger.pointers().revoke(List.of(revoked)).join();
        pointElsewhere("b");
        assertThat(restore(
                        restored("a", JobState.DELAYED).with(revoked),
                        restored("b", JobState.DELAYED),
                        restored("c", JobState.DELAYED).with(shown),
                        restored("d", JobState.DEAD)))
                .containsExactly(false, false, true, true);
        assertThat(ledger.missing(List.of("a", "b", "c", "d")).join().ids()).containsExactlyInAnyOrder("a", "b");
    }

    private List<Boolean> restore(RestoredJob... jobs) {
        return ledger.restore(call(), begin(), List.of(jobs)).join();
    }

    private static String record() {
        return record(START);
    }

    private static String record(long at) {
        return "{\"v\":1,\"at\":" + at + "," + BODY;
    }

    private static RestoredJob restored(String id, JobState state) {
        return new RestoredJob(id, JobContent.of(record()), state, START, 0, null);
    }

    /** Of a job that was submitted half a second ago. */
    private static RestoredJob keyed(String id, JobState state, int attempt, Dedupe dedupe) {
        return new RestoredJob(id, new JobContent(record(START - 500), null, dedupe), state, START, attempt, null);
    }

    private void feedAs(String node, String name) {
        ledger.feed(TestSettings.feed(new Feed.Presence(node, 60_000, 4, 4, List.of(name))))
                .join();
    }

    private List<Lease> claimAs(String node, String worker) {
        ClaimRequest request =
                new ClaimRequest(node, worker, ClaimRequest.Limits.of(5), LEASE, "r" + node, false, true, 0, 0);
        return ledger.claim(call(), request).join().jobs().stream()
                .map(Claimed.Job::lease)
                .toList();
    }

    /** Steps without their positions, places and times. */
    private static List<Step> told(List<Step> steps) {
        return steps.stream()
                .map(step -> new Step(
                        "",
                        0,
                        step.kind(),
                        0,
                        step.id(),
                        step.state(),
                        step.attempt(),
                        step.dueMillis(),
                        step.placeMillis(),
                        step.node(),
                        step.text(),
                        step.content(),
                        step.tag(),
                        step.schedule()))
                .toList();
    }

    private static Step step(Kind kind, String id, @Nullable JobState state, int attempt, @Nullable Long due) {
        return step(kind, id, state, attempt, due, null, null);
    }

    private static Step step(
            Kind kind,
            String id,
            @Nullable JobState state,
            int attempt,
            @Nullable Long due,
            @Nullable String node,
            @Nullable String text) {
        return new Step("", 0, kind, 0, id, state, attempt, due, node, text, null, null);
    }

    private static Step stored(Kind kind, String id, long due, String record) {
        JobContent stored = JobContent.of(record);
        return new Step("", 0, kind, 0, id, JobState.DELAYED, 0, due, null, null, stored, null);
    }

    private static Step stored(Kind kind, String id, long due, Dedupe dedupe) {
        JobContent stored = new JobContent(record(), null, dedupe);
        return new Step("", 0, kind, 0, id, JobState.DELAYED, 0, due, null, null, stored, null);
    }
}
