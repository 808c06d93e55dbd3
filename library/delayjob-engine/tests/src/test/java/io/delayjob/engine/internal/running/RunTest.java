package io.delayjob.engine.internal.running;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.engine.LedgersByHand;
import io.delayjob.engine.internal.running.Run.Interruption;
import io.delayjob.engine.ledger.Lease;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RunTest {

    private final Run run = run("1:a");

    private static Run run(String token) {
        return new Run(LedgersByHand.handedOut(new Lease("a", token), 1), 30_000, System.nanoTime());
    }

    @AfterEach
    void clearTheFlag() {
        boolean unused = Thread.interrupted();
    }

    @Test
    void interruptsTheThreadOfTheAttemptAndLeavesItsNextWorkAlone() {
        assertThat(run.begin()).isTrue();
        run.interrupt(Interruption.TIMEOUT);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        run.end();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        run.interrupt(Interruption.SHUTDOWN);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(run.interruption()).isEqualTo(Interruption.TIMEOUT);
    }

    @Test
    void interruptsAgainTheAttemptThatSwallowedItsInterrupt() {
        run.begin();
        run.interrupt(Interruption.TIMEOUT);
        assertThat(Thread.interrupted()).isTrue();
        run.interrupt(Interruption.TIMEOUT);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void countsItsLeaseFromWhenItsCallWasSent() {
        long asked = System.nanoTime() - TimeUnit.SECONDS.toNanos(31);
        Run late = new Run(run.job(), 30_000, asked);
        assertThat(late.isOver()).isTrue();
        late.renewed(asked + TimeUnit.SECONDS.toNanos(20));
        assertThat(late.isOver()).isFalse();
        assertThat(late.needsRenewal()).isTrue();
    }

    @Test
    void tookAsLongAsItTookToSayHowItEndedAndNotToStoreThat() {
        run.begin();
        run.settle();
        long took = run.elapsedNanos();
        long later = System.nanoTime() + 1_000_000;
        while (System.nanoTime() < later) {
            Thread.onSpinWait();
        }
        assertThat(run.elapsedNanos()).isEqualTo(took);
    }

    @Test
    void doesNotBeginOnceInterrupted() {
        run.interrupt(Interruption.LEASE_LOST);
        assertThat(run.begin()).isFalse();
    }

    @Test
    void anOlderRunOfAJobThatIsClaimedAgainIsInterrupted() {
        RunningJobs running = new RunningJobs();
        Run later = run("2:b");
        running.add(run);
        running.add(later);
        assertThat(run.interruption()).isEqualTo(Interruption.LEASE_LOST);
        running.remove(run);
        assertThat(running.all()).containsExactly(later);
    }

    /** Its settlement may be stored although the answer was lost, and the job may have been submitted again since. */
    @Test
    void anOlderRunThatIsSettledIsLeftAlone() {
        RunningJobs running = new RunningJobs();
        running.add(run);
        run.begin();
        run.settle();
        running.add(run("2:b"));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void aTimeoutInterruptsAnAttemptThatGoesOnAfterItsAcknowledgment() {
        run.begin();
        run.settle();
        run.interrupt(Interruption.TIMEOUT);
        assertThat(Thread.interrupted()).isTrue();
    }
}
