package io.delayjob.delivery.internal.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.ClaimedJob;
import io.delayjob.JobOptions;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.internal.services.FanOut.Takers;
import io.delayjob.delivery.spi.DeliveryOutcome;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.redisson.client.RedisTimeoutException;

/** Jobs for every instance of a service, while Redis does not answer. */
@Execution(ExecutionMode.CONCURRENT)
class FanOutTest {

    private static final Binding BINDING =
            Binding.of("t", "lb://billing/hook").withEveryInstance(true).withTimeout(Duration.ofMillis(100));
    private static final List<Instance> INSTANCES =
            List.of(new Instance("i", URI.create("http://10.0.0.7:8080"), Map.of()));
    private static final ClaimedJob JOB = new ClaimedJob(
            "t", "1", "t", "{}", Map.of(), 1, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH, JobOptions.NONE, "h");

    private static DeliveryOutcome delivered(CompletionStage<Set<String>> took, CompletionStage<Boolean> noted) {
        return new FanOut(new Redis(took, noted))
                .deliver(
                        BINDING,
                        JOB,
                        INSTANCES,
                        instance -> CompletableFuture.completedFuture(new DeliveryOutcome.Delivered(null)))
                .toCompletableFuture()
                .orTimeout(2, TimeUnit.MINUTES)
                .join();
    }

    private static <T> CompletionStage<T> failure() {
        return CompletableFuture.failedFuture(new RedisTimeoutException("Redis did not answer"));
    }

    @Test
    void areGivenBack() {
        assertThat(delivered(failure(), failure())).isInstanceOf(DeliveryOutcome.GivenBack.class);
    }

    @Test
    void spendTheAttemptOnceInstancesWereCalled() {
        assertThat(delivered(CompletableFuture.completedFuture(Set.of()), failure()))
                .isInstanceOf(DeliveryOutcome.Refused.class);
    }

    @Test
    void areGivenBackHoweverLongItTakes() {
        assertThat(delivered(new CompletableFuture<>(), failure())).isInstanceOf(DeliveryOutcome.GivenBack.class);
    }

    private record Redis(CompletionStage<Set<String>> took, CompletionStage<Boolean> noted) implements Takers {

        @Override
        public CompletionStage<Set<String>> of(ClaimedJob job) {
            return took;
        }

        @Override
        public CompletionStage<?> add(ClaimedJob job, String instance) {
            return noted;
        }

        @Override
        public CompletionStage<?> forget(ClaimedJob job) {
            return noted;
        }
    }
}
