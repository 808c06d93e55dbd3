package io.delayjob.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.ActionResult;
import io.delayjob.Dedupe;
import io.delayjob.JobState;
import io.delayjob.QueueCounts;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.engine.TestSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ledger contract: priorities, and which of the due jobs is handed out first. */
public abstract class PriorityContract extends EarlyClaimContract {

    static final long BOOST = 10_000;

    private Claimed claim(int limit, long boost) {
        Call call = call();
        return ledger.claim(call, new ClaimRequest("n", limit, LEASE, "r" + call.number()).withBoost(boost))
                .join();
    }

    /** The ids that a claim hands out, in their order. */
    List<String> claimed(int limit, long boost) {
        return claim(limit, boost).jobs().stream().map(job -> job.lease().id()).toList();
    }

    @Test
    void ofDueJobsTheHigherPriorityIsFirst() {
        for (int priority : new int[] {5, 0, 9, 4, 2, 7, 1, 8, 3, 6}) {
            submit(job("p" + priority, -1, priority));
        }
        submit(job("later", 1, 9));
        assertThat(claimed(4, BOOST)).containsExactly("p9", "p8", "p7", "p6");
        assertThat(claimed(10, BOOST)).containsExactly("p5", "p4", "p3", "p2", "p1", "p0");
    }

    @Test
    void aStepOfPriorityIsWorthTheBoost() {
        submit(
                job("usual", -2 * BOOST),
                job("as late as it may be", -1, 6),
                job("too late", 0, 6),
                job("low", -5 * BOOST, 1));
        assertThat(claimed(9, BOOST)).containsExactly("as late as it may be", "low", "usual", "too late");
    }

    @Test
    void withoutABoostJobsGoByTheirTimesAndThenByTheirPriorities() {
        submit(job("a", -1, 2), job("b", -1), job("c", -1, 6), job("d", -2, 0), job("e", 0, 9));
        assertThat(claimed(9, 0)).containsExactly("d", "c", "b", "a", "e");
    }

    @Test
    void jobsOfOnePriorityGoByTheirTimesAndThenByTheBytesOfTheirIds() {
        submit(job("b", -1, 7), job("\uD83D\uDE00", -1, 7), job("\uFFFD", -1, 7), job("a", 0, 7), job("c", -2, 7));
        assertThat(claimed(9, BOOST)).containsExactly("c", "b", "\uFFFD", "\uD83D\uDE00", "a");
    }

    @Test
    void aClaimOfManyHandsOutEachOnceInTheOrderOfTheRanks() {
        List<NewJob> jobs = IntStream.range(0, 60)
                .mapToObj(n -> job("job-" + n, -n * 997 % 60_000, n % 10))
                .toList();
        ledger.submit(call(), jobs).join();
        List<String> expected = jobs.stream()
                .sorted((a, b) -> Long.compare(rank(a), rank(b)))
                .map(NewJob::id)
                .toList();
        List<String> claimed = new ArrayList<>(claimed(7, BOOST));
        claimed.addAll(claimed(50, BOOST));
        claimed.addAll(claimed(50, BOOST));
        assertThat(claimed).isEqualTo(expected);
        assertThat(claim(9, BOOST).nextMillis()).isEqualTo(LEASE);
    }

    private static long rank(NewJob job) {
        return job.due().millis() - (job.content().priority() - 4) * BOOST;
    }

    @Test
    void nextIsTheJobWithTheEarliestTimeWhateverItsPriority() {
        submit(job("high", 500, 9));
        assertThat(claim(1, BOOST).nextMillis()).isEqualTo(500);
        submit(job("usual", 300));
        assertThat(claim(1, BOOST).nextMillis()).isEqualTo(300);
        submit(job("low", 200, 0));
        assertThat(claim(1, BOOST).nextMillis()).isEqualTo(200);
    }

