package io.delayjob.engine.internal.consuming;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Feed;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The periods of a node among others. */
class FleetTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Fleet fleet = new Fleet();

    @Test
    void periodsGrowWithTheFleetUpToAFewSeconds() {
        assertThat(fleet.watch(SECOND)).isEqualTo(SECOND);
        fleet.fed(fed(3, false));
        assertThat(fleet.watch(SECOND)).isEqualTo(SECOND.multipliedBy(3));
        assertThat(fleet.turn(SECOND)).isEqualTo(SECOND.multipliedBy(3));
        fleet.fed(fed(20, false));
        assertThat(fleet.watch(SECOND)).isEqualTo(SECOND.multipliedBy(5));
        assertThat(fleet.turn(SECOND)).isEqualTo(SECOND.multipliedBy(20));
    }

    @Test
    void everyClaimSaysHowLargeTheFleetIs() {
        fleet.fed(fed(20, false));
        fleet.claimed(claimed(2, true));
        assertThat(fleet.watch(SECOND)).isEqualTo(SECOND.multipliedBy(2));
        fleet.claimed(claimed(0, true));
        assertThat(fleet.watch(SECOND)).isEqualTo(SECOND);
    }

    @Test
    void theHolderWatchesAsIfItWasAlone() {
        fleet.fed(fed(20, true));
        assertThat(fleet.isHolder()).isTrue();
        assertThat(fleet.watch(SECOND)).isEqualTo(SECOND);
        assertThat(fleet.turn(SECOND)).isEqualTo(SECOND.multipliedBy(20));
        fleet.leave();
        assertThat(fleet.watch(SECOND)).isEqualTo(SECOND.multipliedBy(5));
    }

    @Test
    void aClaimThatFindsNoHolderTellsTheFeederOnce() {
        fleet.fed(fed(20, false));
        fleet.claimed(claimed(20, true));
        assertThat(fleet.takeFreeSeat()).isFalse();
        fleet.claimed(claimed(20, false));
        assertThat(fleet.takeFreeSeat()).isTrue();
        assertThat(fleet.takeFreeSeat()).isFalse();
    }

    private static Feed.Answer fed(int nodes, boolean holder) {
        return new Feed.Answer(nodes, holder, 0, true, false, Feed.Pulse.NONE, null);
    }

    private static Claimed claimed(int nodes, boolean held) {
        return new Claimed(List.of(), Claimed.Mode.QUIET, null, nodes, held);
    }
}
