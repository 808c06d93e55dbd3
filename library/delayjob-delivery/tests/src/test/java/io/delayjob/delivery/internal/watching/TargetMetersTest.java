package io.delayjob.delivery.internal.watching;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.delivery.Binding;
import io.delayjob.delivery.spi.DeliveryOutcome;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TargetMetersTest {

    private static final Binding BINDING = Binding.of("mail", "http://localhost/mail");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final TargetMeters meters = new TargetMeters(
            () -> {
                throw new AssertionError("nobody reads a gauge");
            },
            () -> {
                throw new AssertionError("nobody reads a gauge");
            });

    @Test
    void aCallThatEndsAfterItsTopicWasUnboundLeavesNoMeter() {
        meters.bindTo(registry);
        meters.bound(Set.of("mail"));
        meters.ended(BINDING, new DeliveryOutcome.Delivered(null), 1);
        assertThat(registry.get("delayjob.target.call").timer().count()).isEqualTo(1);

        meters.bound(Set.of());
        meters.ended(BINDING, new DeliveryOutcome.Delivered(null), 1);

        assertThat(registry.getMeters()).isEmpty();
    }
}
