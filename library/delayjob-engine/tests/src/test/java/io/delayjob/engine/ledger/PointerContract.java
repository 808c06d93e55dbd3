package io.delayjob.engine.ledger;

import static io.delayjob.SubmitResult.Outcome.EXISTS;
import static io.delayjob.SubmitResult.Outcome.STORED;
import static io.delayjob.SubmitResult.Outcome.UNCONFIRMED;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.Dedupe;
import io.delayjob.JobState;
import io.delayjob.SubmitResult.Outcome;
import io.delayjob.engine.ledger.Pointers.Page;
import io.delayjob.engine.ledger.Pointers.Wanted;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Ledger contract: ids that point to the shards of their keys. */
public abstract class PointerContract extends KeyContract {

    private static final int OTHER = 7;

    private Optional<Pointer> point(String id, int to, String token, @Nullable Pointer replaced) {
        return ledger.pointers()
                .point(List.of(new Wanted(id, to, token, replaced)))
                .join()
                .get(0);
    }

    private Pointer point(String id, String token) {
        return point(id, OTHER, token, null).orElseThrow();
    }

    private boolean revoke(Pointer pointer) {
        return ledger.pointers().revoke(List.of(pointer)).join().get(0);
    }

    private Outcome submitted(NewJob job) {
        return submit(job).get(0).outcome();
    }

    private List<Pointer> old() {
        Page page = ledger.pointers().sweep(Page.FIRST, List.of()).join();
        assertThat(page.cursor()).isEqualTo(Page.FIRST);
        return page.old();
    }

    @Test
    void anIdThatPointsElsewhereIsNotStoredHere() {
        assertThat(point("a", "t1")).isEqualTo(new Pointer("a", OTHER, "t1", START));
        assertThat(submit(job("a", 0), job("b", 0))).containsExactly(result("a", UNCONFIRMED), result("b", STORED));
        assertThat(submitted(job("a", 0, Dedupe.untilStarted("k")))).isEqualTo(UNCONFIRMED);
        assertThat(ledger.find("a").join()).isEmpty();
        assertThat(ledger.missing(List.of("a", "b")).join().ids()).containsExactly("a");
    }

    @Test
    void anIdThatIsInUseHerePointsNowhere() {
        submit(job("a", 0), keyed("b", 0, "k"));
        claim(9);
        assertThat(point("a", OTHER, "t1", null)).isEmpty();
        assertThat(point("b", OTHER, "t1", null)).isEmpty();
        assertThat(submitted(job("a", 0))).isEqualTo(EXISTS);
    }

    @Test
    void aPointerIsFoundByItsId() {
        Pointer pointer = point("a", "t1");
        assertThat(ledger.pointers().find("a").join()).contains(pointer);
        assertThat(ledger.pointers().find("b").join()).isEmpty();
        ledger.pointers().sweep(Page.FIRST, List.of(pointer)).join();
        assertThat(ledger.pointers().find("a").join()).isEmpty();
    }

    @Test
    void aPointerStaysUntilItIsReplacedAsItIs() {
        Pointer first = point("a", "t1");
        time(5);
        assertThat(point("a", 3, "t2", null)).contains(first);
        Pointer told = point("a", OTHER, "t2", null).orElseThrow();
        assertThat(told).isEqualTo(new Pointer("a", OTHER, "t1", START + 5));
        assertThat(point("a", 3, "t2", first))
                .as("a submit was told of it since")
                .contains(told);
        assertThat(point("a", 3, "t2", told)).contains(new Pointer("a", 3, "t2", START + 5));
        time(6);
        assertThat(point("a", 3, "t2", told)).as("a repeat").contains(new Pointer("a", 3, "t2", START + 6));
    }

    @Test
    void aPointerBackToItsOwnShardIsNone() {
        Pointer first = point("a", "t1");
        int here = shard().number();
        assertThat(point("a", here, "t2", null)).contains(first);
        assertThat(point("a", here, "t2", first).map(Pointer::shard)).contains(here);
        assertThat(submitted(job("a", 0))).isEqualTo(STORED);
        assertThat(point("a", here, "t3", null)).isEmpty();
    }

