package io.delayjob.engine.internal.consuming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class WakeSignalTest {

    private static final long FAR = Duration.ofMinutes(5).toNanos();

    private final WakeSignal signal = new WakeSignal();

    @Test
    void anAlarmThatIsBroughtForwardGoesOffThenAlsoForWhoWaitsAlready() throws Exception {
        CompletableFuture<Boolean> rung = waiting();
        long now = System.nanoTime();
        signal.alarmBy(now + 50_000_000);
        signal.alarmBy(now + FAR);
        assertThat(rung.get()).isFalse();
        assertThat(System.nanoTime() - now).isGreaterThanOrEqualTo(50_000_000);
    }

    @Test
    void anAlarmThatWasBroughtForwardBeforeAnybodyWaitedGoesOffOnce() throws Exception {
        signal.alarmBy(System.nanoTime());
        assertThat(waiting().get()).isFalse();
        CompletableFuture<Boolean> next = waiting();
        await().during(Duration.ofMillis(100)).until(() -> !next.isDone());
        signal.ring();
        assertThat(next.get()).isTrue();
    }

    private CompletableFuture<Boolean> waiting() {
        CompletableFuture<Boolean> rung = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                rung.complete(signal.await(System.nanoTime() + FAR));
            } catch (InterruptedException e) {
                rung.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return rung;
    }
}
