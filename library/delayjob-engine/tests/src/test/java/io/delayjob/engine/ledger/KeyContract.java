package io.delayjob.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.Dedupe;
import io.delayjob.JobState;
import io.delayjob.Limits;
import io.delayjob.Limits.Order;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.ledger.ShardLimits.Begins;
import io.delayjob.engine.ledger.ShardLimits.Shared;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ledger contract: keys, their order and turns, and limits. */
public abstract class KeyContract extends IndexContract {

    private static final Limits ONE = Limits.NONE.withConcurrency(1);
    private static final Limits STRICT = Limits.NONE.withOrder(Order.STRICT);
    private static final Limits HOLD = Limits.NONE.withOrder(Order.STRICT_HOLD);
    /** Up to where the flow log was read; null before. */
    private @Nullable String readUpTo;

    private static final Limits TWICE_A_SECOND = Limits.NONE.withRate(2, Duration.ofSeconds(1));

    static NewJob keyed(String id, long delay, String key) {
        return new NewJob(id, new NewJob.Due(delay, true), JobContent.of(body(key)));
    }

    private static String body(String key) {
        return "\"job\":\"j\",\"key\":\"" + key + "\",\"param\":1}";
    }

    /** Jobs with ids of their key and a number from 1, due now. */
    private void submitEach(int each, String... keys) {
        submit(IntStream.rangeClosed(1, each)
                .boxed()
                .flatMap(n -> Stream.of(keys).map(key -> keyed(key + n, 0, key)))
                .toArray(NewJob[]::new));
    }

    private void setLimits(Limits limits) {
        assertThat(ledger.limits().set(Shared.of(limits), 0).join()).isZero();
        reconsider();
    }

    private void setPerKey(Limits limits) {
        setLimits(Limits.NONE.withPerKey(limits));
    }

    private void setLimits(String key, Limits limits) {
        assertThat(ledger.limits().set(key, limits).join()).isTrue();
        reconsider();
    }

    private void reconsider() {
        while (ledger.limits().reconsider().join()) {
            // There are more keys to look at.
        }
    }

    private List<String> claimedIds(int limit) {
        return ids(claim(limit).jobs());
    }

    private static List<String> ids(List<Claimed.Job> jobs) {
        return jobs.stream().map(job -> job.lease().id()).toList();
    }

    private Lease claim(String id) {
        Claimed claimed = claim(1);
        assertThat(ids(claimed.jobs())).containsExactly(id);
        return claimed.jobs().get(0).lease();
    }

    @Test
    void aKeyRunsOneJobAtATimeAndKeepsNoOtherWaiting() {
        setPerKey(ONE);
        submitEach(3, "a", "b");
        submit(job("plain", 1));
        time(1);
        Claimed claimed = claim(9);
        assertThat(ids(claimed.jobs())).containsExactly("a1", "b1", "plain");
        assertThat(claimed.nextMillis()).as("until the leases end").isEqualTo(LEASE);
        assertThat(claim(9).jobs()).isEmpty();
        complete(claimed.jobs().get(1).lease());
        assertThat(claimedIds(9)).containsExactly("b2");
    }

    enum End {
        COMPLETE,
        BURY,
        CANCEL
    }

    @ParameterizedTest
    @EnumSource
    void aJobThatEndsLetsTheNextOfItsKeyBegin(End end) {
        setPerKey(ONE);
        submitEach(2, "a");
        Lease first = claim("a1");
        switch (end) {
            case COMPLETE -> complete(first);
            case BURY -> bury(first);
            case CANCEL -> cancel("a1");
        }
        claim("a2");
    }

    @Test
    void aReleasedJobIsNextAgain() {
        setPerKey(ONE);
        submitEach(2, "a");
        release(claim("a1"), null);
        claim("a1");
    }

    @Test
    void aJobWhoseLeaseEndedKeepsItsPermit() {
        setPerKey(ONE);
        submitEach(2, "a");
        claim("a1");
        time(LEASE);
        assertThat(claimedIds(9)).containsExactly("a1");
    }

    @Test
    void aKeyWhoseTimeOfSlowingDownHasPassedIsLikeAnyOther() {
        submitEach(1, "a");
        ledger.limits().slow("a", Duration.ofMillis(100)).join();
        time(101);
        ledger.limits().slow("b", Duration.ofMillis(100)).join();
        claim("a1");
        submit(keyed("a2", 0, "a"));
        assertThat(ledger.limits().read(0).join().held()).isZero();
        claim("a2");
    }

    @Test
    void removingWaitingJobsLeavesTheOthersOfTheirKeys() {
        setPerKey(ONE);
        submitEach(3, "a");
        cancel("a1");
        cancel("a2");
        Lease last = claim("a3");
        complete(last);
        assertThat(claim(9).nextMillis()).isNull();
    }

    @Test
    void jobsOfAKeyGoByTheirDueTimesAndThenInTheOrderOfTheirSubmits() {
        setPerKey(ONE);
        submit(
                keyed("z", 0, "a"),
                keyed("later", 1, "a"),
                keyed("y", 0, "a"),
                keyed("early", -1, "a"),
                keyed("x", 0, "a"));
        time(1);
        assertThat(drained()).containsExactly("early", "z", "y", "x", "later");
    }

    /** Claims one job after the other and completes each. */
    private List<String> drained() {
        List<String> ids = new ArrayList<>();
        for (Claimed claimed = claim(1); !claimed.jobs().isEmpty(); claimed = claim(1)) {
            ids.addAll(ids(claimed.jobs()));
            complete(claimed.jobs().get(0).lease());
        }
        return ids;
    }

    @Test
    void othersOfItsKeyGoFirstWhileAFailedJobWaits() {
        setPerKey(ONE);
        submitEach(3, "a");
        retry(claim("a1"), 100);
        assertThat(drained()).containsExactly("a2", "a3");
        time(100);
        claim("a1");
    }

    @Test
    void aStrictKeyWaitsForAFailedJob() {
        setPerKey(STRICT);
        submitEach(3, "a");
        retry(claim("a1"), 100);
        Claimed none = claim(9);
        assertThat(none.jobs()).isEmpty();
        assertThat(none.nextMillis()).isEqualTo(100);
        time(100);
        retry(claim("a1"), 50);
        time(150);
        assertThat(drained()).containsExactly("a1", "a2", "a3");
    }

    @Test
    void aStrictKeyGoesOnWhenAJobIsDeadAndTakesItsRedriveAsANewJob() {
        setPerKey(STRICT);
        submitEach(3, "a");
        bury(claim("a1"));
        complete(claim("a2"));
        time(1);
        redrive("a1");
        assertThat(drained()).containsExactly("a3", "a1");
    }

