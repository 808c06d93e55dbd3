package io.delayjob.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.Dedupe;
import io.delayjob.JobState;
import io.delayjob.Limits;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.ledger.Backend.Notice;
import io.delayjob.engine.ledger.Backend.PassedOn;
import io.delayjob.engine.ledger.ShardLimits.Shared;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Ledger contract: fleets whose nodes run different jobs. Node "able" runs both "x" and "y", node "other" only "y". */
public abstract class MixedFleetContract extends RetentionContract {

    private static final long STAY = 600_000;

    @Test
    void aFleetIsMixedWhileItsNodesSayDifferentNames() {
        assertThat(feed("able", List.of("x", "y")).mixed()).isFalse();
        assertThat(feed("twin", List.of("x", "y")).mixed()).isFalse();
        assertThat(feed("silent", null).mixed()).isFalse();
        assertThat(feed("other", List.of("y")).mixed()).isTrue();
        assertThat(feed("able", null).mixed()).isTrue();
        ledger.resign("other").join();
        assertThat(feed("able", null).mixed()).isFalse();
    }

    @Test
    void aFleetIsMixedWhileAJobWaitsForAHandler() {
        feed("able", List.of("x"));
        submit(named("a", 0, "gone"));
        releaseWithoutHandler(claimOne(), "gone");
        assertThat(feed("able", null).mixed()).isTrue();
        cancel("a");
        assertThat(feed("able", null).mixed()).isFalse();
    }

    @Test
    void aJobThatAnotherLiveNodeHasTheHandlerForIsPassedOnUncounted() {
        mixedFleet();
        submit(named("a", 0, "x"));
        Claimed claimed = claim("other", 5);
        assertThat(claimed.jobs()).isEmpty();
        assertThat(claimed.nextMillis()).isEqualTo(5000);
        assertThat(found("a"))
                .returns(JobState.DELAYED, StoredJob::state)
                .returns(START + 5000, StoredJob::atMillis)
                .returns(START + 5000, job -> job.attempt().noHandlerSinceMillis())
                .returns(0, job -> job.attempt().number());
    }

    @Test
    void aJobThatWasPassedOnIsClaimedAtOnceWithItsOwnDueTime() {
        mixedFleet();
        submit(named("a", 10, "x"));
        time(20);
        claim("other", 5);
        time(25);
        Claimed claimed = claim("able", 5);
        assertThat(claimed.jobs())
                .containsExactly(new Claimed.Job(
                        new Lease("a", claimed.jobs().get(0).lease().token()),
                        "{\"v\":1,\"at\":" + START + ",\"job\":\"x\",\"param\":1}",
                        new Attempt(1, START + 10, START + 25, null),
                        null,
                        0,
                        false,
                        false,
                        (START + 25) * 1000));
        assertThat(complete(claimed.jobs().get(0).lease())).isTrue();
        assertThat(feed("able", null).mixed()).as("by its names alone").isTrue();
        ledger.resign("other").join();
        assertThat(feed("able", null).mixed()).isFalse();
    }

    @Test
    void aNodeTakesWhatWasPassedOnToItAndWhatElseIsDueInDueOrder() {
        mixedFleet();
        submit(named("x1", 1, "x"), named("y2", 2, "y"), named("x3", 3, "x"), named("y4", 4, "y"));
        time(10);
        assertThat(ids(claim("other", 1))).containsExactly("y2");
        submit(named("y0", -10, "y"));
        Claimed first = claim("able", 2);
        assertThat(ids(first)).containsExactly("y0", "x1");
        assertThat(first.nextMillis()).isZero();
        assertThat(ids(claim("able", 2))).containsExactly("x3", "y4");
    }

    @Test
    void moreThanANodeHasRoomForStaysPassedOnAndIsClaimedNext() {
        mixedFleet();
        submit(named("x1", 1, "x"), named("x2", 2, "x"), named("x3", 3, "x"));
        time(10);
        assertThat(ids(claim("other", 5))).isEmpty();
        Claimed first = claim("able", 1);
        assertThat(ids(first)).containsExactly("x1");
        assertThat(first.nextMillis()).isZero();
        assertThat(found("x2").state()).isEqualTo(JobState.DELAYED);
        Claimed rest = claim("able", 5);
        assertThat(ids(rest)).containsExactly("x2", "x3");
        assertThat(rest.nextMillis()).isPositive();
    }