    @Test
    void theHolderHearsOfJobsWithPrioritiesAndCountsThem() {
        submit(job("usual", 1500), job("low", 1000, 0), job("high", 1200, 9));
        Feed.Presence node = new Feed.Presence("n", 5000, 1, 1, null);
        assertThat(ledger.feed(TestSettings.feed(node)).join().next()).isEqualTo(new Feed.Ring("low", 1000));
        Feed.Request behind = new Feed.Request(node, TestSettings.TERMS, START + 1000, Feed.Pulse.NONE);
        assertThat(ledger.feed(behind).join().next()).isEqualTo(new Feed.Ring("high", 1200));
        Feed.Terms strict = new Feed.Terms(60_000, LEASE, 2000, 2);
        ledger.feed(TestSettings.feed(node, strict)).join();
        assertThat(claim(1, BOOST).mode()).isEqualTo(Claimed.Mode.BUSY);
    }

    @Test
    void aJobKeepsItsPriorityWhateverBecomesOfIt() {
        submit(job("a", 0, 9));
        retry(claimOne(), 5);
        assertGoesFirst(5);
        release(claimOne(), null);
        assertGoesFirst(5);
        reschedule("a", 10);
        assertGoesFirst(15);
        bury(claimOne());
        redrive("a");
        assertGoesFirst(15);
        bury(claimOne());
        ledger.redriveAll(call(), 9, 0, 0).join();
        assertGoesFirst(15);
        claimOne();
        time(15 + LEASE);
        retry(claimOne(), 0);
        assertGoesFirst(15 + LEASE);
    }

    /** Before a job that came due one step earlier, at that time. */
    private void assertGoesFirst(long time) {
        time(time);
        submit(job("other", 1 - BOOST));
        Claimed.Job first = claim(1, BOOST).jobs().get(0);
        assertThat(first.lease().id()).isEqualTo("a");
        assertThat(cancel("other").done()).isTrue();
        release(first.lease(), null);
    }

    @Test
    void aJobThatIsPassedOnKeepsItsPriority() {
        feed("n", "x");
        feed("m", "j");
        submit(job("usual", 0), job("high", 0, 9), job("low", 0, 0));
        assertThat(mixed("n").jobs()).isEmpty();
        time(9);
        assertThat(mixed("m").jobs()).extracting(job -> job.lease().id()).containsExactly("high", "usual", "low");
    }

    @Test
    void aJobThatIsDueSoonGoesBeforeNoneThatIsDue() {
        submit(job("soon", 10, 9), job("due", 0, 0));
        assertThat(ahead(1)).containsExactly("due");
        assertThat(ahead(1)).containsExactly("soon");
    }

    private List<String> ahead(int limit) {
        Call call = call();
        ClaimRequest early =
                new ClaimRequest("n", ClaimRequest.Limits.of(limit), LEASE, "r" + call.number(), false, false, 10);
        return ledger.claim(call, early.withBoost(BOOST)).join().jobs().stream()
                .map(job -> job.lease().id())
                .toList();
    }

    private Claimed mixed(String node) {
        Call call = call();
        ClaimRequest.Limits limits = ClaimRequest.Limits.of(9);
        return ledger.claim(
                        call,
                        new ClaimRequest(node, limits, LEASE, "r" + call.number(), false, true, 0).withBoost(BOOST))
                .join();
    }

    @Test
    void aMixedFleetPassesOnWhatIsInFrontByRank() {
        feed("n", "j");
        feed("m", "x");
        NewJob theirs = named("theirs", 0, "x");
        submit(
                job("usual", -5),
                new NewJob("theirs", theirs.due(), theirs.content().withPriority(9)),
                job("low", 0, 0));
        assertThat(mixed("n").jobs()).extracting(job -> job.lease().id()).containsExactly("usual", "low");
        assertThat(found("theirs").attempt().noHandlerSinceMillis()).isEqualTo(START + 5000);
        assertThat(mixed("m").jobs()).extracting(job -> job.lease().id()).containsExactly("theirs");
    }