    @Test
    void aDeadJobHoldsItsKeyUntilItIsRedrivenToItsPlace() {
        setPerKey(HOLD);
        submitEach(3, "a");
        submitEach(1, "b");
        bury(claim("a1"));
        time(1);
        Claimed other = claim(9);
        assertThat(ids(other.jobs())).as("not those of the key").containsExactly("b1");
        complete(other.jobs().get(0).lease());
        ShardLimits.View view = ledger.limits().read(9).join();
        assertThat(view.held()).isEqualTo(1);
        assertThat(view.longest().get(0).dead()).containsExactly("a1");
        assertThat(claim(9).nextMillis()).as("nothing can begin").isNull();
        redrive("a1");
        assertThat(drained()).containsExactly("a1", "a2", "a3");
    }

    enum WayOut {
        PURGE,
        PURGE_DEAD,
        EVICT,
        ANOTHER_ORDER
    }

    @ParameterizedTest
    @EnumSource
    void aKeyGoesOnOnceNoDeadJobHoldsIt(WayOut way) {
        setPerKey(HOLD);
        submitEach(2, "a");
        bury(claim("a1"));
        assertThat(claim(9).jobs()).isEmpty();
        switch (way) {
            case PURGE -> ledger.purge(call(), List.of("a1")).join();
            case PURGE_DEAD -> ledger.purgeDead(call(), 0, 9).join();
            case EVICT -> {
                ledger.evict(call(), 9).join();
                submit(keyed("a2", 0, "a"));
            }
            case ANOTHER_ORDER -> setPerKey(STRICT);
        }
        claim("a2");
    }

    @Test
    void ofAKeyThatRunsSeveralJobsNoneBeginsWhileAnyIsDead() {
        setPerKey(HOLD.withConcurrency(2));
        submitEach(4, "a");
        List<Claimed.Job> two = claim(9).jobs();
        assertThat(ids(two)).containsExactly("a1", "a2");
        bury(two.get(0).lease());
        bury(two.get(1).lease());
        assertThat(claim(9).jobs()).isEmpty();
        redrive("a2");
        assertThat(claim(9).jobs()).isEmpty();
        ledger.purge(call(), List.of("a1")).join();
        assertThat(claimedIds(9)).containsExactly("a2", "a3");
    }

    @Test
    void jobsThatAreDeadWhenTheOrderIsSetHoldTheirKeysToo() {
        submitEach(2, "a");
        bury(claim("a1"));
        setPerKey(HOLD);
        assertThat(claim(9).jobs()).isEmpty();
        assertThat(ledger.limits().read("a").join().dead()).containsExactly("a1");
    }

    @Test
    void aStrictKeyTakesARescheduledJobAtItsNewTime() {
        setPerKey(STRICT);
        submitEach(2, "a");
        submit(keyed("a3", 200, "a"));
        reschedule("a1", 100);
        time(200);
        assertThat(drained()).containsExactly("a2", "a1", "a3");
    }

    @Test
    void aKeyMayRunSeveralAtOnce() {
        setPerKey(Limits.NONE.withConcurrency(2));
        submitEach(5, "a");
        Claimed two = claim(9);
        assertThat(ids(two.jobs())).containsExactly("a1", "a2");
        complete(two.jobs().get(0).lease());
        assertThat(claimedIds(9)).containsExactly("a3");
    }

    @Test
    void withoutLimitsAKeyRunsAllOfItsJobs() {
        submitEach(3, "a");
        assertThat(claimedIds(9)).containsExactly("a1", "a2", "a3");
    }

    @Test
    void aRateSpreadsTheJobsOfAKey() {
        setPerKey(TWICE_A_SECOND);
        submitEach(3, "a");
        Claimed first = claim(9);
        assertThat(ids(first.jobs())).containsExactly("a1");
        assertThat(first.nextMillis()).isEqualTo(500);
        time(499);
        assertThat(claim(9).jobs()).isEmpty();
        time(500);
        assertThat(claimedIds(9)).containsExactly("a2");
        time(5000);
        assertThat(claimedIds(9)).as("no more than one after a pause").containsExactly("a3");
    }

    @Test
    void aBurstBeginsAtOnceAfterAPause() {
        setPerKey(Limits.NONE.withRate(new Limits.Rate(2, Duration.ofSeconds(1), 2)));
        submitEach(9, "a");
        assertThat(claimedIds(9)).containsExactly("a1", "a2", "a3");
        time(500);
        assertThat(claimedIds(9)).containsExactly("a4");
        time(1500);
        assertThat(claimedIds(9)).containsExactly("a5", "a6");
    }

    @Test
    void aReleasedJobGivesItsPartOfTheRateBack() {
        setPerKey(TWICE_A_SECOND);
        submitEach(2, "a");
        release(claim("a1"), null);
        retry(claim("a1"), 0);
        assertThat(claim(9).jobs()).as("an attempt counts").isEmpty();
    }

    enum Whose {
        OF_THE_QUEUE,
        OF_THE_KEY
    }

    /** The rate let the second job begin because of the time that had passed, so the first one has nothing to give back. */
    @ParameterizedTest
    @EnumSource
    void aJobThatIsReleasedLateGivesNothingOfARateBack(Whose rate) {
        setLimits(rate == Whose.OF_THE_QUEUE ? TWICE_A_SECOND : Limits.NONE.withPerKey(TWICE_A_SECOND));
        submitEach(3, "a");
        Lease first = claim("a1");
        time(500);
        claim("a2");
        release(first, null);
        assertThat(claim(9).nextMillis()).isEqualTo(500);
        time(1000);
        assertThat(claimedIds(9)).containsExactly("a1");
    }

    @Test
    void anAttemptThatFollowsAnEndedLeaseCountsAgainstTheRateOfItsKey() {
        setPerKey(Limits.NONE.withRate(1, Duration.ofMillis(LEASE)));
        submitEach(2, "a");
        claim("a1");
        time(LEASE);
        Claimed again = claim(1);
        assertThat(ids(again.jobs())).containsExactly("a1");
        assertThat(claim(9).jobs()).isEmpty();
        time(2 * LEASE - 1);
        assertThat(claim(9).jobs()).isEmpty();
        time(2 * LEASE);
        assertThat(claimedIds(1)).as("a lease that ended is first").containsExactly("a1");
        time(3 * LEASE - 1);
        assertThat(claim(9).jobs()).isEmpty();
    }

    @Test
    void anAttemptThatFollowsAnEndedLeaseCountsAgainstTheRateOfItsQueueAndIsGivenBack() {
        setLimits(Limits.NONE.withRate(1, Duration.ofMillis(LEASE)));
        submit(job("a", 0), job("b", 0));
        claim("a");
        time(LEASE);
        Lease again = claim("a");
        assertThat(claim(9).nextMillis()).isEqualTo(LEASE);
        release(again, null);
        assertThat(claimedIds(9)).as("what it was counted for is free again").containsExactly("a");
    }