    @Test
    void aNodeForAnyJobGetsWhatOthersHaveNoHandlerFor() {
        feed("other", List.of("y"));
        feed("any", Feed.Presence.ANY_JOB);
        submit(named("x1", 1, "x"), named("z2", 2, "z"), named("y3", 3, "y"));
        time(10);
        assertThat(ids(claim("other", 5))).containsExactly("y3");
        assertThat(found("x1").attempt().number()).isZero();
        submit(named("y0", -10, "y"));
        assertThat(ids(claim("any", 5))).containsExactly("y0", "x1", "z2");
    }

    @Test
    void aJobThatOneNodeGivesBackForWantOfAHandlerGoesToANodeForAnyJobAtOnce() {
        feed("other", List.of("y"));
        submit(named("x", 0, "x"));
        feed("any", Feed.Presence.ANY_JOB);
        Claimed.Job claimed = claim("other", 1).jobs().stream().findFirst().orElse(null);
        assertThat(claimed).as("is passed on before it is claimed").isNull();
        assertThat(ids(claim("any", 1))).containsExactly("x");
    }

    @Test
    void aNodesOwnJobsAreFoundBehindManyThatItPassesOn() {
        mixedFleet();
        for (int batch = 0; batch < 3; batch++) {
            int first = 100 * batch;
            ledger.submit(
                            call(),
                            IntStream.range(first, first + 100)
                                    .mapToObj(n -> named("x" + n, 0, "x"))
                                    .toList())
                    .join();
        }
        submit(named("own", 1, "y"));
        time(1);
        Claimed first = claim("other", 1);
        assertThat(first.jobs()).isEmpty();
        assertThat(first.nextMillis()).isZero();
        assertThat(ids(claim("other", 1))).containsExactly("own");
        assertThat(claim("able", 200).jobs()).hasSize(200);
        assertThat(claim("able", 200).jobs()).hasSize(100);
    }

    @Test
    void aClaimLooksAtNoMoreJobsThanACallCarriesWhereverTheyStand() {
        mixedFleet();
        submitMany("a", 100);
        claim("able", 100);
        time(1000);
        submitMany("b", 200);
        assertThat(claim("other", 200).nextMillis()).isZero();
        assertThat(ledger.counts().join().reserved()).isZero();
        assertThat(ledger.counts().join().ready()).isEqualTo(100);
        assertThat(claim("other", 200).nextMillis()).isPositive();
        assertThat(ledger.counts().join().ready()).isZero();
    }

    private void submitMany(String prefix, int count) {
        ledger.submit(
                        call(),
                        IntStream.range(0, count)
                                .mapToObj(n -> leasedX(prefix + n))
                                .toList())
                .join();
    }

    /** With a lease of a second. */
    private static NewJob leasedX(String id) {
        return new NewJob(id, new NewJob.Due(0, true), new JobContent("\"job\":\"x\",\"param\":1}", 1000L, null));
    }

    @Test
    void aClaimLooksAtNoMoreBytesThanItMayHandOutAndAtOneJobAtLeast() {
        mixedFleet();
        submit(named("x1", -9, "x"), named("y2", -8, "y"), named("x3", -7, "x"));
        submit(named("x4", -6, "x"), named("y5", -5, "y"));
        int record = ("{\"v\":1,\"at\":" + START + ",\"job\":\"x\",\"param\":1}").length();
        assertThat(claim("other", 5, 5, 0).jobs()).isEmpty();
        assertThat(found("x1").state()).isEqualTo(JobState.DELAYED);
        Claimed first = claim("other", 5, 5, record);
        assertThat(ids(first)).containsExactly("y2");
        assertThat(first.nextMillis()).isZero();
        assertThat(found("x3").state()).isEqualTo(JobState.DELAYED);
        assertThat(found("x4").state()).isEqualTo(JobState.READY);
        assertThat(claim("other", 5, 5, 1).nextMillis()).isZero();
        assertThat(ids(claim("other", 5, 5, 1))).containsExactly("y5");
    }

