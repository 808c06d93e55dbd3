package io.delayjob.delivery.internal.running;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.delivery.Binding;
import io.delayjob.delivery.spi.DeliveryOutcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** How many jobs a target can take. */
@Execution(ExecutionMode.CONCURRENT)
class GateTest {

    private final Gate gate = new Gate(Binding.of("t", "target:t"), () -> 0);

    private void call(DeliveryOutcome outcome) {
        assertThat(gate.begin()).isTrue();
        gate.end(outcome, 1);
    }

    @Test
    void aCallThatIsNotMadeSaysNothingOfATargetThatFails() {
        for (int i = 0; i < 5; i++) {
            call(new DeliveryOutcome.Failed("no connection"));
        }
        await().until(() -> gate.free() == 1);

        assertThat(gate.begin()).isTrue();
        gate.giveBack();

        assertThat(gate.held()).contains("no connection");
        assertThat(gate.free()).isEqualTo(1);
        call(new DeliveryOutcome.Delivered(null));
        assertThat(gate.held()).isNull();
    }

    @Test
    void aJobThatNoAttemptCanDeliverSaysNothingOfATargetThatFails() {
        for (int i = 0; i < 5; i++) {
            call(new DeliveryOutcome.Failed("no connection"));
        }
        await().until(() -> gate.free() == 1);

        call(new DeliveryOutcome.Undeliverable("its id is too long"));

        assertThat(gate.held()).contains("no connection");
        assertThat(gate.free()).isEqualTo(1);
    }

    @Test
    void aJobThatIsGivenBackSaysNothingOfATargetThatFails() {
        for (int i = 0; i < 5; i++) {
            call(new DeliveryOutcome.Failed("no connection"));
        }
        await().until(() -> gate.free() == 1);

        call(new DeliveryOutcome.GivenBack("Redis did not answer"));

        assertThat(gate.held()).contains("no connection");
        assertThat(gate.free()).isEqualTo(1);
    }

    @Test
    void slowCallsThatSucceedAreNoFailures() {
        for (int i = 0; i < 20; i++) {
            assertThat(gate.begin()).isTrue();
            assertThat(gate.end(
                            new DeliveryOutcome.Delivered(null),
                            Duration.ofMinutes(9).toNanos()))
                    .isFalse();
        }
        assertThat(gate.held()).isNull();
    }

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