    @Test
    void inAKeyItsOrderCountsAndNoPriority() {
        submit(
                keyed("a1", -2, "a"),
                new NewJob(
                        "a2",
                        new NewJob.Due(-1, true),
                        JobContent.of("\"job\":\"j\",\"key\":\"a\",\"priority\":9,\"param\":1}")));
        assertThat(claimedIds(2)).containsExactly("a1", "a2");
    }

    @Test
    void tenThousandKeysOfAShardMayHaveLimitsOrAPauseAndNoMore() {
        ShardLimits limits = ledger.limits();
        assertThat(limits.set("both", ONE).join()).isTrue();
        assertThat(limits.pause("both", true).join()).isTrue();
        CompletableFuture<?>[] others = IntStream.range(1, ShardLimits.MOST_KEYS)
                .mapToObj(n -> n % 2 == 0 ? limits.set("key-" + n, ONE) : limits.pause("key-" + n, true))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(others).join();
        limits.slow("slowed", Duration.ofHours(1)).join();
        assertThat(Stream.of(others)).allMatch(set -> set.join().equals(true));
        assertThat(limits.set("one more", ONE).join()).isFalse();
        assertThat(limits.pause("one more", true).join()).isFalse();
        assertThat(limits.pause("key-2", true).join()).as("it has limits").isTrue();
        assertThat(limits.set("one more", null).join()).as("nothing to add").isTrue();
        limits.pause("key-1", false).join();
        assertThat(limits.set("one more", ONE).join()).isTrue();
    }

    /** Takes a ring, which wakes a node long before it looks for jobs by itself. */
    private void takeRing() {
        assertThat(underTest().backend().rings().next(List.of(shard()), TestSettings.SOON))
                .succeedsWithin(TestSettings.SOON.multipliedBy(2))
                .isEqualTo(Optional.of(shard()));
    }

    @Test
    void limitsOfAQueueThatLetAJobBeginRingForIt() {
        setLimits(ONE);
        feed("n", "j");
        submit(job("a", 0), job("b", 0), job("c", 0));
        takeRing();
        claim("a");
        setLimits(ONE.withConcurrency(2));
        takeRing();
        claim("b");
        assertThat(ledger.limits().set(null, 0).join()).isZero();
        takeRing();
        claim("c");
    }

    @Test
    void limitsOfAKeyAndItsResumeRingForItsJobs() {
        setPerKey(ONE);
        feed("n", "j");
        submitEach(3, "a");
        takeRing();
        claim("a1");
        setLimits("a", ONE.withConcurrency(2));
        takeRing();
        claim("a2");
        ledger.limits().pause("a", true).join();
        setLimits("a", ONE.withConcurrency(3));
        assertThat(claim(9).jobs()).isEmpty();
        ledger.limits().pause("a", false).join();
        takeRing();
        claim("a3");
    }

    @Test
    void keysTakeTurns() {
        submitEach(6, "greedy");
        time(1);
        submit(keyed("a1", 0, "a"), keyed("a2", 0, "a"), keyed("b1", 0, "b"));
        assertThat(claimedIds(1)).containsExactly("a1");
        assertThat(claimedIds(9))
                .containsExactly("b1", "greedy1", "a2", "greedy2", "greedy3", "greedy4", "greedy5", "greedy6");
    }

    /** A share of each round, whatever waits of the others. */
    @Test
    void aKeyWithAThousandJobsKeepsNoneOfNineteenOthersWaiting() {
        for (int n = 0; n < 5; n++) {
            submit(IntStream.range(200 * n, 200 * n + 200)
                    .mapToObj(i -> keyed("greedy-" + i, 0, "greedy"))
                    .toArray(NewJob[]::new));
        }
        time(1);
        submit(IntStream.range(0, 190)
                .mapToObj(i -> keyed("other%d-%d".formatted(i % 19, i), 0, "other" + i % 19))
                .toArray(NewJob[]::new));
        List<String> begun = IntStream.range(0, 20)
                .boxed()
                .flatMap(n -> claimedIds(10).stream())
                .toList();
        assertThat(begun.stream().filter(id -> id.startsWith("greedy"))).hasSize(10);
        assertThat(begun).hasSize(200);
    }

    @Test
    void aKeyThatWaitsAgainDoesNotMakeUpForTurns() {
        submitEach(8, "busy");
        assertThat(claimedIds(4)).containsExactly("busy1", "busy2", "busy3", "busy4");
        submitEach(3, "z");
        assertThat(claimedIds(4)).containsExactly("z1", "busy5", "z2", "busy6");
    }

    /** A job may submit the next one of its key when it ends. */
    @Test
    void aKeyThatHasOneJobAfterTheOtherKeepsNoOtherWaiting() {
        submitEach(30, "backlog");
        submit(keyed("chain", 0, "chain"));
        int ofChain = 0;
        for (int n = 0; n < 40; n++) {
            if (claimedIds(1).get(0).startsWith("chain")) {
                submit(keyed("chain" + ++ofChain, 0, "chain"));
            }
        }
        assertThat(ofChain).isBetween(18, 22);
    }