    @Test
    void aLostJobIsPassedOnWithWhatItLost() {
        mixedFleet();
        submit(leasedX("a"));
        claim("able", 1);
        time(1000);
        assertThat(claim("other", 5).jobs()).isEmpty();
        Claimed.Job again = claim("able", 5).jobs().get(0);
        assertThat(again.attempt().number()).isEqualTo(2);
        assertThat(again.lost()).isEqualTo(1);
        assertThat(again.dueMillis()).isEqualTo(START);
    }

    @Test
    void aLostJobThatWasPassedOnTakesNoMoreAlongThanALostOne() {
        mixedFleet();
        submit(leasedX("a"));
        claim("able", 1);
        time(1000);
        assertThat(claim("other", 5).jobs()).isEmpty();
        submit(named("b", 0, "y"), named("c", 0, "y"), named("d", 0, "y"));
        Claimed first = claim("able", 5, 2, Ledger.MAX_CLAIM_BYTES);
        assertThat(ids(first)).containsExactly("a", "b");
        assertThat(first.nextMillis()).isZero();
        assertThat(ids(claim("able", 5, 2, Ledger.MAX_CLAIM_BYTES))).containsExactly("c", "d");
    }

    @Test
    void aJobThatNobodyAliveHasTheHandlerForIsHandedOutAndCountsSinceThen() {
        feed("other", List.of("y"));
        submit(named("a", 0, "x"));
        Claimed.Job job = claim("other", 1).jobs().get(0);
        assertThat(job.attempt().noHandlerSinceMillis()).isNull();
        releaseWithoutHandler(job.lease(), "x");
        time(5000);
        assertThat(claim("other", 1).jobs().get(0).attempt().noHandlerSinceMillis())
                .isEqualTo(START);
    }

    @Test
    void aNodeThatComesWithTheHandlerTakesTheJobAtOnce() {
        feed("other", List.of("y"));
        submit(named("a", 0, "x"));
        releaseWithoutHandler(claim("other", 1).jobs().get(0).lease(), "x");
        time(10);
        assertThat(feed("able", List.of("x", "y")).mixed()).isTrue();
        assertThat(ids(claim("able", 1))).containsExactly("a");
    }

    @Test
    void theTimeWithoutAHandlerCountsFromWhenAPassedOnJobIsOfferedAgain() {
        mixedFleet();
        submit(named("a", 0, "x"));
        claim("other", 5);
        ledger.resign("able").join();
        time(5000);
        Claimed.Job job = claim("other", 5).jobs().get(0);
        assertThat(job.attempt().noHandlerSinceMillis()).isEqualTo(START + 5000);
        assertThat(job.dueMillis()).isEqualTo(START);
        releaseWithoutHandler(job.lease(), "x");
        assertThat(found("a").attempt().noHandlerSinceMillis()).isEqualTo(START + 5000);
        feed("able", List.of("x", "y"));
        time(10_000);
        assertThat(claim("other", 5).jobs()).isEmpty();
        assertThat(found("a").attempt().noHandlerSinceMillis()).isEqualTo(START + 15_000);
    }

    @Test
    void aJobThatANodeFoundOutToLackTheHandlerForIsLeftToTheNodeThatHasIt() throws InterruptedException {
        mixedFleet();
        submit(named("a", 0, "x"), named("b", 0, "x"));
        BlockingQueue<Notice> heard = new LinkedBlockingQueue<>();
        Backend.Subscription subscription = onNotice(heard::add);
        for (Claimed.Job job : claim(2).jobs()) {
            releaseWithoutHandler(job.lease(), "x");
        }
        assertThat(heard.poll(2, TimeUnit.MINUTES)).isEqualTo(new PassedOn(shard(), List.of("x")));
        subscription.close();
        assertThat(found("a").attempt().noHandlerSinceMillis()).isEqualTo(START + 5000);
        assertThat(ids(claim("able", 2))).containsExactly("a", "b");
    }

