package io.delayjob.delivery.internal.running;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.delivery.Binding;
import io.delayjob.delivery.spi.DeliveryOutcome;
import org.junit.jupiter.api.Test;

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
}