    /** A key comes with each claim; of those whose time comes, the last one by its name is the first by its time. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1})
    void newKeysKeepNoOlderOnesWaiting(long delay) {
        submitEach(3, "old");
        submit(keyed("z", delay, "z"));
        List<String> begun = new ArrayList<>();
        for (int n = 0; n < 24; n++) {
            time(n + 2);
            submit(keyed("a" + n, delay, "a" + n), keyed("b" + n, delay, "b" + n));
            begun.addAll(claimedIds(1));
        }
        assertThat(begun).contains("z", "old2");
    }

    @Test
    void aKeyHasMoreTurnsByItsWeight() {
        setLimits("gold", Limits.NONE.withWeight(3));
        submitEach(9, "gold", "tin");
        List<String> claimed = claimedIds(8);
        assertThat(claimed.stream().filter(id -> id.startsWith("gold"))).hasSize(6);
        assertThat(claimed.stream().filter(id -> id.startsWith("tin"))).hasSize(2);
    }

    @Test
    void betweenAKeyAndJobsWithoutOneTheLongerDueIsNext() {
        submit(job("p1", -3), keyed("k1", -2, "k"), job("p2", -1), keyed("k2", 0, "k"), job("p3", 0));
        assertThat(claimedIds(9)).containsExactly("p1", "k1", "p2", "k2", "p3");
    }

    @Test
    void limitedJobsAreNotHandedOutBeforeTheyAreDueNorAheadOfTheWorkers() {
        setPerKey(Limits.NONE.withConcurrency(9));
        submit(job("plain", 5), keyed("k1", 5, "k"), keyed("k2", 0, "k"), keyed("k3", 0, "k"));
        Call call = call();
        Claimed claimed = ledger.claim(
                        call,
                        new ClaimRequest(
                                "n",
                                new ClaimRequest.Limits(9, 1, Ledger.MAX_CLAIM_BYTES),
                                LEASE,
                                "r" + call.number(),
                                false,
                                false,
                                10))
                .join();
        assertThat(ids(claimed.jobs())).containsExactly("k2", "plain");
    }

    @Test
    void aQueueLimitsAllOfItsJobs() {
        setLimits(Limits.NONE.withConcurrency(2));
        submit(job("a", -3), keyed("k", -2, "k"), job("c", -1), job("d", 0));
        Claimed two = claim(9);
        assertThat(ids(two.jobs())).containsExactly("a", "k");
        assertThat(claim(9).jobs()).isEmpty();
        complete(two.jobs().get(1).lease());
        assertThat(claimedIds(9)).containsExactly("c");
    }

    @Test
    void aRateOfAQueueSpreadsAllOfItsJobs() {
        setLimits(TWICE_A_SECOND);
        submit(job("a", -2), keyed("k", -1, "k"), job("c", 0));
        Claimed first = claim(9);
        assertThat(ids(first.jobs())).containsExactly("a");
        assertThat(first.nextMillis()).isEqualTo(500);
        time(500);
        assertThat(claimedIds(9)).containsExactly("k");
        release(claimJobAt(1000), null);
        assertThat(claimedIds(9)).containsExactly("c");
    }

    private Lease claimJobAt(long millis) {
        time(millis);
        return claim("c");
    }

    @Test
    void aKeyMayHaveLimitsOfItsOwn() {
        setPerKey(ONE);
        setLimits("b", Limits.NONE.withConcurrency(2));
        submitEach(3, "a", "b");
        assertThat(claimedIds(9)).containsExactlyInAnyOrder("a1", "b1", "b2");
        assertThat(ledger.limits().read(0).join().keys()).isEqualTo(Map.of("b", Limits.NONE.withConcurrency(2)));
        setLimits("b", null);
        assertThat(ledger.limits().read(0).join().keys()).isEmpty();
    }

    @Test
    void raisedLimitsLetJobsBegin() {
        setPerKey(ONE);
        submitEach(3, "a");
        claim("a1");
        setPerKey(Limits.NONE.withConcurrency(2));
        claim("a2");
        ledger.limits().set(null, 0).join();
        reconsider();
        claim("a3");
    }

    @Test
    void raisedRatesLetJobsBegin() {
        setPerKey(Limits.NONE.withRate(1, Duration.ofHours(1)));
        submitEach(2, "a");
        claim("a1");
        assertThat(claim(9).jobs()).isEmpty();
        setPerKey(Limits.NONE);
        claim("a2");
    }

    @Test
    void jobsThatASlowerRateHeldBackBeginByTheNewOne() {
        Limits slow = Limits.NONE.withRate(1, Duration.ofHours(1));
        setLimits(slow.withPerKey(slow));
        submitEach(2, "a", "b");
        claim("a1");
        assertThat(claim(9).jobs()).isEmpty();
        Limits fast = Limits.NONE.withRate(new Limits.Rate(10, Duration.ofSeconds(1), 1));
        setLimits(fast.withPerKey(fast));
        assertThat(claim(9).nextMillis()).isEqualTo(100);
        time(100);
        claim("b1");
        time(200);
        claim("a2");
    }

    @Test
    void aKeyHasItsNewRateAlsoIfNoJobOfItWaits() {
        ledger.limits().set("a", Limits.NONE.withRate(1, Duration.ofHours(1))).join();
        submitEach(1, "a");
        claim("a1");
        ledger.limits().set("a", null).join();
        setPerKey(Limits.NONE.withRate(10, Duration.ofSeconds(1)));
        submit(keyed("a2", 0, "a"));
        assertThat(claim(9).nextMillis()).isEqualTo(100);
    }

    @Test
    void aKeyWhoseLeaseEndedWhileItsNextJobCameDueBeginsEachJobOnce() {
        submitEach(1, "a");
        claim("a1");
        submit(keyed("a2", 10, "a"), keyed("a3", LEASE + 20, "a"), keyed("b1", LEASE + 15, "b"));
        time(LEASE + 10);
        Claimed both = claim(9);
        assertThat(ids(both.jobs())).containsExactly("a1", "a2");
        assertThat(both.nextMillis()).isEqualTo(5);
        time(LEASE + 20);
        assertThat(claimedIds(9)).containsExactlyInAnyOrder("a3", "b1");
    }

    @Test
    void aJobThatLosesItsKeyWithinACallStillWaits() {
        Dedupe dedupe = Dedupe.untilStarted("d");
        submit(
                new NewJob("a1", new NewJob.Due(0, true), new JobContent(body("a"), null, dedupe)),
                new NewJob(
                        "a1",
                        new NewJob.Due(0, true),
                        new JobContent("\"job\":\"j\",\"param\":1}", null, dedupe.replacing())));
        assertThat(ledger.limits().read("a").join().waiting()).isZero();
        claim("a1");
    }

    @Test
    void loweredLimitsInterruptNothing() {
        submitEach(4, "a");
        List<Claimed.Job> two = claim(2).jobs();
        setPerKey(ONE);
        assertThat(claim(9).jobs()).isEmpty();
        complete(two.get(0).lease());
        assertThat(claim(9).jobs()).isEmpty();
        complete(two.get(1).lease());
        claim("a3");
    }

    @Test
    void limitsOfNodesCountUntilOthersAreSet() {
        declare(Limits.NONE.withPerKey(ONE));
        submitEach(3, "a");
        claim("a1");
        assertThat(claim(9).jobs()).isEmpty();
        setPerKey(Limits.NONE.withConcurrency(2));
        claim("a2");
        ShardLimits.View view = ledger.limits().read(0).join();
        assertThat(view.set()).isEqualTo(Limits.NONE.withPerKey(Limits.NONE.withConcurrency(2)));
        assertThat(view.declared()).isEqualTo(Limits.NONE.withPerKey(ONE));
        ledger.limits().set(null, 0).join();
        reconsider();
        assertThat(claim(9).jobs()).isEmpty();
        declare(Limits.NONE);
        reconsider();
        claim("a3");
    }

    @Test
    void aShardHasTheShareThatARoundGaveIt() {
        Limits even = Limits.NONE.withConcurrency(2);
        setLimits(even.withPerKey(ONE));
        submitEach(2, "a", "b", "c");
        ShardLimits limits = ledger.limits();
        assertThat(limits.join("1").join()).isEqualTo(new ShardLimits.Standing("1", even, even, 0, 3, 0, 0));
        Lease first = claim("a1");
        claim("b1");
        assertThat(claim(9).jobs()).isEmpty();
        Limits three = Limits.NONE.withConcurrency(3);
        assertThat(limits.lend("1", even, three).join()).contains(three);
        Lease third = claim("c1");
        assertThat(limits.read(0).join().share().concurrency()).isEqualTo(3);
        assertThat(limits.read(0).join().set()).isEqualTo(even.withPerKey(ONE));
        complete(third);
        Limits one = Limits.NONE.withConcurrency(1);
        assertThat(limits.lend("1", even, one).join()).as("two run").contains(even);
        assertThat(limits.join("2").join()).isEqualTo(new ShardLimits.Standing("2", even, even, 2, 1, 0, 0));
        complete(first);
        assertThat(limits.lend("2", even, one).join()).contains(one);
        assertThat(claim(9).jobs()).isEmpty();
    }

    @Test
    void aShardHasAnotherPartOfARate() {
        Limits even = TWICE_A_SECOND;
        setLimits(even);
        submit(job("p1", 0), job("p2", 0), job("p3", 0));
        claim("p1");
        assertThat(ledger.limits().join("1").join()).isEqualTo(new ShardLimits.Standing("1", even, even, 1, 2, 500, 0));
        Limits tenth = Limits.NONE.withRate(10, Duration.ofSeconds(1));
        assertThat(ledger.limits().lend("1", even, tenth).join()).contains(tenth);
        assertThat(claim(9).nextMillis()).as("by the rate that it has now").isEqualTo(100);
        time(100);
        claim("p2");
        assertThat(claim(9).nextMillis()).isEqualTo(100);
        time(200);
        claim("p3");
    }

    @Test
    void anEarlierRoundChangesNothing() {
        Limits even = Limits.NONE.withConcurrency(2);
        ShardLimits limits = ledger.limits();
        assertThat(limits.join("7").join()).as("without limits").isEqualTo(standing("", Limits.NONE, Limits.NONE));
        declare(even);
        assertThat(limits.join("5").join().round()).isEqualTo("5");
        assertThat(limits.join("4").join().round()).isEqualTo("5");
        Limits three = Limits.NONE.withConcurrency(3);
        assertThat(limits.lend("4", even, three).join()).isEmpty();
        assertThat(limits.lend("6", even, three).join()).isEmpty();
        assertThat(limits.lend("5", three, three).join()).isEmpty();
        assertThat(limits.join("5").join()).isEqualTo(standing("5", even, even));
        assertThat(limits.lend("5", even, three).join()).contains(three);
        assertThat(limits.lend("5", even, three).join()).as("a repeat").contains(three);
        assertThat(limits.join("5").join()).isEqualTo(standing("5", even, three));
    }

    @Test
    void newLimitsEndTheShareOfARound() {
        Limits even = Limits.NONE.withConcurrency(2);
        setLimits(even);
        ledger.limits().join("1").join();
        ledger.limits().lend("1", even, Limits.NONE.withConcurrency(5)).join();
        Limits other = Limits.NONE.withConcurrency(4);
        setLimits(other);
        assertThat(ledger.limits().join("1").join()).isEqualTo(standing("1", other, other));
        setLimits(even);
        assertThat(ledger.limits().join("1").join())
                .as("also if they come back")
                .isEqualTo(standing("1", even, even));
        setLimits(other);
        assertThat(ledger.limits()
                        .lend("1", even, Limits.NONE.withConcurrency(6))
                        .join())
                .isEmpty();
        assertThat(ledger.limits().join("2").join()).isEqualTo(standing("2", other, other));
        Limits six = Limits.NONE.withConcurrency(6);
        assertThat(ledger.limits().lend("2", other, six).join()).contains(six);
        declare(even);
        assertThat(ledger.limits().join("2").join())
                .as("the same for the shard")
                .isEqualTo(standing("2", other, six));
        setLimits(other.withPerKey(ONE));
        assertThat(ledger.limits().join("2").join())
                .as("those of another shard may have changed")
                .isEqualTo(standing("2", other, other));
        setLimits(even);
        assertThat(ledger.limits().lend("2", even, six).join())
                .as("the round has ended too")
                .isEmpty();
    }

    @Test
    void limitsOfAnEarlierVersionChangeNothing() {
        ShardLimits limits = ledger.limits();
        Limits two = Limits.NONE.withConcurrency(2);
        assertThat(limits.setAfter(Shared.of(ONE), 0).join()).isEqualTo(START);
        assertThat(limits.setAfter(Shared.of(two), 0).join()).as("a later one").isEqualTo(START + 1);
        assertThat(limits.set(Shared.of(ONE), START).join()).isEqualTo(START + 1);
        assertThat(limits.read(0).join())
                .returns(two, ShardLimits.View::set)
                .returns(START + 1, ShardLimits.View::version);
        assertThat(limits.set(null, START + 5).join()).isEqualTo(START + 5);
        assertThat(limits.set(Shared.of(two), START + 1).join()).isEqualTo(START + 5);
        assertThat(limits.read(0).join())
                .returns(null, ShardLimits.View::set)
                .returns(START + 5, ShardLimits.View::version);
        assertThat(limits.join("1").join().version()).isEqualTo(START + 5);
        assertThat(limits.setAfter(null, START + 8).join()).isEqualTo(START + 9);
        assertThat(limits.setAfter(null, START + 8).join()).isEqualTo(START + 10);
        submitEach(2, "a");
        assertThat(claimedIds(9)).as("no key has limits of its own").containsExactly("a1", "a2");
    }

    private static ShardLimits.Standing standing(String round, Limits even, Limits share) {
        return new ShardLimits.Standing(round, even, share, 0, 0, 0, 0);
    }

    @Test
    void limitsOfANodeStayUntilAMinuteAfterItHasGone() {
        declare(Limits.NONE.withConcurrency(1));
        declare("other", Limits.NONE.withConcurrency(2));
        declare("third", Limits.NONE);
        assertThat(ledger.limits().read(0).join().declared()).isEqualTo(Limits.NONE.withConcurrency(1));
        time(60_001);
        declare("other", Limits.NONE.withConcurrency(2));
        assertThat(ledger.limits().read(0).join().declared()).isEqualTo(Limits.NONE.withConcurrency(2));
        time(120_002);
        declare("third", Limits.NONE);
        assertThat(ledger.limits().read(0).join().declared()).isEqualTo(Limits.NONE);
    }

    @Test
    void limitsAreThoseOfTheNodeThatDeclaredThemLast() {
        Limits one = Limits.NONE.withConcurrency(1);
        Limits two = Limits.NONE.withConcurrency(2);
        declare("first", one);
        declare("first", Limits.NONE);
        declare("second", two);
        assertThat(declared()).as("no others were left").isEqualTo(two);
        time(11_000);
        declare("third", two);
        declare("second", one);
        assertThat(declared()).as("the third declares them now").isEqualTo(two);
        declare("third", one);
        assertThat(declared()).isEqualTo(one);
    }

    private Limits declared() {
        return ledger.limits().read(0).join().declared();
    }

    private void declare(Limits limits) {
        declare("n", limits);
    }

    private void declare(String node, Limits limits) {
        Feed.Terms terms = new Feed.Terms(60_000, LEASE, 2000, 2000, limits);
        ledger.feed(TestSettings.feed(new Feed.Presence(node, 5000, 1, 1, null), terms))
                .join();
    }

    @Test
    void aPausedKeyBeginsNothing() {
        submitEach(2, "a", "b");
        ledger.limits().pause("a", true).join();
        reconsider();
        assertThat(claimedIds(9)).containsExactly("b1", "b2");
        assertThat(ledger.limits().read("a").join().paused()).isTrue();
        ledger.limits().pause("a", false).join();
        assertThat(claimedIds(9)).containsExactly("a1", "a2");
    }

    @Test
    void aSlowedKeyBeginsNothingForThatLong() {
        submitEach(1, "a", "b");
        ledger.limits().slow("a", Duration.ofMillis(300)).join();
        ledger.limits().slow("a", Duration.ofMillis(100)).join();
        assertThat(claimedIds(9)).containsExactly("b1");
        time(299);
        assertThat(claim(9).nextMillis()).isEqualTo(1);
        time(300);
        claim("a1");
    }

    @Test
    void aSlowedQueueBeginsNothingForThatLong() {
        submit(job("plain", 0), keyed("a1", 0, "a"));
        ledger.limits().slow(null, Duration.ofMillis(300)).join();
        assertThat(claim(9).nextMillis()).isEqualTo(300);
        time(300);
        assertThat(claimedIds(9)).hasSize(2);
    }

    @Test
    void aJobThatWasToldToSlowDownSlowsItsKeyAndSpendsNoAttempt() {
        submitEach(2, "a", "b");
        slowDown(claim("a1"), 300);
        assertThat(claimedIds(9)).containsExactly("b1", "b2");
        assertThat(found("a1").attempt().number()).isZero();
        time(299);
        assertThat(claim(9).jobs()).isEmpty();
        time(300);
        assertThat(claimedIds(9)).containsExactly("a1", "a2");
    }

    @Test
    void aJobWithoutAKeySlowsItsQueue() {
        submit(job("plain", -1), keyed("a1", 0, "a"));
        slowDown(claim("plain"), 300);
        assertThat(claim(9).nextMillis()).isEqualTo(300);
        time(300);
        assertThat(claimedIds(9)).containsExactly("plain", "a1");
    }

    @Test
    void aResumeEndsASlowingDown() {
        submit(job("plain", -1), keyed("a1", 0, "a"));
        slowDown(claim("plain"), 3_600_000);
        assertThat(claim(9).jobs()).isEmpty();
        ledger.pause(false).join();
        claim("plain");
        slowDown(claim("a1"), 3_600_000);
        assertThat(claim(9).jobs()).isEmpty();
        ledger.limits().pause("a", false).join();
        claim("a1");
    }

    private void slowDown(Lease lease, long millis) {
        assertThat(ledger.settle(call(), List.of(new Settlement.Release(lease, null, null, null, millis, false)))
                        .join())
                .containsExactly(true);
    }

    @Test
    void keyedJobsAreFoundCountedAndListed() {
        setPerKey(ONE);
        submit(keyed("a1", -1, "a"), keyed("a2", 0, "a"), keyed("a3", 10, "a"), job("p", 5));
        claim("a1");
        assertThat(found("a2").state()).isEqualTo(JobState.READY);
        assertThat(found("a3").state()).isEqualTo(JobState.DELAYED);
        assertThat(found("a3").atMillis()).isEqualTo(START + 10);
        Tally tally = ledger.tally().join();
        assertThat(tally.counts().ready()).isEqualTo(1);
        assertThat(tally.counts().delayed()).isEqualTo(2);
        assertThat(tally.counts().reserved()).isEqualTo(1);
        Listing.Request delayed = new Listing.Request(JobState.DELAYED, null, null, null, 1);
        Listing.Answer page = ledger.list(delayed).join();
        assertThat(page.jobs()).extracting(Listing.Entry::id).containsExactly("p");
        Listing.Request next = new Listing.Request(JobState.DELAYED, null, null, page.next(), 1);
        assertThat(ledger.list(next).join().jobs())
                .extracting(Listing.Entry::id)
                .containsExactly("a3");
    }

    @Test
    void theLongestWaitingKeysAreNamedWithTheirHolders() {
        setPerKey(ONE);
        submit(keyed("a1", -9, "a"), keyed("b1", -9, "b"), keyed("c1", -9, "c"));
        claim(3);
        submit(keyed("b2", -5, "b"), keyed("a2", -3, "a"), keyed("c2", 5, "c"), keyed("a3", 0, "a"));
        ShardLimits.View view = ledger.limits().read(1).join();
        assertThat(view.held()).isEqualTo(2);
        assertThat(ledger.tally().join().heldKeys()).isEqualTo(2);
        assertThat(view.jobs()).isEqualTo(4);
        assertThat(view.longest()).singleElement().satisfies(key -> {
            assertThat(key.key()).isEqualTo("b");
            assertThat(key.next()).isEqualTo("b2");
            assertThat(key.nextMillis()).isEqualTo(START - 5);
            assertThat(key.holders()).containsExactly("b1");
            assertThat(key.running()).isEqualTo(1);
        });
        ShardLimits.KeyView a = ledger.limits().read("a").join();
        assertThat(a.waiting()).isEqualTo(2);
        assertThat(a.next()).isEqualTo("a2");
        assertThat(ledger.limits().read("unknown").join().next()).isNull();
    }

    @Test
    void jobsBehindOneThatWaitsForItsNextAttemptAreHeldBack() {
        setPerKey(STRICT);
        submitEach(3, "a");
        submit(keyed("a4", 50, "a"));
        retry(claim("a1"), 100);
        assertHeld(2, "a");
        time(50);
        assertHeld(3, "a");
        ShardLimits.KeyView a = ledger.limits().read(9).join().longest().get(0);
        assertThat(a.next()).isEqualTo("a1");
        assertThat(a.nextMillis()).isEqualTo(START + 100);
        assertThat(a.sinceMillis()).isEqualTo(START);
        assertThat(a.begins()).isEqualTo(new Begins(START + 100, Begins.Because.TIME));
        cancel("a2");
        cancel("a3");
        assertHeld(1, "a");
        ledger.limits().pause("a", true).join();
        assertHeld(1, "a");
        ledger.limits().pause("a", false).join();
        time(100);
        assertHeld(0);
        assertThat(drained()).containsExactly("a1", "a4");
        assertHeld(0);
    }

    enum Loosened {
        FOR_ALL,
        FOR_THE_KEY
    }

    /** No job of a key that is not strict waits for another one that is due later. */
    @ParameterizedTest
    @EnumSource
    void anOrderThatIsNoLongerStrictLetsTheNextJobsBegin(Loosened how) {
        setPerKey(STRICT);
        submitEach(2, "a", "b");
        retry(claim("a1"), 100);
        claim("b1");
        if (how == Loosened.FOR_ALL) {
            setPerKey(ONE);
        } else {
            setLimits("a", ONE);
        }
        assertHeld(1, "b");
        assertThat(claimedIds(9)).containsExactly("a2");
    }

