package io.delayjob.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.JobState;
import io.delayjob.NodeSnapshot;
import io.delayjob.engine.TestSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** All that a ledger promises; here, of looking at jobs and nodes. */
public abstract class LedgerContract extends ScheduleContract {

    @Test
    void jobsAreListedByTimeAndThenByTheBytesOfTheirId() {
        submit(job("\uFFFD", 1), job("😀", 1), job("b", 1), job("a", 2), job("aa", 1));
        assertThat(ids(JobState.DELAYED, null, null, 100)).containsExactly("aa", "b", "\uFFFD", "😀", "a");
        assertThat(ids(JobState.DELAYED, null, null, 1)).containsExactly("aa", "b", "\uFFFD", "😀", "a");
    }

    @Test
    void aListHoldsTheJobsOfItsStateAlone() {
        ledger = open(keeping(1000, 10));
        submit(job("dead", -9), job("done", -8), job("off", -7), job("reserved", -6), job("ready", 0), job("late", 1));
        bury(claimOne());
        complete(claimOne(), "1");
        cancel("off");
        claimOne();
        assertThat(ids(JobState.DELAYED, null, null, 10)).containsExactly("late");
        assertThat(ids(JobState.READY, null, null, 10)).containsExactly("ready");
        assertThat(ids(JobState.RESERVED, null, null, 10)).containsExactly("reserved");
        assertThat(ids(JobState.DEAD, null, null, 10)).containsExactly("dead");
        assertThat(ids(JobState.COMPLETED, null, null, 10)).containsExactly("done");
        assertThat(ids(JobState.CANCELLED, null, null, 10)).containsExactly("off");
        time(1);
        assertThat(ids(JobState.READY, null, null, 1)).containsExactly("ready", "late");
        assertThat(ids(JobState.DELAYED, null, null, 10)).isEmpty();
    }

    @Test
    void whatIsListedIsWhatIsFound() {
        ledger = open(keeping(1000, 10));
        submit(job("dead", -9), job("done", -8), job("reserved", -6), job("ready", 0), job("late", 1));
        bury(claimOne());
        complete(claimOne(), "1");
        report(claimOne(), 5, "a");
        for (JobState state : JobState.values()) {
            list(state, null, null, null, 10)
                    .jobs()
                    .forEach(entry -> assertThat(entry.job()).isEqualTo(found(entry.id())));
        }
    }

    @Test
    void aPageSaysWhetherThereIsMoreBehindIt() {
        submit(job("a", 1), job("b", 1), job("c", 2));
        Listing.Answer first = list(JobState.DELAYED, null, null, null, 2);
        assertThat(first.jobs()).extracting(Listing.Entry::id).containsExactly("a", "b");
        assertThat(first.next()).isEqualTo(new Listing.Position(START + 1, "b"));
        Listing.Answer second = list(JobState.DELAYED, null, null, first.next(), 1);
        assertThat(second.jobs()).extracting(Listing.Entry::id).containsExactly("c");
        assertThat(second.next()).isNull();
        assertThat(list(JobState.DEAD, null, null, null, 1)).isEqualTo(new Listing.Answer(List.of(), null));
    }

    @Test
    void aListGoesOnBehindAJobThatIsGoneOrHasMoved() {
        submit(job("a", 1), job("b", 1), job("c", 1), job("d", 2));
        Listing.Position behind = new Listing.Position(START + 1, "b");
        cancel("b");
        assertThat(list(JobState.DELAYED, null, null, behind, 9).jobs())
                .extracting(Listing.Entry::id)
                .containsExactly("c", "d");
        submit(job("b", 500));
        assertThat(list(JobState.DELAYED, null, null, behind, 9).jobs())
                .extracting(Listing.Entry::id)
                .containsExactly("c", "d", "b");
        assertThat(list(JobState.DELAYED, null, null, new Listing.Position(START + 1, "cc"), 9)
                        .jobs())
                .extracting(Listing.Entry::id)
                .containsExactly("d", "b");
        assertThat(list(JobState.DELAYED, null, null, new Listing.Position(START - 9, "z"), 9)
                        .jobs())
                .hasSize(4);
        assertThat(list(JobState.DELAYED, null, null, new Listing.Position(START + 500, "b"), 9))
                .isEqualTo(new Listing.Answer(List.of(), null));
    }

    @Test
    void aListBeginsAtATime() {
        submit(job("a", 1), job("b", 5), job("c", 5), job("d", 9));
        assertThat(list(JobState.DELAYED, null, null, Listing.Position.atBeginOf(START + 5), 9)
                        .jobs())
                .extracting(Listing.Entry::id)
                .containsExactly("b", "c", "d");
        assertThat(list(JobState.DELAYED, null, null, Listing.Position.atBeginOf(START + 10), 9)
                        .jobs())
                .isEmpty();
    }

