package io.delayjob.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.delayjob.ActionResult;
import io.delayjob.JobState;
import io.delayjob.Progress;
import io.delayjob.QueueCounts;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.ledger.Backend.Cancellation;
import io.delayjob.engine.ledger.Backend.Notice;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Ledger contract: the life cycle of a job. */
public abstract class JobsContract extends LedgerFixture {

    @Test
    void aSubmittedJobIsStoredWithTheTimeOfTheLedgersClock() {
        assertThat(submit(job("a", 500))).containsExactly(result("a", Outcome.STORED));
        assertThat(find("a"))
                .contains(new StoredJob(
                        JobState.DELAYED,
                        START + 500,
                        "{\"v\":1,\"at\":" + START + "," + BODY,
                        Attempt.NONE,
                        null,
                        null,
                        null,
                        null));
    }

    @Test
    void anIdThatExistsStaysAsItIsInWhateverState() {
        submit(job("a", 0));
        Lease lease = claimOne();
        assertThat(submit(job("a", 9))).containsExactly(result("a", Outcome.EXISTS));
        assertThat(found("a").state()).isEqualTo(JobState.RESERVED);
        bury(lease);
        assertThat(submit(job("a", 9))).containsExactly(result("a", Outcome.EXISTS));
        assertThat(found("a").state()).isEqualTo(JobState.DEAD);
    }

    @Test
    void theFirstOfTwoJobsOfOneIdInACallIsStored() {
        assertThat(submit(job("a", 5), job("b", 6), job("a", 7)))
                .containsExactly(result("a", Outcome.STORED), result("b", Outcome.STORED), result("a", Outcome.EXISTS));
        assertThat(found("a").atMillis()).isEqualTo(START + 5);
    }

    @Test
    void aMomentOfTheClockIsTakenAsItIs() {
        ledger.submit(call(), List.of(new NewJob("a", new NewJob.Due(START - 5, false), JobContent.of(BODY))))
                .join();
        assertThat(found("a").atMillis()).isEqualTo(START - 5);
        assertThat(claimJob().dueMillis()).isEqualTo(START - 5);
    }

    @Test
    void aRepeatedSubmitGetsTheFirstAnswer() {
        Call call = call();
        ledger.submit(call, List.of(job("a", 5))).join();
        cancel("b");
        Call again = call();
        ledger.submit(again, List.of(job("b", 5))).join();
        assertThat(ledger.submit(again, List.of(job("b", 5))).join()).containsExactly(result("b", Outcome.STORED));
    }

