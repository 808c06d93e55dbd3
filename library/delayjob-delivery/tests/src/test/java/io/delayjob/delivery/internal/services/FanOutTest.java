package io.delayjob.delivery.internal.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.ClaimedJob;
import io.delayjob.JobOptions;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.internal.services.FanOut.Takers;
import io.delayjob.delivery.spi.DeliveryOutcome;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.redisson.client.RedisTimeoutException;

/** Jobs for every instance of a service, while Redis does not answer. */
class FanOutTest {

    private static final Binding BINDING = Binding.of("t", "lb://billing/hook").withEveryInstance(true);
    private static final List<Instance> INSTANCES =
            List.of(new Instance("i", URI.create("http://10.0.0.7:8080"), Map.of()));
    private static final ClaimedJob JOB = new ClaimedJob(
            "t", "1", "t", "{}", Map.of(), 1, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH, JobOptions.NONE, "h");

    private static DeliveryOutcome delivered(boolean answersAtFirst) {
        return new FanOut(new SilentRedis(answersAtFirst))
                .deliver(
                        BINDING,
                        JOB,
                        INSTANCES,
                        instance -> CompletableFuture.completedFuture(new DeliveryOutcome.Delivered(null)))
                .toCompletableFuture()
                .join();
    }

    @Test
    void areNoFailureOfTheService() {
        assertThat(delivered(false)).isInstanceOf(DeliveryOutcome.Refused.class);
        assertThat(delivered(true)).isInstanceOf(DeliveryOutcome.Refused.class);
    }

    /** Says who took a job, or not even that. */
    private record SilentRedis(boolean answersAtFirst) implements Takers {

        private static <T> CompletionStage<T> silence() {
            return CompletableFuture.failedFuture(new RedisTimeoutException("Redis did not answer"));
        }

        @Override
        public CompletionStage<Set<String>> of(ClaimedJob job) {
            return answersAtFirst ? CompletableFuture.completedFuture(Set.of()) : silence();
        }

        @Override
        public CompletionStage<?> add(ClaimedJob job, String instance) {
            return silence();
        }

        @Override
        public CompletionStage<?> forget(ClaimedJob job) {
            return silence();
        }
    }
}