    @Test
    void aSubmitShowsItsPointerForFiveMinutes() {
        Pointer pointer = new Pointer("a", shard().number(), "t1", START);
        time(Pointer.SHOWN_MILLIS);
        assertThat(submitted(job("a", 0).with(pointer))).isEqualTo(STORED);
        assertThat(submitted(job("a", 0).with(pointer))).isEqualTo(EXISTS);
        time(Pointer.SHOWN_MILLIS + 1);
        NewJob late =
                new NewJob("b", new NewJob.Due(0, true), new JobContent(BODY, 5_000L, 7, Dedupe.untilFinished("k|1")));
        assertThat(submitted(late.with(pointer))).isEqualTo(UNCONFIRMED);
        assertThat(ledger.find("b").join()).isEmpty();
        assertThat(submitted(late.with(new Pointer("b", shard().number(), "t2", START + 1))))
                .isEqualTo(STORED);
        assertThat(ledger.find("b").join().orElseThrow().state()).isEqualTo(JobState.READY);
    }

    @Test
    void aRevokedPointerStoresNoJob() {
        Pointer pointer = new Pointer("a", shard().number(), "t1", START);
        assertThat(revoke(pointer)).isTrue();
        assertThat(revoke(pointer)).as("a repeat").isTrue();
        assertThat(submitted(keyed("a", 0, "k").with(pointer))).isEqualTo(UNCONFIRMED);
        assertThat(submitted(keyed("a", 0, "k").with(new Pointer("a", shard().number(), "t2", START))))
                .isEqualTo(STORED);
    }

    @Test
    void aPointerToAJobIsNotRevoked() {
        Pointer pointer = new Pointer("a", shard().number(), "t1", START);
        submit(keyed("a", 0, "k").with(pointer));
        assertThat(revoke(pointer)).isFalse();
        Lease lease = claimOne();
        assertThat(revoke(pointer)).as("while it runs").isFalse();
        bury(lease);
        assertThat(revoke(pointer)).as("once it is dead").isFalse();
        ledger.purge(call(), List.of("a")).join();
        assertThat(revoke(pointer)).as("once it is purged").isTrue();
    }

    @Test
    void onlyOldPointersAreSwept() {
        Pointer first = point("a", "t1");
        point("b", "t2");
        time(Pointer.OVER_MILLIS);
        assertThat(old()).isEmpty();
        time(Pointer.OVER_MILLIS + 1);
        assertThat(old()).extracting(Pointer::id).containsExactlyInAnyOrder("a", "b");
        Pointer told = point("b", "t3");
        assertThat(told.token()).isEqualTo("t2");
        assertThat(old()).as("a submit was told of b").containsExactly(first);
        assertThat(ledger.pointers()
                        .sweep(Page.FIRST, List.of(first, new Pointer("b", OTHER, "t2", START)))
                        .join()
                        .old())
                .isEmpty();
        assertThat(submitted(job("a", 0))).isEqualTo(STORED);
        assertThat(submitted(job("b", 0)))
                .as("it has changed since it was read")
                .isEqualTo(UNCONFIRMED);
    }

    @Test
    void aFinishedJobIsNotFoundInPlaceOfTheOneThatItsIdPointsTo() {
        Ledger retaining = open(new Retention(Duration.ofHours(1), 10));
        retaining.submit(call(), List.of(job("a", 0))).join();
        Lease lease = claimOne();
        retaining
                .settle(call(), List.of(new Settlement.Complete(lease, null, 0)))
                .join();
        assertThat(retaining.find("a").join().orElseThrow().state()).isEqualTo(JobState.COMPLETED);
        point("a", "t1");
        assertThat(retaining.find("a").join()).isEmpty();
    }
}
