package io.delayjob.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.engine.TestSettings;
import org.junit.jupiter.api.Test;

/** Ledger contract: leases after a time in which no node has fed. */
public abstract class GracePeriodContract extends PointerContract {

    /** A feed comes about every second; this is when it was too long ago. */
    private static final long SILENCE = 5000;

    private static final long GRACE_PERIOD = 10_000;

    private Feed.Pulse pulse = Feed.Pulse.NONE;

    private Feed.Pulse beat() {
        Feed.Request request = new Feed.Request(new Feed.Presence("n", 5000, 1, 1, null), TestSettings.TERMS, 0, pulse);
        pulse = ledger.feed(request).join().pulse();
        return pulse;
    }

    @Test
    void leasesThatRanOutInASilenceAreLeftToTheirOwnersWhileOtherJobsAreHandedOut() {
        beat();
        submit(leased("a", 0, 1000));
        Lease owned = claimOne();
        submit(job("b", 0));
        time(SILENCE + 1);
        Claimed unfed = claim(9);
        assertThat(unfed.jobs()).extracting(job -> job.lease().id()).containsExactly("b");
        assertThat(unfed.nextMillis()).isEqualTo(GRACE_PERIOD);
        time(SILENCE + 2);
        beat();
        time(SILENCE + 3);
        Claimed fed = claim(9);
        assertThat(fed.jobs()).isEmpty();
        assertThat(fed.nextMillis()).isEqualTo(GRACE_PERIOD - 1);
        assertThat(renew(owned, LEASE)).isTrue();
        time(SILENCE + 2 + GRACE_PERIOD);
        beat();
        assertThat(claim(9).jobs()).isEmpty();
        assertThat(complete(owned)).isTrue();
    }

    @Test
    void leasesThatAreNotRenewedInTheGracePeriodAreHandedOutBehindIt() {
        beat();
        submit(leased("a", 0, 1000));
        claimOne();
        time(60_000);
        beat();
        for (long passed = 3000; passed < GRACE_PERIOD; passed += 3000) {
            time(60_000 + passed);
            beat();
            assertThat(claim(9).jobs()).isEmpty();
        }
        time(60_000 + GRACE_PERIOD - 1);
        assertThat(claim(9).nextMillis()).isEqualTo(1);
        time(60_000 + GRACE_PERIOD);
        Claimed.Job again = claimJob();
        assertThat(again.attempt().number()).isEqualTo(2);
        assertThat(again.lost()).isEqualTo(1);
    }

    @Test
    void aNodeWithoutTheHandlerDoesNotPassOnWhatIsLeftToItsOwner() {
        feed("n", "x");
        feed("m", "j");
        submit(leased("a", 0, 1000));
        Lease owned = claimOne();
        time(SILENCE + 1);
        feed("m", "j");
        feed("n", "x");
        ClaimRequest mixed = new ClaimRequest("n", ClaimRequest.Limits.of(9), LEASE, "other", false, true, 0);
        assertThat(ledger.claim(call(), mixed).join().jobs()).isEmpty();
        assertThat(renew(owned, LEASE)).isTrue();
    }

    @Test
    void withoutASilenceALeaseThatRanOutIsHandedOutAtOnce() {
        beat();
        submit(leased("a", 0, 1000));
        claimOne();
        time(SILENCE);
        beat();
        assertThat(claim(9).jobs()).hasSize(1);
    }

    @Test
    void aFeedThatRegistersNobodyIsNoSignOfANode() {
        submit(leased("a", 0, 1000));
        claimOne();
        assertThat(feedOfNobody()).isEqualTo(new Feed.Pulse(0, START));
        time(60_000);
        assertThat(feedOfNobody()).isEqualTo(new Feed.Pulse(0, START + 60_000));
        assertThat(claim(9).jobs()).hasSize(1);
    }

    private Feed.Pulse feedOfNobody() {
        return ledger.feed(TestSettings.feed(new Feed.Presence("n", 0, 0, 0, null)))
                .join()
                .pulse();
    }

    @Test
    void aRespiteEndsWhereTheClockIsSetBack() {
        beat();
        time(60_000);
        beat();
        time(0);
        beat();
        submit(leased("a", 0, 1000));
        claimOne();
        time(1000);
        assertThat(claim(9).jobs()).hasSize(1);
    }

    @Test
    void dataIsKnownByTheSameMsForAsLongAsItLasts() {
        Feed.Pulse first = beat();
        assertThat(first).isEqualTo(new Feed.Pulse(START, START));
        time(1000);
        assertThat(beat()).isEqualTo(new Feed.Pulse(START, START + 1000));
        ledger.resign("n").join();
        time(1_000_000);
        assertThat(beat()).isEqualTo(new Feed.Pulse(START, START + 1_000_000));
        time(500);
        assertThat(beat()).isEqualTo(new Feed.Pulse(START, START + 500));
    }
}
