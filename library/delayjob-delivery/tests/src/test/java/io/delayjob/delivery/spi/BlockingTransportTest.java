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
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class BlockingTransportTest {

    private final CountDownLatch interrupted = new CountDownLatch(1);
    private CountDownLatch gaveUp = new CountDownLatch(0);

    @Test
    void interruptsACallThatTakesTooLong() throws Exception {
        try (BlockingTransport transport = new Silent()) {
            CompletionStage<DeliveryOutcome> outcome = deliver(transport);

            assertTimedOut(outcome);
            assertThat(interrupted.await(2, TimeUnit.MINUTES)).isTrue();
        }
    }

    @Test
    void aCallIsUnderWayUntilItsClientGivesUp() throws Exception {
        gaveUp = new CountDownLatch(1);
        try (BlockingTransport transport = new Silent()) {
            CompletionStage<DeliveryOutcome> outcome = deliver(transport);

            assertThat(interrupted.await(2, TimeUnit.MINUTES)).isTrue();
            assertThat(outcome.toCompletableFuture()).isNotDone();
            gaveUp.countDown();
            assertTimedOut(outcome);
        }
    }

    private static CompletionStage<DeliveryOutcome> deliver(BlockingTransport transport) {
        Binding binding = Binding.of("topic", "silent:target").withTimeout(Duration.ofSeconds(4));
        return transport.deliver(
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
    }

    private static void assertTimedOut(CompletionStage<DeliveryOutcome> outcome) {
        assertThatThrownBy(() -> outcome.toCompletableFuture().get(2, TimeUnit.MINUTES))
                .hasCauseInstanceOf(TimeoutException.class);
    }

    /** Waits for ever, or until it gives up after it was interrupted. */
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
                gaveUp.await();
                throw e;
            }
        }
    }
}