    @Test
    void aListOfDelayedJobsGoesOnWhenTimeHasPassed() {
        submit(job("a", 1), job("b", 5), job("c", 9));
        Listing.Answer first = list(JobState.DELAYED, null, null, null, 1);
        time(5);
        assertThat(list(JobState.DELAYED, null, null, first.next(), 9).jobs())
                .extracting(Listing.Entry::id)
                .containsExactly("c");
    }

    @Test
    void aListIsOfAPrefixOfIds() {
        submit(job("a", 1), job("order-1", 2), job("order", 3), job("order-2", 4), job("Order-3", 5));
        assertThat(ids(JobState.DELAYED, null, "order-", 10)).containsExactly("order-1", "order-2");
        assertThat(ids(JobState.DELAYED, null, "order-", 1)).containsExactly("order-1", "order-2");
        assertThat(ids(JobState.DELAYED, null, "[o%*", 1)).isEmpty();
    }

    @Test
    void aListIsOfANameThatStandsBehindTheOpeningFields() {
        submit(named("a", 1, "close-order"), named("b", 2, "close-order-2"), named("c", 3, "close"));
        NewJob lookalike = new NewJob(
                "d",
                new NewJob.Due(4, true),
                JobContent.of("\"job\":\"x\",\"param\":{\"v\":1,\"at\":1,\"job\":\"close-order\",\"y\":1}}"));
        NewJob last =
                new NewJob("e", new NewJob.Due(5, true), JobContent.of("\"job\":\"close-order\",\"param\":null}"));
        submit(lookalike, last);
        assertThat(ids(JobState.DELAYED, "\"job\":\"close-order\",", null, 10)).containsExactly("a", "e");
        assertThat(ids(JobState.DELAYED, "\"job\":\"close-order\"", null, 10)).containsExactly("a", "e");
        assertThat(ids(JobState.DELAYED, "\"job\":\"close-order\",", "e", 10)).containsExactly("e");
        assertThat(ids(JobState.DELAYED, "\"job\":\"nobody\",", null, 10)).isEmpty();
    }

    @Test
    void oneLookIsAtABatchOfJobsAtMostAndGoesOnBehindThem() {
        for (int i = 0; i < 3; i++) {
            int from = i * 200;
            ledger.submit(
                            call(),
                            IntStream.range(from, from + 200)
                                    .mapToObj(n -> job(String.format("job-%04d", n), n / 350))
                                    .toList())
                    .join();
        }
        setClock(START - 5);
        Listing.Answer first = list(JobState.DELAYED, null, "job-0599", null, 10);
        assertThat(first).isEqualTo(new Listing.Answer(List.of(), new Listing.Position(START, "job-0199")));
        Listing.Answer second = list(JobState.DELAYED, null, "job-0599", first.next(), 10);
        assertThat(second.jobs()).isEmpty();
        assertThat(second.next()).isEqualTo(new Listing.Position(START + 1, "job-0399"));
        Listing.Answer third = list(JobState.DELAYED, null, "job-0599", second.next(), 10);
        assertThat(third.jobs()).extracting(Listing.Entry::id).containsExactly("job-0599");
        assertThat(third.next()).isNull();
        assertThat(ids(JobState.DELAYED, null, null, Ledger.MAX_BATCH))
                .hasSize(600)
                .doesNotHaveDuplicates();
    }

    @Test
    void aListThatEndsWithTheLastJobOfABatchHasNoNext() {
        ledger.submit(
                        call(),
                        IntStream.range(0, Ledger.MAX_BATCH)
                                .mapToObj(n -> job("job-" + n, 5))
                                .toList())
                .join();
        assertThat(list(JobState.DELAYED, null, null, null, Ledger.MAX_BATCH).next())
                .isNull();
        assertThat(list(JobState.DELAYED, null, "x", null, Ledger.MAX_BATCH).next())
                .isNull();
    }

    @Test
    void theFirstNodeThatFeedsIsTheHolder() {
        assertThat(feed("n", 3, null))
                .isEqualTo(new Feed.Answer(1, true, START + 2000, false, false, new Feed.Pulse(START, START), null));
        assertThat(feed("m", 3, null))
                .isEqualTo(new Feed.Answer(2, false, 0, false, false, new Feed.Pulse(START, START), null));
        ledger.resign("n").join();
        assertThat(feed("m", 3, null))
                .isEqualTo(new Feed.Answer(1, true, START + 2000, false, false, new Feed.Pulse(START, START), null));
    }

