package io.delayjob.delivery.internal.running;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.delivery.Binding;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How many jobs a target can take. */
class GateTest {

    @Test
    void aTopicThatIsBoundAnewAgainAndAgainGetsNoMoreThanItsRate() {
        Binding binding = Binding.of("t", "target:t").withCalls(1000).withPerSecond(10);
        long begun = System.nanoTime();

        int taken = 0;
        for (int i = 0; i < 1000; i++) {
            taken += new Gate(binding, () -> 0).free();
        }

        long most = 10 * Duration.ofNanos(System.nanoTime() - begun).toMillis() / 1000 + 1;
        assertThat(taken).isLessThanOrEqualTo((int) most);
    }
}
