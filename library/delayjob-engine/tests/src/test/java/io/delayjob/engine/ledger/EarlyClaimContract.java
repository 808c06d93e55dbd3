package io.delayjob.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.JobState;
import io.delayjob.engine.TestSettings;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Ledger contract: jobs that are handed out before they are due. */
public abstract class EarlyClaimContract extends MixedFleetContract {

    private static final int AHEAD = 10;

    private Claimed claimAhead(boolean mixed) {
        Call call = call();
        String random = "r" + call.number();
        return ledger.claim(call, new ClaimRequest("n", ClaimRequest.Limits.of(9), LEASE, random, false, mixed, AHEAD))
                .join();
    }

    @Test
    void whatIsDueSoonIsHandedOutWithTheTimeToWait() {
        submit(job("due", 0), job("soon", AHEAD), job("later", AHEAD + 1));
        Claimed claimed = claimAhead(false);
        assertThat(claimed.jobs()).extracting(job -> job.lease().id()).containsExactly("due", "soon");
        assertThat(claimed.jobs()).extracting(Claimed.Job::waitMicros).containsExactly(0L, AHEAD * 1000L);
        assertThat(claimed.jobs()).extracting(Claimed.Job::dueMillis).containsExactly(START, START + AHEAD);
    }

    @Test
    void theNextClaimIsWorthItHalfOfTheTimeAheadOfTheNextJob() {
        submit(job("later", 100));
        assertThat(claimAhead(false).nextMillis()).isEqualTo(100 - AHEAD / 2);
        time(100 - AHEAD / 2);
        assertThat(claimAhead(false).jobs()).hasSize(1);
    }

    @Test
    void whatIsHandedOutEarlyIsSaidToBeginWhenItIsDue() {
        submit(job("a", AHEAD));
        retry(claimAhead(false).jobs().get(0).lease(), AHEAD - 1);
        submit(job("b", AHEAD));
        assertThat(claimAhead(false).jobs())
                .extracting(Claimed.Job::beginsMillis)
                .containsExactly(START + AHEAD - 1, START + AHEAD);
        assertThat(found("a").attempt().claimedMillis()).isEqualTo(START + AHEAD - 1);
        assertThat(found("b").attempt().claimedMillis()).isEqualTo(START + AHEAD);
        assertThat(found("b").atMillis()).as("end of its lease").isEqualTo(START + AHEAD + LEASE);
    }

    @Test
    void noLeaseEndsEarly() {
        submit(leased("a", 0, 1000));
        Lease owned = claimOne();
        time(1000 - AHEAD / 2);
        Claimed claimed = claimAhead(false);
        assertThat(claimed.jobs()).isEmpty();
        assertThat(claimed.nextMillis()).isEqualTo(AHEAD / 2);
        assertThat(complete(owned)).isTrue();
    }

    @Test
    void whatIsGivenBackBeforeItIsDueWaitsForItsTime() {
        submit(job("a", AHEAD));
        assertThat(release(claimAhead(false).jobs().get(0).lease(), null)).isTrue();
        StoredJob found = found("a");
        assertThat(found.state()).isEqualTo(JobState.DELAYED);
        assertThat(found.atMillis()).isEqualTo(START + AHEAD);
        assertThat(found.attempt().number()).isZero();
    }

    @Test
    void whatAnotherNodeHasTheHandlerForIsLeftToItEarly() {
        feed("n", "x");
        feed("m", "j");
        submit(job("a", AHEAD));
        Claimed claimed = claimAhead(true);
        assertThat(claimed.jobs()).isEmpty();
        assertThat(Objects.requireNonNull(found("a").attempt().dueMillis())).isEqualTo(START + AHEAD);
    }

    protected final void feed(String node, String job) {
        ledger.feed(TestSettings.feed(new Feed.Presence(node, 5000, 1, 1, List.of(job))))
                .join();
    }
}
