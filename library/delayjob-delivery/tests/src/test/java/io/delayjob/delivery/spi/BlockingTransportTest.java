package io.delayjob.delivery.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.ClaimedJob;
import io.delayjob.JobOptions;
import io.delayjob.delivery.Binding;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class BlockingTransportTest {

    private final CountDownLatch interrupted = new CountDownLatch(1);

    @Test
    void interruptsACallThatTakesTooLong() throws Exception {
        try (BlockingTransport transport = new Silent()) {
            Binding binding = Binding.of("topic", "silent:target").withTimeout(Duration.ofSeconds(4));
            CompletionStage<DeliveryOutcome> outcome = transport.deliver(
                    binding,
                    new ClaimedJob(
                            "q",
                            "id",
                            "topic",
                            "1",
                            Map.of(),
                            1,
                            Instant.EPOCH,
                            Instant.EPOCH,
                            Instant.EPOCH,
                            JobOptions.NONE,
                            "handle"));
            assertThatThrownBy(() -> outcome.toCompletableFuture().get(2, TimeUnit.MINUTES))
                    .hasCauseInstanceOf(TimeoutException.class);
            assertThat(interrupted.await(2, TimeUnit.MINUTES)).isTrue();
        }
    }

    /** Waits for ever. */
    private final class Silent extends BlockingTransport {

        Silent() {
            super("silent");
        }

        @Override
        public Set<String> schemes() {
            return Set.of("silent");
        }

        @Override
        public void check(Binding binding) {}

        @Override
        protected DeliveryOutcome send(Binding binding, ClaimedJob job) throws InterruptedException {
            try {
                new CountDownLatch(1).await();
                throw new AssertionError("nobody counts down");
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
        }
    }
}