    @Test
    void nodesAreToldOnceOfWhatWasPassedOn() throws InterruptedException {
        mixedFleet();
        submit(named("a", 0, "x"), named("b", 0, "x"), named("c", 0, "z"));
        feed("third", List.of("z"));
        BlockingQueue<Notice> heard = new LinkedBlockingQueue<>();
        Backend.Subscription subscription = onNotice(heard::add);
        claim("other", 5);
        time(5000);
        claim("other", 5);
        submit(named("d", 0, "x"));
        claim("other", 5);
        assertThat(heard.poll(2, TimeUnit.MINUTES)).isEqualTo(new PassedOn(shard(), List.of("x", "z")));
        assertThat(heard.poll(2, TimeUnit.MINUTES)).isEqualTo(new PassedOn(shard(), List.of("x")));
        assertThat(heard).isEmpty();
        subscription.close();
    }

    @Test
    void aPassedOnJobCanBeCancelledRescheduledReplacedAndPostponed() {
        mixedFleet();
        submit(named("cancelled", 0, "x"), named("rescheduled", 0, "x"));
        submit(keyed("replaced", Dedupe.untilStarted("r")), keyed("postponed", Dedupe.untilStarted("p")));
        claim("other", 5);
        cancel("cancelled");
        reschedule("rescheduled", 1000);
        submit(keyed("instead", Dedupe.untilStarted("r").replacing()));
        submit(keyed("late", Dedupe.untilStarted("p").postponing()));
        assertThat(ids(claim("able", 5))).containsExactly("instead", "postponed");
        time(1000);
        Claimed.Job job = claim("able", 5).jobs().get(0);
        assertThat(job.lease().id()).isEqualTo("rescheduled");
        assertThat(job.dueMillis()).isEqualTo(START + 1000);
        assertThat(feed("able", null).mixed()).isTrue();
        ledger.resign("other").join();
        assertThat(feed("able", null).mixed()).isFalse();
    }

    private static NewJob keyed(String id, Dedupe dedupe) {
        return new NewJob(id, new NewJob.Due(0, true), new JobContent("\"job\":\"x\",\"param\":1}", null, dedupe));
    }

    @Test
    void nothingIsPassedOnWhilePaused() {
        mixedFleet();
        submit(named("a", 0, "x"));
        ledger.pause(true).join();
        assertThat(claim("other", 5).mode()).isEqualTo(Claimed.Mode.PAUSED);
        assertThat(found("a").state()).isEqualTo(JobState.READY);
    }

    @Test
    void aNodeWhoseNamesAreNotKnownGetsWhatIsDue() {
        mixedFleet();
        submit(named("a", 0, "x"));
        assertThat(ids(claim("unknown", 5))).containsExactly("a");
    }

    @Test
    void aRecordThatIsNoneOfTheKnownFormatIsHandedOut() {
        mixedFleet();
        submit(new NewJob("a", new NewJob.Due(0, true), JobContent.of("\"v\":2,\"job\":\"x\",\"param\":1}")));
        assertThat(ids(claim("other", 5))).containsExactly("a");
    }

    @Test
    void namesMayHoldQuotationMarksBackslashesAndOtherLetters() {
        feed("able", List.of("say \"hi\" \\o/ é", "y"));
        feed("other", List.of("y"));
        submit(named("a", 0, "say \\\"hi\\\" \\\\o/ é"));
        assertThat(claim("other", 5).jobs()).isEmpty();
        assertThat(ids(claim("able", 5))).containsExactly("a");
    }

    @Test
    void aJobThatNoLiveNodeHasTheHandlerForIsOverdueSinceItsOwnDueTimeAndCountedByItsName() {
        feed("other", List.of("y"));
        submit(named("a", 0, "x"), named("b", 10, "x"), named("c", 20, "z"), named("later", 100_000, "x"));
        time(30);
        claim("other", 3).jobs().forEach(job -> releaseWithoutHandler(job.lease(), name(job)));
        time(3000);
        assertThat(tally())
                .returns(3000L, Tally::overdueMillis)
                .returns(Map.of("x", 2L, "z", 1L), Tally::unhandled)
                .returns(0L, tally -> tally.counts().ready());
        cancel("a");
        assertThat(tally().overdueMillis()).isEqualTo(2990);
        feed("able", List.of("x", "y"));
        assertThat(tally()).returns(Map.of("z", 1L), Tally::unhandled).returns(2990L, Tally::overdueMillis);
        claim("able", 5).jobs().forEach(job -> complete(job.lease()));
        assertThat(tally()).returns(Map.of("z", 1L), Tally::unhandled).returns(2980L, Tally::overdueMillis);
        cancel("c");
        assertThat(tally()).returns(Map.of(), Tally::unhandled).returns(0L, Tally::overdueMillis);
    }