    enum Comes {
        SUBMITTED,
        RESCHEDULED,
        REDRIVEN
    }

    @ParameterizedTest
    @EnumSource
    void aJobThatComesLaterDoesNotWaitForAnAttemptThatIsDueAfterIt(Comes how) {
        setPerKey(STRICT);
        submit(keyed("dead", -1, "a"), keyed("a1", 0, "a"), keyed("a2", 500, "a"));
        bury(claim("dead"));
        retry(claim("a1"), 100);
        setPerKey(ONE);
        assertThat(claim(9).jobs()).isEmpty();
        String id = switch (how) {
            case SUBMITTED -> "new";
            case RESCHEDULED -> "a2";
            case REDRIVEN -> "dead";
        };
        switch (how) {
            case SUBMITTED -> submit(keyed(id, 0, "a"));
            case RESCHEDULED -> reschedule(id, 0);
            case REDRIVEN -> redrive(id);
        }
        claim(id);
    }

    @Test
    void theJobsBehindTwoThatWaitForTheirNextAttemptsBeginOnceTheFirstOfTheseHas() {
        setPerKey(Limits.NONE.withConcurrency(2));
        submitEach(3, "a");
        List<Claimed.Job> both = claim(2).jobs();
        setPerKey(STRICT);
        retry(both.get(0).lease(), 10);
        retry(both.get(1).lease(), 1000);
        time(20);
        setPerKey(ONE);
        complete(claim("a1"));
        claim("a3");
    }

