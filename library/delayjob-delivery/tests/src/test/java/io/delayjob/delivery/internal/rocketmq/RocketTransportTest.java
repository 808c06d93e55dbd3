package io.delayjob.delivery.internal.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.ClaimedJob;
import io.delayjob.JobOptions;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.spi.DeliveryOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.apache.rocketmq.spring.core.RocketMQTemplate;
import org.junit.jupiter.api.Test;

class RocketTransportTest {

    @Test
    void aJobWithAHeaderThatNoMessageCanHaveFailsByItself() {
        ClaimedJob job = new ClaimedJob(
                "q",
                "1",
                "t",
                "{}",
                Map.of("a", "\u0001"),
                1,
                Instant.EPOCH,
                Instant.EPOCH,
                Instant.EPOCH,
                JobOptions.NONE,
                "h");
        try (RocketTransport transport = new RocketTransport(new RocketMQTemplate())) {
            Binding binding = Binding.of("t", "rocketmq:orders").withTimeout(Duration.ofMinutes(2));
            assertThat(transport
                            .deliver(binding, job)
                            .handle((outcome, failure) -> outcome)
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(DeliveryOutcome.Undeliverable.class);
        }
    }
}