    @Test
    void jobsOfAllPrioritiesAreFoundCountedAndListedByTime() {
        submit(job("d", 5, 9), job("c", 5, 0), job("b", 5), job("a", 7, 9), job("due", 0, 2), job("e", 6, 9));
        assertThat(found("d")).isEqualTo(found("b"));
        assertThat(found("due").state()).isEqualTo(JobState.READY);
        QueueCounts counts = ledger.tally().join().counts();
        assertThat(counts.delayed()).isEqualTo(5);
        assertThat(counts.ready()).isEqualTo(1);
        assertThat(listed(JobState.DELAYED, 100)).containsExactly("b", "c", "d", "e", "a");
        assertThat(listed(JobState.DELAYED, 1)).containsExactly("b", "c", "d", "e", "a");
        assertThat(listed(JobState.DELAYED, 2)).containsExactly("b", "c", "d", "e", "a");
        assertThat(listed(JobState.READY, 2)).containsExactly("due");
        assertThat(ledger.missing(List.of("a", "b", "nobody")).join().ids()).containsExactly("nobody");
        time(9);
        assertThat(ledger.tally().join().overdueMillis()).isEqualTo(9);
        assertThat(listed(JobState.READY, 2)).containsExactly("due", "b", "c", "d", "e", "a");
    }

    private List<String> listed(JobState state, int limit) {
        List<String> ids = new ArrayList<>();
        Listing.Position next = null;
        do {
            Listing.Answer page = ledger.list(new Listing.Request(state, null, null, next, limit))
                    .join();
            page.jobs().forEach(entry -> ids.add(entry.id()));
            next = page.next();
        } while (next != null);
        return ids;
    }

    @Test
    void anIdIsThatOfOneJobWhateverThePriority() {
        submit(job("a", 5, 9));
        assertThat(submit(job("a", 5), job("a", 5, 2)))
                .extracting(result -> result.outcome())
                .containsExactly(Outcome.EXISTS, Outcome.EXISTS);
        assertThat(cancel("a")).isEqualTo(new ActionResult(true, JobState.DELAYED));
        assertThat(find("a")).isEmpty();
        submit(job("a", 0));
        assertThat(claimed(9, BOOST)).containsExactly("a");
        assertThat(claimed(9, BOOST)).isEmpty();
    }

    @Test
    void aReplacedJobHasThePriorityOfTheNewOne() {
        Dedupe key = Dedupe.untilStarted("k").replacing();
        submit(keyed("a", 9, key), job("b", 0));
        submit(keyed("a", 0, key));
        assertThat(claimed(1, BOOST)).containsExactly("b");
        submit(job("b2", 0), keyed("a", 9, key));
        assertThat(claimed(1, BOOST)).containsExactly("a");
    }

    @Test
    void aPostponedJobHasThePriorityOfTheNewOne() {
        Dedupe key = Dedupe.untilStarted("k").postponing();
        submit(keyed("a", 4, key), keyed("c", 9, key), job("b", 0));
        assertThat(claimed(1, BOOST)).containsExactly("a");
    }

    private static NewJob keyed(String id, int priority, Dedupe key) {
        NewJob usual = job(id, 0, key);
        return new NewJob(id, usual.due(), usual.content().withPriority(priority));
    }

    @Test
    void jobsWithPrioritiesAreEvicted() {
        submit(job("a", 5, 9), job("b", 6), job("c", 7, 0));
        assertThat(ledger.evict(call(), 2).join()).isEqualTo(2);
        assertThat(find("c")).isPresent();
        assertThat(ledger.evict(call(), 2).join()).isEqualTo(1);
        assertThat(ledger.tally().join().counts().delayed()).isZero();
    }

    @Test
    void whatIsDueInTheFarthestFutureHasItsTime() {
        long latest = 253_402_300_799_999L;
        submit(new NewJob(
                "a", new NewJob.Due(latest, false), JobContent.of(BODY).withPriority(9)));
        assertThat(found("a").atMillis()).isEqualTo(latest);
        assertThat(claim(1, BOOST).nextMillis()).isEqualTo(latest - START);
        setClock(latest - 1);
        assertThat(claimed(1, BOOST)).isEmpty();
        setClock(latest);
        assertThat(claimed(1, BOOST)).containsExactly("a");
    }
}