    @Test
    void aKeyWhosePermitIsFreeAgainTakesTheJobThatIsDueFirst() {
        setPerKey(Limits.NONE.withConcurrency(2));
        submitEach(2, "a");
        List<Claimed.Job> both = claim(2).jobs();
        setPerKey(STRICT);
        retry(both.get(0).lease(), 1000);
        setPerKey(ONE);
        submit(keyed("a3", 0, "a"));
        assertHeld(1, "a");
        complete(both.get(1).lease());
        claim("a3");
    }

    /** A node has not yet looked again at the keys that changed limits may free. */
    @Test
    void aKeyWhoseTimeHasComeIsNoLongerHeldBack() {
        setPerKey(Limits.NONE.withRate(1, Duration.ofSeconds(1)));
        submitEach(2, "a");
        complete(claim("a1"));
        assertHeld(1, "a");
        time(1000);
        assertThat(ledger.limits().set(null, 0).join()).isZero();
        submit(keyed("0", -1, "0"));
        claim("0");
        assertHeld(0);
    }

    @Test
    void aRateMayHaveTheLargestBurst() {
        setPerKey(Limits.NONE.withRate(new Limits.Rate(1, Duration.ofHours(1), Integer.MAX_VALUE)));
        submitEach(3, "a");
        assertThat(claimedIds(9)).containsExactly("a1", "a2", "a3");
    }