    private static String name(Claimed.Job job) {
        return job.lease().id().equals("c") ? "z" : "x";
    }

    @Test
    void aJobThatWaitsForABusyNodeWithItsHandlerIsOverdueAndNotWithoutAHandler() {
        mixedFleet();
        submit(named("a", 0, "x"));
        claim("other", 5);
        time(700);
        assertThat(tally()).returns(700L, Tally::overdueMillis).returns(Map.of(), Tally::unhandled);
        ledger.resign("able").join();
        assertThat(tally()).returns(700L, Tally::overdueMillis).returns(Map.of("x", 1L), Tally::unhandled);
    }

    @Test
    void aJobOfANewerFormatIsCountedAndGivenToNobodyAtOnce() {
        feed("other", List.of("y"));
        feed("any", Feed.Presence.ANY_JOB);
        submit(new NewJob("a", new NewJob.Due(0, true), JobContent.of("\"v\":2,\"job\":\"x\",\"param\":1}")));
        Lease lease = claim("other", 1).jobs().get(0).lease();
        ledger.settle(call(), List.of(new Settlement.Release(lease, 5000L, null)))
                .join();
        time(100);
        assertThat(tally()).returns(100L, Tally::overdueMillis).returns(Map.of(Tally.NEWER, 1L), Tally::unhandled);
        assertThat(claim("any", 5).jobs()).isEmpty();
        time(5000);
        assertThat(ids(claim("any", 5))).containsExactly("a");
    }

    private Tally tally() {
        return ledger.tally().join();
    }

    /** The order is strict when the job is taken back, so that it might keep the place of the time at which it was to be offered again. */
    @Test
    void aJobOfAKeyThatIsTakenBackIsDueAtItsOwnTimeWhateverTheOrderWas() {
        mixedFleet();
        submit(keyed("passed-on", 0));
        assertThat(claim("other", 5).jobs()).isEmpty();
        perKey(Limits.NONE.withOrder(Limits.Order.STRICT));
        ledger.limits().pause("key", true).join();
        assertThat(claim("able", 5).jobs()).isEmpty();
        perKey(Limits.NONE);
        submit(keyed("before", -1));
        ledger.limits().pause("key", false).join();
        assertThat(ids(claim("able", 1))).containsExactly("before");
        assertThat(ids(claim("able", 1))).containsExactly("passed-on");
    }

    private static NewJob keyed(String id, long delay) {
        return new NewJob(id, new NewJob.Due(delay, true), JobContent.of("\"job\":\"x\",\"key\":\"key\",\"param\":1}"));
    }

    private void perKey(Limits limits) {
        ledger.limits().set(Shared.of(Limits.NONE.withPerKey(limits)), 0).join();
    }

    private void mixedFleet() {
        feed("able", List.of("x", "y"));
        feed("other", List.of("y"));
    }

    private Feed.Answer feed(String node, @Nullable List<String> jobs) {
        return ledger.feed(TestSettings.feed(
                        new Feed.Presence(node, STAY, 4, 4, jobs), new Feed.Terms(60_000, 30_000, 2000, 200)))
                .join();
    }

    private Claimed claim(String node, int limit) {
        return claim(node, limit, limit, Ledger.MAX_CLAIM_BYTES);
    }

    private Claimed claim(String node, int limit, int lostLimit, int maxBytes) {
        Call call = call();
        String random = "r" + call.number();
        return ledger.claim(
                        call,
                        new ClaimRequest(
                                node,
                                new ClaimRequest.Limits(limit, lostLimit, maxBytes),
                                LEASE,
                                random,
                                false,
                                true,
                                0))
                .join();
    }

    private static List<String> ids(Claimed claimed) {
        return claimed.jobs().stream().map(job -> job.lease().id()).toList();
    }

    private void releaseWithoutHandler(Lease lease, String name) {
        ledger.settle(call(), List.of(new Settlement.Release(lease, 5000L, name)))
                .join();
    }
}