    @Test
    void theHolderHearsOfTheNextJobBehindWhatItHasArranged() {
        submit(job("a", 1000), job("next", 1500), job("b", 2500));
        Feed.Answer first = feed("n", 3, null);
        assertThat(first.next()).isEqualTo(new Feed.Ring("a", 1000));
        time(1000);
        Feed.Request next = new Feed.Request(
                new Feed.Presence("n", 5000, 1, 1, null), TestSettings.TERMS, first.watermarkMillis(), Feed.Pulse.NONE);
        assertThat(ledger.feed(next).join().next()).isEqualTo(new Feed.Ring("b", 1500));
    }

    @Test
    void theHolderHearsOfAJobThatIsDueAlready() {
        submit(job("past", -5), job("a", 1000));
        assertThat(feed("n", 3, null).next()).isEqualTo(new Feed.Ring("past", 0));
    }

    @Test
    void aBusyQueueHasNoDoorbells() {
        submit(job("a", 1), job("b", 2));
        Feed.Request strict =
                TestSettings.feed(new Feed.Presence("n", 5000, 1, 1, null), new Feed.Terms(60_000, 30_000, 2000, 1));
        assertThat(ledger.feed(strict).join())
                .isEqualTo(new Feed.Answer(1, true, 0, false, false, new Feed.Pulse(START, START), null));
        assertThat(claim(1).mode()).isEqualTo(Claimed.Mode.BUSY);
        feed("n", 1, null);
        assertThat(claim(1).mode()).isEqualTo(Claimed.Mode.QUIET);
    }

    @Test
    void theNamesOfANodesJobsAreKeptUntilItSaysOthers() {
        assertThat(feed("n", 3, null).known()).isFalse();
        assertThat(feed("n", 3, List.of("x", "y")).known()).isTrue();
        assertThat(feed("n", 2, null).known()).isTrue();
        assertThat(ledger.fleet().join().nodes()).containsExactly(new NodeSnapshot("n", 4, 2, Set.of("x", "y")));
        assertThat(feed("n", 2, List.of()).known()).isTrue();
        assertThat(ledger.fleet().join().nodes()).containsExactly(new NodeSnapshot("n", 4, 2, Set.of()));
    }

    @Test
    void theFleetIsTheNodesThatAreAliveByName() {
        assertThat(ledger.fleet().join()).isEqualTo(new FleetView(START, false, List.of()));
        feed("n", 3, List.of("x"));
        time(2000);
        feed("a", 1, null);
        feed("m", 0, List.of("y z"));
        ledger.pause(true).join();
        time(4999);
        assertThat(ledger.fleet().join())
                .isEqualTo(new FleetView(
                        START + 4999,
                        true,
                        List.of(
                                new NodeSnapshot("a", 4, 1, Set.of()),
                                new NodeSnapshot("m", 4, 0, Set.of("y z")),
                                new NodeSnapshot("n", 4, 3, Set.of("x")))));
        time(5000);
        assertThat(ledger.fleet().join().nodes()).extracting(NodeSnapshot::node).containsExactly("a", "m");
        ledger.resign("a").join();
        ledger.resign("nobody").join();
        assertThat(ledger.fleet().join().nodes()).extracting(NodeSnapshot::node).containsExactly("m");
    }

    @Test
    void aNodeThatWasSilentForTooLongIsForgottenWithItsNames() {
        feed("n", 3, List.of("x"));
        feed("m", 3, List.of("x"));
        time(5000);
        assertThat(feed("m", 3, null).nodes()).isEqualTo(1);
        assertThat(feed("n", 3, null).known()).isFalse();
    }

    @Test
    void aNodeThatResignsIsForgottenWithItsNames() {
        feed("n", 3, List.of("x"));
        ledger.resign("n").join();
        assertThat(feed("n", 3, null).known()).isFalse();
    }

    private Feed.Answer feed(String node, int free, @Nullable List<String> jobs) {
        return ledger.feed(TestSettings.feed(new Feed.Presence(node, 5000, 4, free, jobs)))
                .join();
    }

    private Listing.Answer list(
            JobState state,
            @Nullable String mark,
            @Nullable String prefix,
            Listing.@Nullable Position after,
            int limit) {
        return ledger.list(new Listing.Request(state, mark, prefix, after, limit))
                .join();
    }

    /** Page after page. */
    private List<String> ids(JobState state, @Nullable String mark, @Nullable String prefix, int limit) {
        List<String> ids = new ArrayList<>();
        Listing.Position next = null;
        do {
            Listing.Answer page = list(state, mark, prefix, next, limit);
            assertThat(page.jobs()).hasSizeLessThanOrEqualTo(limit);
            page.jobs().forEach(entry -> ids.add(entry.id()));
            next = page.next();
        } while (next != null);
        return ids;
    }
}