    /** Checks the held keys, the longest waiting first, and how many due jobs limits hold back. */
    private void assertHeld(int limited, String... keys) {
        ShardLimits.View view = ledger.limits().read(9).join();
        assertThat(view.longest()).extracting(ShardLimits.KeyView::key).containsExactly(keys);
        assertThat(view.held()).isEqualTo(keys.length);
        assertThat(view.limited()).isEqualTo(limited);
        Tally tally = ledger.tally().join();
        assertThat(tally.heldKeys()).isEqualTo(keys.length);
        assertThat(tally.limitedJobs()).isEqualTo(limited);
    }

    @Test
    void aKeyIsHeldWhileARateLetsItsDueJobsNotBegin() {
        setPerKey(TWICE_A_SECOND);
        submit(
                keyed("b1", -9, "b"),
                keyed("a1", -5, "a"),
                keyed("a2", -3, "a"),
                keyed("a3", 0, "a"),
                keyed("a4", 9000, "a"));
        submit(keyed("b2", 200, "b"));
        assertHeld(0);
        assertThat(claimedIds(9)).containsExactlyInAnyOrder("a1", "b1");
        assertHeld(2, "a");
        assertThat(ledger.limits().read(9).join().longest().get(0).begins())
                .isEqualTo(new Begins(START + 500, Begins.Because.RATE));
        time(200);
        assertHeld(3, "a", "b");
        time(500);
        assertHeld(0);
        assertThat(claimedIds(9)).containsExactlyInAnyOrder("a2", "b2");
        assertHeld(1, "a");
        ledger.cancel(call(), List.of("a3")).join();
        assertHeld(0);
    }

    @Test
    void aSlowedKeyIsHeldOnceAlsoWhileItIsPaused() {
        submitEach(2, "a");
        ledger.limits().slow("a", Duration.ofMillis(700)).join();
        assertHeld(2, "a");
        ledger.limits().pause("a", true).join();
        assertHeld(2, "a");
        time(700);
        assertHeld(2, "a");
        ledger.limits().pause("a", false).join();
        ledger.limits().slow("a", Duration.ofMillis(700)).join();
        assertHeld(2, "a");
        time(1400);
        assertHeld(0);
        assertThat(claimedIds(9)).containsExactly("a1", "a2");
        assertHeld(0);
    }

    @Test
    void aKeyThatARateAndThenAConcurrencyHoldsIsHeldOnce() {
        setPerKey(TWICE_A_SECOND.withConcurrency(2));
        submitEach(3, "a");
        Lease first = claim("a1");
        assertHeld(2, "a");
        Limits fewer = Limits.NONE.withPerKey(TWICE_A_SECOND.withConcurrency(1));
        assertThat(ledger.limits().set(Shared.of(fewer), 0).join()).isZero();
        assertHeld(2, "a");
        time(600);
        assertHeld(2, "a");
        assertThat(claim(9).jobs()).isEmpty();
        assertHeld(2, "a");
        complete(first);
        assertHeld(0);
        setPerKey(Limits.NONE);
        assertThat(claimedIds(9)).containsExactly("a2", "a3");
        assertHeld(0);
    }

    @Test
    void aQueueThatMayBeginNoneHoldsAllItsDueJobs() {
        setLimits(Limits.NONE.withConcurrency(1));
        NewJob usual = job("d", 1);
        submit(job("a", 0), job("b", 0), keyed("c", 0, "key"));
        submit(new NewJob("d", usual.due(), usual.content().withPriority(9)));
        assertHeld(0);
        Lease first = claim(1).jobs().get(0).lease();
        assertHeld(2);
        time(1);
        assertHeld(3);
        complete(first);
        assertHeld(0);
    }

    @Test
    void aQueueThatMayBeginNoneHoldsDueJobsOfKeysThatMay() {
        setLimits(Limits.NONE.withConcurrency(1));
        submitEach(2, "a", "b");
        claim(1);
        assertHeld(3);
    }