    @Test
    void aCallThatWasOvertakenFailsAndChangesNothing() {
        Call old = call();
        submit(job("a", 5));
        assertThatThrownBy(() -> ledger.submit(old, List.of(job("b", 5))).join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(LedgerException.class)
                .hasMessageContaining("overtaken");
        assertThat(find("b")).isEmpty();
    }

    @Test
    void aSubmitOfUnknownOutcomeTellsItsFirstAnswerAlsoWhenItsJobHasGone() {
        Call unknown = new Call("given-up", 3);
        ledger.submit(unknown, List.of(job("a", 0), job("b", 0))).join();
        Lease lease = claimOne();
        assertThat(complete(lease)).isTrue();
        assertThat(ledger.outcome(unknown, List.of("a", "b")).join())
                .containsExactly(result("a", Outcome.STORED), result("b", Outcome.STORED));
        assertThat(find(lease.id())).isEmpty();
    }

    @Test
    void aSubmitThatHadNotRunWhenItWasAskedAfterNeverDoes() {
        Call lost = new Call("given-up", 3);
        assertThat(ledger.outcome(lost, List.of("a")).join()).isEmpty();
        ledger.submit(lost, List.of(job("a", 0)))
                .exceptionally(late -> List.of())
                .join();
        assertThat(find("a")).isEmpty();
        assertThat(ledger.outcome(lost, List.of("a")).join()).isEmpty();
    }

    @Test
    void aLaneDoesNotOvertakeAnother() {
        submit(job("a", 0));
        assertThat(ledger.cancel(new Call("other", 1), List.of("a")).join())
                .containsExactly(ActionResult.done(JobState.READY));
    }

    @Test
    void dueJobsAreHandedOutByTimeAndThenByTheBytesOfTheirId() {
        submit(job("\uFFFD", 1), job("😀", 1), job("b", 1), job("a", 2), job("aa", 1));
        time(5);
        assertThat(claim(9).jobs().stream().map(job -> job.lease().id()))
                .containsExactly("aa", "b", "\uFFFD", "😀", "a");
    }

    @Test
    void noJobIsHandedOutAMillisecondEarly() {
        submit(job("a", 100));
        time(99);
        assertThat(claim(1)).isEqualTo(new Claimed(List.of(), Claimed.Mode.QUIET, 1L, 0, false));
        time(100);
        assertThat(claim(1).jobs()).hasSize(1);
    }

    @Test
    void aClaimSaysWhatItHandsOut() {
        submit(leased("a", 100, 5000));
        time(250);
        Call call = call();
        Claimed claimed =
                ledger.claim(call, new ClaimRequest("n", 1, LEASE, "r")).join();
        assertThat(claimed.jobs())
                .containsExactly(new Claimed.Job(
                        new Lease("a", "1:r"),
                        "{\"v\":1,\"at\":" + START + "," + BODY,
                        new Attempt(1, START + 100, START + 250, null),
                        5000L,
                        0,
                        false,
                        false,
                        (START + 250) * 1000));
        StoredJob job = found("a");
        assertThat(job.state()).isEqualTo(JobState.RESERVED);
        assertThat(job.atMillis()).isEqualTo(START + 250 + 5000);
        assertThat(job.node()).isEqualTo("n");
        assertThat(job.attempt().claimedMillis()).isEqualTo(START + 250);
        assertThat(job.attempt().dueMillis()).isEqualTo(START + 100);
    }

    @Test
    void aClaimSaysWhenTheNextJobIsDueOrTheNextLeaseEnds() {
        assertThat(claim(1).nextMillis()).isNull();
        submit(job("a", 0), job("b", 0), job("c", 700));
        assertThat(claim(1).nextMillis()).isZero();
        assertThat(claim(1).nextMillis()).isEqualTo(700);
        cancel("c");
        assertThat(claim(1).nextMillis()).isEqualTo(LEASE);
    }

    @Test
    void anExpiredLeaseIsHandedOutFirstAndCountsAsLost() {
        submit(leased("a", 0, 1000));
        claimOne();
        submit(job("b", -5000));
        time(1000);
        List<Claimed.Job> jobs = claim(2).jobs();
        assertThat(jobs).extracting(job -> job.lease().id()).containsExactly("a", "b");
        assertThat(jobs).extracting(Claimed.Job::lost).containsExactly(1, 0);
        assertThat(jobs).extracting(Claimed.Job::expired).containsExactly(true, false);
        assertThat(jobs.get(0).attempt().number()).isEqualTo(2);
        assertThat(jobs.get(0).dueMillis()).isEqualTo(START);
        time(2000);
        assertThat(claimJob().lost()).isEqualTo(2);
    }

    @Test
    void aWordOfTheNodeEndsTheCountOfLostLeases() {
        submit(leased("a", 0, 10));
        claimOne();
        time(10);
        retry(claimOne(), 0);
        Claimed.Job retried = claimJob();
        assertThat(retried.lost()).isZero();
        time(20);
        bury(claimOne());
        redrive("a");
        Claimed.Job redriven = claimJob();
        assertThat(redriven.lost()).isZero();
        assertThat(redriven.attempt().number()).isEqualTo(1);
    }

    @Test
    void aReleaseSaysNothingOfTheJobAndLeavesTheCountOfLostLeases() {
        submit(leased("a", 0, 10));
        claimOne();
        for (int lost = 1; lost <= 3; lost++) {
            time(10L * lost);
            release(claimOne(), null);
            Claimed.Job released = claimJob();
            assertThat(released.lost()).isEqualTo(lost);
            assertThat(released.expired()).isFalse();
            assertThat(released.attempt().number()).isEqualTo(lost + 1);
            release(released.lease(), 0L);
            assertThat(claimJob().lost()).isEqualTo(lost);
        }
    }

    @Test
    void aJobThatHadBegunWhenItWasGivenBackIsKnownToHaveUntilItIsRedriven() {
        submit(job("a", 0));
        release(claimOne(), null);
        Claimed.Job before = claimJob();
        assertThat(before.begun()).isFalse();
        assertThat(releaseBegun(before.lease())).isTrue();
        assertThat(found("a").attempt().number()).isZero();
        for (int times = 1; times <= 2; times++) {
            Claimed.Job given = claimJob();
            assertThat(given.begun()).isTrue();
            assertThat(given.attempt().number()).isEqualTo(1);
            releaseBegun(given.lease());
        }
        release(claimOne(), 0L);
        Claimed.Job last = claimJob();
        assertThat(last.begun()).isTrue();
        bury(last.lease());
        redrive("a");
        assertThat(claimJob().begun()).isFalse();
    }

    @Test
    void aBurialThatSpendsNoAttemptTakesBackTheOneThatTheClaimCounted() {
        submit(job("a", 0), job("b", 0));
        List<Lease> leases = leases(claim(2));
        Settlement.Bury untried = new Settlement.Bury(leases.get(0), "too late", false);
        Settlement.Bury tried = new Settlement.Bury(leases.get(1), "hopeless", true);
        assertThat(ledger.settle(call(), List.of(untried, tried)).join()).containsExactly(true, true);
        assertThat(found("a").attempt().number()).isZero();
        assertThat(found("a").error()).isEqualTo("too late");
        assertThat(found("b").attempt().number()).isEqualTo(1);
    }

    @Test
    void aRepeatedClaimHandsOutWhatItStillHoldsUnderAFreshLeaseAndNothingElse() {
        submit(job("a", -3), job("b", -2), leased("c", -1, 10));
        Call call = new Call("taker", 1);
        ClaimRequest request = new ClaimRequest("n", 3, LEASE, "x");
        List<Claimed.Job> first = ledger.claim(call, request).join().jobs();
        submit(job("d", 0));
        complete(first.get(0).lease());
        time(10);
        assertThat(claimOne().id()).isEqualTo("c");
        time(15);
        assertThat(ledger.claim(call, request).join().jobs())
                .extracting(Claimed.Job::lease)
                .containsExactly(first.get(1).lease());
        assertThat(found("b").atMillis()).isEqualTo(START + 15 + LEASE + 1);
        assertThat(found("b").attempt().number()).isEqualTo(1);
    }

    /** Whichever of the calls came first, and even if they came in the same millisecond. */
    @Test
    void whatARepeatedClaimHoldsIsNotGivenBackByTheEndOfTheLeaseThatEitherCallWasTold() {
        submit(job("a", 0), leased("b", 0, 10));
        Call call = new Call("shared", 1);
        ClaimRequest request = new ClaimRequest("n", 2, LEASE, "x");
        List<Lease> first = leases(ledger.claim(call, request).join());
        List<Lease> again = leases(ledger.claim(call, request).join());
        assertThat(giveBack(first, START + LEASE, START + 10)).containsExactly(false, false);
        assertThat(giveBack(again, START + LEASE, START + 10)).containsExactly(false, false);
        assertThat(found("a").attempt().number()).isEqualTo(1);
        assertThat(complete(first.get(0))).isTrue();
        assertThat(complete(again.get(1))).isTrue();
    }

    @Test
    void aJobIsGivenBackByTheEndOfItsLeaseUnlessThatWasExtended() {
        submit(job("a", 0), leased("b", 0, 10));
        List<Lease> leases = leases(claim(2));
        assertThat(renew(leases.get(0), LEASE + 1)).isTrue();
        assertThat(giveBack(leases, START + LEASE, START + 10)).containsExactly(false, true);
        assertThat(found("a").state()).isEqualTo(JobState.RESERVED);
        assertThat(found("b").state()).isEqualTo(JobState.READY);
        assertThat(found("b").attempt().number()).isZero();
        assertThat(giveBack(leases, START + LEASE + 1, START + 10)).containsExactly(true, false);
    }

    private List<Boolean> giveBack(List<Lease> leases, long firstEnds, long secondEnds) {
        return ledger.settle(
                        call(),
                        List.of(
                                new Settlement.Release(leases.get(0), null, null, firstEnds),
                                new Settlement.Release(leases.get(1), null, null, secondEnds)))
                .join();
    }

    private static List<Lease> leases(Claimed claimed) {
        return claimed.jobs().stream().map(Claimed.Job::lease).toList();
    }

    @Test
    void aJobShowsTheWorkerThatItWasClaimedFor() {
        submit(job("a", 0));
        ledger.claim(
                        new Call("taker", 1),
                        new ClaimRequest("n", "worker-1", ClaimRequest.Limits.of(1), LEASE, "x", false, false, 0, 0))
                .join();
        assertThat(found("a").node()).isEqualTo("worker-1");
    }

    @Test
    void aClaimHandsOutNoMoreThanItAsksForOfLostJobsAndOfThoseBesideThem() {
        submit(job("a", -3), job("b", -2), job("c", -1));
        claim(3);
        time(LEASE + 1);
        submit(job("d", 0), job("e", 0), job("f", 0));
        assertThat(idsOf(claim(3, 2))).containsExactly("a", "b");
        assertThat(claim(3, 0).nextMillis()).isZero();
        assertThat(idsOf(claim(3, 2))).containsExactly("c");
    }

    @Test
    void aLostJobThatWasGivenBackTakesNoMoreAlongThanALostOne() {
        submit(job("a", 0));
        claimOne();
        time(LEASE);
        release(claimOne(), null);
        submit(job("b", -LEASE - 3), job("c", -LEASE - 2), job("d", -LEASE - 1));
        submit(job("e", -3), job("f", -2), job("g", -1));
        assertThat(idsOf(claim(9, 2))).as("in front of it").containsExactly("b", "c", "d");
        assertThat(idsOf(claim(9, 2))).containsExactly("a", "e");
        assertThat(idsOf(claim(9, 2))).containsExactly("f", "g");
    }

    private Claimed claim(int limit, int lostLimit) {
        Call call = call();
        String random = "r" + call.number();
        return ledger.claim(
                        call,
                        new ClaimRequest(
                                "n",
                                new ClaimRequest.Limits(limit, lostLimit, Ledger.MAX_CLAIM_BYTES),
                                LEASE,
                                random,
                                false,
                                false,
                                0))
                .join();
    }

    private static List<String> idsOf(Claimed claimed) {
        return claimed.jobs().stream().map(one -> one.lease().id()).toList();
    }

    @Test
    void aClaimHandsOutWhatFitsIntoItsAnswerAndOneJobAtLeast() {
        submit(large("a", -3), large("b", -2), large("c", -1));
        assertThat(idsOf(claimBytes(2 * LARGE + 1999))).containsExactly("a", "b");
        assertThat(claimBytes(0).jobs()).isEmpty();
        assertThat(claimBytes(0).nextMillis()).isZero();
        assertThat(idsOf(claimBytes(1))).containsExactly("c");
    }

    @Test
    void aClaimHandsOutNoMoreThanAMegabyte() {
        String body = "\"param\":\"" + "x".repeat(256 * 1024) + "\"}";
        for (int i = 0; i < 30; i++) {
            submit(new NewJob(String.format("%02d", i), new NewJob.Due(i - 50, true), JobContent.of(body)));
        }
        assertThat(idsOf(claim(Ledger.MAX_BATCH))).containsExactly("00", "01", "02");
        Claimed second = claim(Ledger.MAX_BATCH);
        assertThat(idsOf(second)).containsExactly("03", "04", "05");
        assertThat(second.nextMillis()).isZero();
        time(LEASE);
        assertThat(claim(Ledger.MAX_BATCH).jobs())
                .extracting(Claimed.Job::expired)
                .containsExactly(true, true, true);
    }

    @Test
    void aRepeatedClaimGivesBackUnspentWhatDoesNotFitAnyMore() {
        submit(large("a", -3));
        claimOne();
        submit(large("b", -2), large("c", -1));
        time(LEASE);
        Call call = new Call("taker", 1);
        ClaimRequest request = new ClaimRequest("n", 3, LEASE, "x");
        Claimed first = ledger.claim(call, request).join();
        assertThat(idsOf(first)).containsExactly("a", "b", "c");
        Claimed second = ledger.claim(call, request.repeated(LARGE + 1000)).join();
        assertThat(second.jobs()).containsExactly(first.jobs().get(0));
        assertThat(second.nextMillis()).isZero();
        assertThat(List.of("b", "c"))
                .extracting(
                        id -> found(id).state(),
                        id -> found(id).attempt().number(),
                        id -> found(id).atMillis())
                .containsExactly(tuple(JobState.READY, 0, START - 2), tuple(JobState.READY, 0, START - 1));
        assertThat(complete(first.jobs().get(1).lease())).isFalse();
        Claimed late = ledger.claim(call, request).join();
        assertThat(late.jobs()).isEqualTo(second.jobs());
        assertThat(ledger.claim(call, request.repeated(0)).join().jobs()).isEmpty();
        assertThat(ledger.claim(call, request.repeated(LARGE)).join().jobs()).isEmpty();
        assertThat(claim(3).jobs())
                .extracting(job -> job.lease().id(), job -> job.attempt().number(), Claimed.Job::lost)
                .containsExactly(tuple("a", 2, 1), tuple("b", 1, 0), tuple("c", 1, 0));
    }

    @Test
    void aRepeatedClaimThatOtherNodesMaySendGivesNothingBack() {
        submit(large("a", -2), large("b", -1));
        Call call = new Call("shared", 1);
        List<Lease> first =
                leases(ledger.claim(call, new ClaimRequest("n", 2, LEASE, "x")).join());
        ClaimRequest smaller =
                new ClaimRequest("n", new ClaimRequest.Limits(2, 2, LARGE + 1000), LEASE, "x", false, false, 0);
        assertThat(idsOf(ledger.claim(call, smaller).join())).containsExactly("a");
        assertThat(complete(first.get(1))).isTrue();
    }

    private static final int LARGE = 20_000;

    private static NewJob large(String id, long delay) {
        String body = "\"param\":\"" + "ü".repeat(LARGE / 2) + "\"}";
        return new NewJob(id, new NewJob.Due(delay, true), JobContent.of(body));
    }

    private Claimed claimBytes(int bytes) {
        Call call = call();
        return ledger.claim(
                        call,
                        new ClaimRequest(
                                "n",
                                new ClaimRequest.Limits(Ledger.MAX_BATCH, Ledger.MAX_BATCH, bytes),
                                LEASE,
                                "r" + call.number(),
                                false,
                                false,
                                0))
                .join();
    }

    @Test
    void aClaimOfNoJobsReturnsThoseOfTheCallThatItRepeats() {
        submit(job("a", 0), job("b", 0));
        Call call = new Call("shared", 1);
        ClaimRequest none = new ClaimRequest("n", 0, LEASE, "x");
        assertThat(ledger.claim(call, none).join().jobs()).isEmpty();
        List<Claimed.Job> first =
                ledger.claim(call, new ClaimRequest("n", 1, LEASE, "x")).join().jobs();
        assertThat(idsOf(ledger.claim(call, none).join())).containsExactly("a");
        assertThat(complete(first.get(0).lease())).isTrue();
        assertThat(ledger.claim(call, none).join().jobs()).isEmpty();
        assertThat(found("b").attempt().number()).isZero();
    }

    @Test
    void aClaimThatArrivesAfterItsRepeatFoundNothingHandsOutNothing() {
        Call stuck = new Call("taker", 1);
        ClaimRequest request = new ClaimRequest("n", 1, LEASE, "x");
        assertThat(ledger.claim(stuck, request.repeated(9)).join().jobs()).isEmpty();
        ledger.claim(new Call("taker", 2), request).join();
        submit(job("a", 0));
        assertThat(ledger.claim(stuck, request).join().jobs()).isEmpty();
        assertThat(found("a").state()).isEqualTo(JobState.READY);
    }

    @Test
    void aClaimThatArrivesAfterItsRepeatFoundAPausedQueueHandsOutNothing() {
        Call stuck = new Call("taker", 1);
        ClaimRequest request = new ClaimRequest("n", 1, LEASE, "x");
        submit(job("a", 0));
        ledger.pause(true).join();
        ledger.claim(stuck, request.repeated(9)).join();
        ledger.pause(false).join();
        assertThat(ledger.claim(stuck, request).join().jobs()).isEmpty();
        assertThat(found("a").state()).isEqualTo(JobState.READY);
    }

    @Test
    void aClaimOfALaneThatIsUnsureOvertakesThoseBeforeItAlsoIfItFindsNothing() {
        Call stuck = new Call("taker", 1);
        ClaimRequest request = new ClaimRequest("n", 1, LEASE, "x");
        ledger.claim(new Call("taker", 2), request.repeated(9)).join();
        submit(job("a", 0));
        assertThatThrownBy(() -> ledger.claim(stuck, request).join()).hasMessageContaining("overtaken");
        assertThat(found("a").state()).isEqualTo(JobState.READY);
    }

    @Test
    void aClaimSaysHowManyNodesAreAliveAndWhetherOneOfThemIsTheHolder() {
        assertThat(claim(1)).extracting(Claimed::nodes, Claimed::held).containsExactly(0, false);
        feed("n");
        feed("m");
        assertThat(claim(1)).extracting(Claimed::nodes, Claimed::held).containsExactly(2, true);
        ledger.pause(true).join();
        ledger.resign("n").join();
        assertThat(claim(1)).extracting(Claimed::nodes, Claimed::held).containsExactly(1, false);
        time(5000);
        assertThat(claim(1).nodes()).isZero();
    }

    private void feed(String node) {
        ledger.feed(TestSettings.feed(
                        new Feed.Presence(node, 5000, 4, 4, null), new Feed.Terms(60_000, LEASE, 2000, 100)))
                .join();
    }

    @Test
    void aRepeatedClaimHandsOutWhatItDidAlsoWhilePaused() {
        submit(job("a", 0));
        Call call = new Call("taker", 1);
        ClaimRequest request = new ClaimRequest("n", 1, LEASE, "x");
        Claimed first = ledger.claim(call, request).join();
        ledger.pause(true).join();
        Claimed again = ledger.claim(call, request).join();
        assertThat(again.jobs()).isEqualTo(first.jobs());
        assertThat(again.mode()).isEqualTo(first.mode());
    }

    @Test
    void nothingIsHandedOutWhilePaused() {
        submit(job("a", 0));
        ledger.pause(true).join();
        assertThat(claim(1)).isEqualTo(new Claimed(List.of(), Claimed.Mode.PAUSED, null, 0, false));
        assertThat(ledger.counts().join().paused()).isTrue();
        ledger.pause(false).join();
        assertThat(claim(1).jobs()).hasSize(1);
    }

    @Test
    void aCompletedJobIsGoneAndItsIdIsFree() {
        submit(job("a", 0));
        Lease lease = claimOne();
        report(lease, 50, "half");
        assertThat(complete(lease, "{}")).isTrue();
        assertThat(find("a")).isEmpty();
        assertThat(ledger.counts().join()).isEqualTo(new QueueCounts(0, 0, 0, 0, 0, false));
        submit(job("a", 0));
        assertThat(found("a").progress()).isNull();
    }

    @Test
    void aClaimEndsOnceAlsoWithinOneCall() {
        submit(job("a", 0), job("b", 0));
        List<Claimed.Job> jobs = claim(2).jobs();
        Settlement.Complete a = new Settlement.Complete(jobs.get(0).lease(), null, 0);
        assertThat(ledger.settle(call(), List.of(a, a)).join()).containsExactly(true, false);
        Settlement.Bury b = new Settlement.Bury(jobs.get(1).lease(), "e", true);
        assertThat(ledger.settle(call(), List.of(b, b)).join()).containsExactly(true, false);
    }

    @Test
    void theRetriesOfOneCallEachKeepTheirOwnTimeAndErrorAndOneThatIsNotHeldChangesNothing() {
        submit(job("a", 0), job("b", 0), job("c", 0));
        List<Lease> leases = claim(3).jobs().stream().map(Claimed.Job::lease).toList();
        StoredJob before = found("b");
        assertThat(ledger.settle(
                                call(),
                                List.of(
                                        new Settlement.Retry(leases.get(0), 10, "first"),
                                        new Settlement.Retry(new Lease("b", "1:stranger"), 20, "second"),
                                        new Settlement.Retry(leases.get(2), 30, "third")))
                        .join())
                .containsExactly(true, false, true);
        assertThat(found("b")).isEqualTo(before);
        assertThat(List.of(found("a"), found("c")))
                .extracting(
                        StoredJob::atMillis,
                        StoredJob::error,
                        job -> job.attempt().number())
                .containsExactly(tuple(START + 10, "first", 1), tuple(START + 30, "third", 1));
    }

    @Test
    void aLeaseThatNoLongerHoldsIsRefusedAndChangesNothing() {
        submit(leased("a", 0, 1000));
        Lease stale = claimOne();
        time(1000);
        claimOne();
        StoredJob before = found("a");
        for (Lease lease : List.of(stale, new Lease("a", ""), new Lease("a", "1"), new Lease("nobody", "1:r"))) {
            assertThat(complete(lease)).isFalse();
            assertThat(retry(lease, 1)).isFalse();
            assertThat(bury(lease)).isFalse();
            assertThat(release(lease, null)).isFalse();
            assertThat(renew(lease, 1)).isFalse();
            assertThat(report(lease, 1, "")).isFalse();
        }
        assertThat(found("a")).isEqualTo(before);
    }

    @Test
    void aLeaseThatHasEndedHoldsUntilAnotherClaim() {
        submit(leased("a", 0, 1000));
        Lease lease = claimOne();
        time(5000);
        assertThat(complete(lease)).isTrue();
    }

    @Test
    void aFailedAttemptWaitsForTheNextWithItsError() {
        submit(job("a", 0));
        Lease lease = claimOne();
        report(lease, 50, "half");
        time(10);
        assertThat(retry(lease, 90)).isTrue();
        StoredJob job = found("a");
        assertThat(job.state()).isEqualTo(JobState.DELAYED);
        assertThat(job.atMillis()).isEqualTo(START + 100);
        assertThat(job.attempt().number()).isEqualTo(1);
        assertThat(job.error()).isEqualTo("broke");
        assertThat(job.node()).isEqualTo("n");
        assertThat(job.progress()).isEqualTo(new Progress(50, "half"));
        assertThat(job.attempt().claimedMillis()).isEqualTo(START);
        time(100);
        assertThat(claimJob().attempt().number()).isEqualTo(2);
    }

    @Test
    void aBuriedJobKeepsItsReasonAndComesBackWithARedrive() {
        submit(leased("a", 0, 5000));
        Lease lease = claimOne();
        time(10);
        assertThat(bury(lease)).isTrue();
        StoredJob dead = found("a");
        assertThat(dead.state()).isEqualTo(JobState.DEAD);
        assertThat(dead.atMillis()).isEqualTo(START + 10);
        assertThat(dead.error()).isEqualTo("hopeless");
        time(20);
        assertThat(redrive("a")).isEqualTo(ActionResult.done(JobState.DEAD));
        StoredJob ready = found("a");
        assertThat(ready.state()).isEqualTo(JobState.READY);
        assertThat(ready.atMillis()).isEqualTo(START + 20);
        assertThat(ready.attempt().number()).isZero();
        assertThat(ready.attempt().dueMillis()).isNull();
        assertThat(ready.attempt().claimedMillis()).isNull();
        assertThat(ready.error()).isEqualTo("hopeless");
        assertThat(claimJob().leaseMillis()).isEqualTo(5000);
    }

    @Test
    void theNodeOfAnAttemptThatFailedIsKnownUntilTheJobIsHandedOutAgain() {
        submit(job("a", 0), job("b", 0));
        List<Lease> leases = leases(claim(2));
        String node = found("a").node();
        assertThat(node).isNotNull();
        retry(leases.get(0), 0);
        bury(leases.get(1));
        assertThat(found("a").node()).isEqualTo(node);
        assertThat(found("b").node()).isEqualTo(node);

        release(claimOne(), null);
        assertThat(found("a").node()).as("given back").isNull();
        redrive("b");
        assertThat(found("b").node()).as("as its error").isEqualTo(node);
    }

    @Test
    void aReleasedJobIsDueAsBeforeAndHasSpentNoAttempt() {
        submit(job("a", 0));
        Lease lease = claimOne();
        time(500);
        assertThat(release(lease, null)).isTrue();
        assertThat(found("a").atMillis()).isEqualTo(START);
        assertThat(found("a").attempt().number()).isZero();
        assertThat(found("a").attempt().noHandlerSinceMillis()).isNull();
    }

    @Test
    void aJobThatNoNodeIsAbleToRunKnowsSinceWhen() {
        submit(job("a", 0));
        release(claimOne(), 1000L);
        time(1000);
        release(claimOne(), 1000L);
        time(2000);
        Claimed.Job job = claimJob();
        assertThat(job.attempt().noHandlerSinceMillis()).isEqualTo(START);
        assertThat(found("a").attempt().noHandlerSinceMillis()).isEqualTo(START);
        retry(job.lease(), 0);
        assertThat(found("a").attempt().noHandlerSinceMillis()).isNull();
    }

    @Test
    void aJobThatIsGivenBackByANodeThatHadItWasNotWithoutAHandlerAllTheTime() {
        submit(job("a", 0));
        release(claimOne(), 1000L);
        time(1000);
        Lease lease = claimOne();
        time(900_000);
        release(lease, null);
        assertThat(found("a").attempt().noHandlerSinceMillis()).isNull();
        assertThat(found("a").atMillis()).isEqualTo(START);
        Claimed.Job next = claimJob();
        assertThat(next.attempt().noHandlerSinceMillis()).isNull();
        release(next.lease(), 1000L);
        assertThat(found("a").attempt().noHandlerSinceMillis()).isEqualTo(START + 900_000);
    }

    @Test
    void aJobWhoseLeaseRanOutWasNotWithoutAHandlerAllTheTime() {
        submit(leased("a", 0, 10));
        release(claimOne(), 1000L);
        time(1000);
        claimOne();
        time(2000);
        Claimed.Job next = claimJob();
        assertThat(next.attempt().noHandlerSinceMillis()).isNull();
        assertThat(next.dueMillis()).isEqualTo(START);
        assertThat(found("a").attempt().noHandlerSinceMillis()).isNull();
        release(next.lease(), 1000L);
        assertThat(found("a").attempt().noHandlerSinceMillis()).isEqualTo(START + 2000);
    }

    @Test
    void aJobThatNoNodeIsAbleToRunStaysDueWhenItWas() {
        submit(job("a", 100));
        time(150);
        release(claimOne(), 1000L);
        assertThat(found("a").atMillis()).isEqualTo(START + 1150);
        time(1150);
        release(claimOne(), 2000L);
        time(3150);
        Claimed.Job job = claimJob();
        assertThat(job.dueMillis()).isEqualTo(START + 100);
        assertThat(found("a").attempt().dueMillis()).isEqualTo(START + 100);
        release(job.lease(), null);
        assertThat(found("a").atMillis()).isEqualTo(START + 100);
        retry(claimOne(), 50);
        time(3200);
        assertThat(claimJob().dueMillis()).isEqualTo(START + 3200);
    }

    @Test
    void aNewDueTimeIsThatOfAJobThatNoNodeWasAbleToRun() {
        submit(job("a", 0));
        release(claimOne(), 1000L);
        time(10);
        reschedule("a", 5000);
        assertThat(found("a").attempt().noHandlerSinceMillis()).isNull();
        time(5500);
        Claimed.Job job = claimJob();
        assertThat(job.dueMillis()).isEqualTo(START + 5010);
        assertThat(job.attempt().noHandlerSinceMillis()).isNull();
    }

    @Test
    void aRenewalMakesALeaseLongerAndNeverShorter() {
        submit(job("a", 0));
        Lease lease = claimOne();
        time(10_000);
        assertThat(renew(lease, 5)).isTrue();
        assertThat(found("a").atMillis()).isEqualTo(START + LEASE);
        assertThat(renew(lease, LEASE)).isTrue();
        assertThat(found("a").atMillis()).isEqualTo(START + 10_000 + LEASE);
    }

    @Test
    void theLastReportOfAJobCounts() {
        submit(job("a", 0));
        Lease lease = claimOne();
        assertThat(report(lease, 10, "a|b: ä")).isTrue();
        assertThat(found("a").progress()).isEqualTo(new Progress(10, "a|b: ä"));
        assertThat(report(lease, 100, "")).isTrue();
        assertThat(report(lease, 100, "")).isTrue();
        assertThat(found("a").progress()).isEqualTo(new Progress(100, ""));
    }

    @Test
    void aCancelSaysWhatStateTheJobWasIn() {
        submit(job("delayed", 5), job("ready", 0));
        submit(job("dead", -2), job("reserved", -1));
        bury(claimOne());
        claimOne();
        assertThat(ledger.cancel(call(), List.of("delayed", "ready", "reserved", "dead", "nobody", "ready"))
                        .join())
                .containsExactly(
                        ActionResult.done(JobState.DELAYED),
                        ActionResult.done(JobState.READY),
                        ActionResult.done(JobState.RESERVED),
                        ActionResult.refused(JobState.DEAD),
                        ActionResult.NO_SUCH_JOB,
                        ActionResult.NO_SUCH_JOB);
        assertThat(ledger.counts().join()).isEqualTo(new QueueCounts(0, 0, 0, 1, 0, false));
    }

    @Test
    void aRepeatedCancelGetsTheFirstAnswer() {
        submit(job("a", 5));
        Call call = call();
        ledger.cancel(call, List.of("a")).join();
        assertThat(ledger.cancel(call, List.of("a")).join()).containsExactly(ActionResult.done(JobState.DELAYED));
    }

    @Test
    void theLeaseOfACancelledRunIsRefused() {
        submit(job("a", 0));
        Lease lease = claimOne();
        report(lease, 50, "half");
        cancel("a");
        assertThat(find("a")).isEmpty();
        assertThat(renew(lease, LEASE)).isFalse();
        assertThat(complete(lease)).isFalse();
        submit(job("a", 0));
        assertThat(complete(lease)).isFalse();
        assertThat(found("a").progress()).isNull();
    }

    @Test
    void theNodesHearOfACancelledRunAndNotOfACancelledJobThatWaits() throws InterruptedException {
        BlockingQueue<Notice> heard = new LinkedBlockingQueue<>();
        String id = "an id: with spaces|and more";
        Backend.Subscription subscription = onNotice(heard::add);
        submit(job(id, 0), job("waits", 0));
        Lease lease = claimOne();
        cancel("waits");
        cancel(id);
        assertThat(heard.poll(2, TimeUnit.MINUTES)).isEqualTo(new Cancellation(shard(), lease));
        assertThat(heard).isEmpty();
        subscription.close();
    }

    @Test
    void aRescheduleTakesJobsThatWaitAlone() {
        submit(job("reserved", -1), job("ready", 0), job("delayed", 5));
        claimOne();
        time(1);
        assertThat(reschedule("ready", 50)).isEqualTo(ActionResult.done(JobState.READY));
        assertThat(found("ready").atMillis()).isEqualTo(START + 51);
        assertThat(reschedule("delayed", 0)).isEqualTo(ActionResult.done(JobState.DELAYED));
        assertThat(found("delayed").state()).isEqualTo(JobState.READY);
        assertThat(reschedule("reserved", 0)).isEqualTo(ActionResult.refused(JobState.RESERVED));
        assertThat(reschedule("nobody", 0)).isEqualTo(ActionResult.NO_SUCH_JOB);
        bury(claimOne());
        assertThat(reschedule("delayed", 0)).isEqualTo(ActionResult.refused(JobState.DEAD));
    }

    @Test
    void aRedriveTakesDeadJobsAlone() {
        bringToDeath("a", null);
        submit(job("b", 5));
        assertThat(ledger.redrive(call(), List.of("a", "a", "b", "c")).join())
                .containsExactly(
                        ActionResult.done(JobState.DEAD),
                        ActionResult.refused(JobState.READY),
                        ActionResult.refused(JobState.DELAYED),
                        ActionResult.NO_SUCH_JOB);
        claimOne();
        assertThat(redrive("a")).isEqualTo(ActionResult.refused(JobState.RESERVED));
    }

    @Test
    void manyRedrivenJobsAreSpacedFromTheOneThatDiedFirst() {
        for (String id : List.of("c", "b", "a", "d")) {
            bringToDeath(id, null);
            time(found(id).atMillis() - START + 1);
        }
        time(1000);
        Call call = call();
        assertThat(ledger.redriveAll(call, 3, 500, 1700).join()).containsExactly("c", "b", "a");
        assertThat(ledger.redriveAll(call, 3, 500, 1700).join()).containsExactly("c", "b", "a");
        assertThat(found("c").atMillis()).isEqualTo(START + 1000);
        assertThat(found("b").atMillis()).isEqualTo(START + 1002);
        assertThat(found("a").atMillis()).isEqualTo(START + 1003);
        assertThat(found("d").state()).isEqualTo(JobState.DEAD);
        assertThat(ledger.redriveAll(call(), Ledger.MAX_BATCH, 0, 0).join()).containsExactly("d");
        assertThat(ledger.redriveAll(call(), Ledger.MAX_BATCH, 0, 0).join()).isEmpty();
    }

    @Test
    void aPurgeRemovesJobsThatHaveBeenDeadForSoLongThoseThatDiedFirstToBeginWith() {
        for (String id : List.of("c", "b", "a")) {
            bringToDeath(id, null);
            time(found(id).atMillis() - START + 10);
        }
        time(100);
        assertThat(ledger.purgeDead(call(), 91, Ledger.MAX_BATCH).join()).isEqualTo(1);
        assertThat(find("c")).isEmpty();
        Call call = call();
        assertThat(ledger.purgeDead(call, 0, 1).join()).isEqualTo(1);
        assertThat(ledger.purgeDead(call, 0, 1).join()).isEqualTo(1);
        assertThat(find("b")).isEmpty();
        assertThat(found("a").state()).isEqualTo(JobState.DEAD);
        assertThat(submit(job("b", 0))).containsExactly(result("b", Outcome.STORED));
        assertThat(found("b").error()).isNull();
    }

    @Test
    void deadJobsAreRemovedForGoodAndOthersAreLeft() {
        submit(job("a", 0), job("b", 0), job("waits", 1000));
        bury(claimOne());
        bury(claimOne());
        Call call = call();
        List<ActionResult> removed = List.of(
                ActionResult.done(JobState.DEAD), ActionResult.refused(JobState.DELAYED), ActionResult.NO_SUCH_JOB);
        assertThat(ledger.purge(call, List.of("a", "waits", "none")).join()).isEqualTo(removed);
        assertThat(ledger.purge(call, List.of("a", "waits", "none")).join()).isEqualTo(removed);
        assertThat(find("a")).isEmpty();
        assertThat(found("b").state()).isEqualTo(JobState.DEAD);
        assertThat(found("waits").state()).isEqualTo(JobState.DELAYED);
        assertThat(submit(job("a", 0))).containsExactly(result("a", Outcome.STORED));
        assertThat(found("a").error()).isNull();
    }

    @Test
    void jobsAreCountedByState() {
        submit(job("dead", -2), job("reserved", -1), job("ready", 0), job("delayed", 1));
        bury(claimOne());
        claimOne();
        assertThat(ledger.counts().join()).isEqualTo(new QueueCounts(1, 1, 1, 1, 0, false));
    }

    @Test
    void theJobThatHasWaitedLongestTellsForHowLongAShardIsOverdue() {
        assertThat(overdue()).isZero();
        submit(job("later", 400), job("first", 100));
        assertThat(overdue()).isZero();
        time(350);
        assertThat(overdue()).isEqualTo(250);
        claimOne();
        assertThat(overdue()).isZero();
        time(450);
        assertThat(overdue()).isEqualTo(50);
        claimOne();
        time(350 + LEASE + 70);
        assertThat(overdue()).isEqualTo(70);
    }

    @Test
    void theNumberOfShardsIsThatOfTheNodesThatRunTheJobs() {
        assertThat(ledger.spread(4, false).join()).isZero();
        assertThat(ledger.spread(8, false).join()).isEqualTo(4);
        assertThat(ledger.spread(2, true).join()).isEqualTo(4);
        assertThat(ledger.spread(8, false).join()).isEqualTo(2);
        assertThat(ledger.spread(2, true).join()).isEqualTo(2);
    }

    private long overdue() {
        return ledger.tally().join().overdueMillis();
    }
}
