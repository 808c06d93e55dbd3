package io.delayjob.engine.internal.running;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.engine.ledger.Ledger;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SlotsTest {

    private static final Duration SOON = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofMinutes(2);

    private final Slots slots = new Slots(3);

    @Test
    void takesWhatIsFreeAndNoMoreThanAsked() throws Exception {
        assertThat(slots.take(2)).isEqualTo(2);
        assertThat(slots.take(2)).isEqualTo(1);
        assertThat(slots.take(2)).isZero();
        assertThat(slots.awaitFree(SOON)).isFalse();
        slots.giveBack(1);
        assertThat(slots.awaitFree(SOON)).isTrue();
        assertThat(slots.take(2)).isEqualTo(1);
    }

    @Test
    void canOweAfterARepeatedClaimHandedOutMore() {
        assertThat(slots.take(1)).isEqualTo(1);
        slots.giveBack(-3);
        assertThat(slots.take(5)).isZero();
        slots.giveBack(4);
        assertThat(slots.take(5)).isEqualTo(3);
    }

    @Test
    void wakesWhoWaitsForAFreeOne() {
        assertThat(slots.take(3)).isEqualTo(3);
        CompletableFuture<Boolean> waiter = CompletableFuture.supplyAsync(() -> {
            try {
                return slots.awaitFree(LONG);
            } catch (InterruptedException e) {
                return false;
            }
        });
        slots.giveBack(1);
        assertThat(waiter.join()).isTrue();
    }

    @Test
    void wakesEveryoneWhoWaitsWhenShortJobsMakeRoomForJobsAhead() throws Exception {
        assertThat(slots.take(3)).isEqualTo(3);
        for (int worker = 0; worker < slots.total(); worker++) {
            assertThat(slots.begin()).isTrue();
        }
        List<FutureTask<Boolean>> waiters = List.of(waiter(), waiter());
        slots.ended(1000);
        for (FutureTask<Boolean> waiter : waiters) {
            assertThat(waiter.get(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Waits for longer than the test does. */
    private FutureTask<Boolean> waiter() {
        FutureTask<Boolean> waiting = new FutureTask<>(() -> slots.awaitFree(LONG.multipliedBy(10)));
        Thread thread = new Thread(waiting);
        thread.setDaemon(true);
        thread.start();
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        return waiting;
    }

    @Test
    void givesNoneOnceClosedAndKnowsWhenAllAreBack() throws Exception {
        assertThat(slots.take(2)).isEqualTo(2);
        slots.close();
        assertThat(slots.take(1)).isZero();
        assertThat(slots.awaitAll(SOON)).isFalse();
        slots.giveBack(2);
        assertThat(slots.awaitAll(SOON)).isTrue();
    }

    @Test
    void takesJobsAheadOfTheWorkersWhileTheyAreShortAndClaimsForNoFewerThanHalfOfThem() {
        endShortJobs();
        int all = slots.take(1000);
        assertThat(all).isGreaterThan(slots.total());
        int ahead = all - slots.total();
        slots.giveBack(ahead / 2);
        assertThat(slots.take(1000)).isZero();
        assertThat(slots.free()).isZero();
        slots.giveBack(1);
        assertThat(slots.take(1000)).isEqualTo(ahead / 2 + 1);
    }

    @Test
    void takesSomeClaimsAheadWhileTheyAreVeryShortAndNextWhenHalfAClaimIsFree() {
        end(500, Duration.ofNanos(1000));
        assertThat(slots.take(Integer.MAX_VALUE)).isEqualTo(slots.total() + 8 * Ledger.MAX_BATCH);
        slots.giveBack(Ledger.MAX_BATCH / 2);
        assertThat(slots.take(Ledger.MAX_BATCH)).isZero();
        slots.giveBack(1);
        assertThat(slots.take(Ledger.MAX_BATCH)).isEqualTo(Ledger.MAX_BATCH / 2 + 1);
    }

    @Test
    void takesForTheWorkersAloneWhileJobsAreLong() {
        endShortJobs();
        end(200, Duration.ofMillis(50));
        assertThat(slots.take(1000)).isEqualTo(3);
        slots.giveBack(1);
        assertThat(slots.take(1000)).isEqualTo(1);
    }

    @Test
    void takesForTheWorkersAloneAfterJobsAheadWaitedInVain() {
        endShortJobs();
        int all = slots.take(1000);
        for (int job = slots.total(); job < all; job++) {
            slots.takeNoneAhead();
            slots.giveBack(1);
        }
        assertThat(slots.take(1000)).isZero();
        slots.giveBack(1);
        assertThat(slots.take(1000)).isEqualTo(1);
    }

    @Test
    void letsNoMoreJobsBeginThanThereAreWorkersHoweverManyWait() {
        endShortJobs();
        assertThat(slots.take(1000)).isGreaterThan(slots.total());
        for (int worker = 0; worker < slots.total(); worker++) {
            assertThat(slots.begin()).isTrue();
        }
        assertThat(slots.begin()).isFalse();
        slots.end();
        assertThat(slots.begin()).isTrue();
    }

    @Test
    void takesAFreeWorkerHoweverFewJobsAheadHaveGone() {
        endShortJobs();
        int all = slots.take(1000);
        slots.giveBack(all - slots.total() + 1);
        assertThat(slots.free()).isEqualTo(1);
        assertThat(slots.take(1000)).isEqualTo(all - slots.total() + 1);
    }

    private void endShortJobs() {
        end(200, Duration.ofNanos(200_000));
    }

    private void end(int count, Duration each) {
        for (int job = 0; job < count; job++) {
            slots.giveBack(-1);
            assertThat(slots.begin()).isTrue();
            slots.ended(each.toNanos());
        }
    }
}