    @Test
    void aJobThatReplacesAnotherMovesToItsOwnKey() {
        setPerKey(ONE);
        Dedupe dedupe = Dedupe.untilStarted("d").postponing();
        submit(keyed("a1", 0, "a"));
        submit(new NewJob("x", new NewJob.Due(0, true), new JobContent(body("a"), null, dedupe)));
        submit(new NewJob("y", new NewJob.Due(1, true), new JobContent(body("b"), null, dedupe)));
        time(1);
        Claimed claimed = claim(9);
        assertThat(ids(claimed.jobs())).containsExactlyInAnyOrder("a1", "x");
        complete(claimed.jobs().get(0).lease());
        complete(claimed.jobs().get(1).lease());
        assertThat(ledger.limits().read("a").join().waiting()).isZero();
        assertThat(ledger.limits().read("b").join().waiting()).isZero();
    }

    @Test
    void restoredJobsWaitInTheLanesOfTheirKeys() {
        setPerKey(ONE);
        restore(Stream.of("a1", "a2")
                .map(id ->
                        new RestoredJob(id, JobContent.of(body("a")).storedAt(START), JobState.DELAYED, START, 0, null))
                .toList());
        complete(claim("a1"));
        claim("a2");
    }

    /** Both have kept the place of an earlier time, by which none waits once it is known that the order is not strict. */
    @Test
    void aRestoredJobBehindOneThatBeginsWaitsByItsOwnTime() {
        restore(Stream.of("a1", "a2")
                .map(id -> new RestoredJob(
                        id,
                        JobContent.of(body("a")).storedAt(START),
                        JobState.DELAYED,
                        START + 2,
                        START + 1,
                        1,
                        null,
                        null))
                .toList());
        submit(keyed("a3", 0, "a"), keyed("b1", 0, "b"));
        assertThat(claimedIds(2)).containsExactlyInAnyOrder("a3", "b1");
        assertThat(ledger.limits().read("a").join())
                .returns("a2", ShardLimits.KeyView::next)
                .returns(START + 2, ShardLimits.KeyView::sinceMillis);
    }

    @Test
    void aFailedJobIsRestoredToItsPlaceInAStrictOrder() {
        setPerKey(STRICT);
        FlowFold log = new FlowFold();
        flow().forEach(log::take);
        submitEach(3, "a", "b");
        Lease first = claim("a1");
        Lease released = claim("b1");
        retry(first, 100);
        release(released, 50L);
        flow().forEach(log::take);
        assertThat(log.jobs().get("a1").place()).isEqualTo(START);

        loseJobsAndLimits();
        restore(log);
        setPerKey(STRICT);
        assertThat(claim(9).jobs()).isEmpty();
        time(50);
        assertThat(drained()).containsExactly("b1", "b2", "b3");
        time(100);
        assertThat(drained()).containsExactly("a1", "a2", "a3");
    }

    /** Restored jobs that an older order made wait for a failed one begin as soon as it is known that they need not. */
    @Test
    void restoredJobsBeginOnceTheirKeyIsKnownNotToBeStrict() {
        setPerKey(STRICT);
        FlowFold log = new FlowFold();
        flow().forEach(log::take);
        submitEach(2, "a");
        retry(claim("a1"), 100);
        flow().forEach(log::take);
        loseJobsAndLimits();
        restore(log);
        assertHeld(1, "a");
        setPerKey(ONE);
        claim("a2");
    }

    @Test
    void aDeadJobIsRestoredToThePlaceAtWhichItHoldsItsKey() {
        setPerKey(HOLD);
        FlowFold log = new FlowFold();
        flow().forEach(log::take);
        submitEach(2, "a");
        submit(keyed("b1", 0, "b"));
        time(10);
        bury(claim("a1"));
        bury(claim("b1"));
        redrive("b1");
        retry(claim("b1"), 40);
        flow().forEach(log::take);
        assertThat(log.jobs().get("a1").place()).isEqualTo(START);
        assertThat(log.jobs().get("b1").place()).isEqualTo(START);

        ledger.evict(call(), 9).join();
        restore(log);
        assertThat(claim(9).jobs()).isEmpty();
        redrive("a1");
        assertThat(drained()).containsExactly("a1", "a2");
        flow().forEach(log::take);
        assertThat(log.jobs()).containsOnlyKeys("b1");
    }

    @Test
    void inOtherOrdersAFailedJobHasThePlaceOfItsNextAttempt() {
        setPerKey(ONE);
        FlowFold log = new FlowFold();
        flow().forEach(log::take);
        submitEach(2, "a");
        retry(claim("a1"), 100);
        flow().forEach(log::take);
        assertThat(log.jobs().get("a1").place()).isNull();
    }

    private List<Flow.Step> flow() {
        Flow.Page page = ledger.flow(new Flow.Request(readUpTo, 1000, 1000)).join();
        readUpTo = page.read();
        return page.steps();
    }

    private void loseJobsAndLimits() {
        ledger.evict(call(), 9).join();
        assertThat(ledger.limits().set(null, 0).join()).isZero();
        reconsider();
    }

    private void restore(FlowFold log) {
        restore(log.jobs().entrySet().stream()
                .map(job -> job.getValue().restored(job.getKey()))
                .toList());
    }

    private void restore(List<RestoredJob> jobs) {
        String term = Fence.newTerm();
        ledger.beginRestore(term).join();
        assertThat(ledger.restore(call(), RestorePermit.first(term), jobs).join())
                .doesNotContain(false);
    }

    @Test
    void evictingRemovesJobsThatAreHeldBackToo() {
        setPerKey(ONE);
        submitEach(3, "a");
        claim("a1");
        assertThat(ledger.evict(call(), 9).join()).isEqualTo(3);
        submitEach(1, "a");
        claim("a1");
    }

    @Test
    void aKeyOfAnyCharactersIsKeptAsItIs() {
        setPerKey(ONE);
        String key = "100% | é key=x";
        submit(keyed("first", 0, key), keyed("second", 0, key));
        Lease first = claim("first");
        assertThat(claim(9).jobs()).isEmpty();
        assertThat(ledger.limits().read(key).join().holders()).containsExactly("first");
        complete(first);
        claim("second");
    }

    @Test
    void theHolderHearsOfTheNextJobOfAKey() {
        setPerKey(ONE);
        submit(keyed("a1", 1000, "a"), keyed("a2", 1500, "a"), keyed("b1", 1200, "b"));
        Feed.Presence node = new Feed.Presence("n", 5000, 1, 1, null);
        assertThat(ledger.feed(TestSettings.feed(node)).join().next()).isEqualTo(new Feed.Ring("a1", 1000));
        Feed.Request behind = new Feed.Request(node, TestSettings.TERMS, START + 1000, Feed.Pulse.NONE);
        assertThat(ledger.feed(behind).join().next()).isEqualTo(new Feed.Ring("b1", 1200));
    }
}
