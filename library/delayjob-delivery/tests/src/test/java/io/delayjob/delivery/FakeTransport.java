package io.delayjob.delivery;

import io.delayjob.ClaimedJob;
import io.delayjob.delivery.spi.DeliveryOutcome;
import io.delayjob.delivery.spi.Transport;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Targets {@code fake:…} that answer as a test says, by topic. */
final class FakeTransport implements Transport {

    private final Map<String, Function<ClaimedJob, CompletionStage<DeliveryOutcome>>> answers =
            new ConcurrentHashMap<>();
    final Queue<ClaimedJob> delivered = new ConcurrentLinkedQueue<>();
    final AtomicInteger underWay = new AtomicInteger();
    final AtomicInteger mostUnderWay = new AtomicInteger();
    volatile @Nullable String obstacle;

    /** Topics that the obstacle does not stand in the way of. */
    final Set<String> reachable = ConcurrentHashMap.newKeySet();

    /** Topics of which this transport cannot tell whether anybody is there. */
    final Set<String> unseen = ConcurrentHashMap.newKeySet();

    static CompletionStage<DeliveryOutcome> now(DeliveryOutcome outcome) {
        return CompletableFuture.completedFuture(outcome);
    }

    void answer(String topic, Function<ClaimedJob, CompletionStage<DeliveryOutcome>> answer) {
        answers.put(topic, answer);
    }

    long delivered(String topic) {
        return delivered.stream().filter(job -> job.topic().equals(topic)).count();
    }

    @Override
    public Set<String> schemes() {
        return Set.of("fake");
    }

    @Override
    public void check(Binding binding) {
        if (binding.target().endsWith("refused")) {
            throw new IllegalArgumentException("fake target refused: " + binding.target());
        }
    }

    @Override
    public Optional<String> obstacle(Binding binding) {
        return Optional.ofNullable(obstacle).filter(why -> !reachable.contains(binding.topic()));
    }

    @Override
    public boolean isAbsent(Binding binding) {
        return obstacle(binding).isPresent() && !unseen.contains(binding.topic());
    }

    @Override
    public CompletionStage<DeliveryOutcome> deliver(Binding binding, ClaimedJob job) {
        delivered.add(job);
        mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
        return answers.getOrDefault(job.topic(), any -> now(new DeliveryOutcome.Delivered(null)))
                .apply(job)
                .whenComplete((outcome, failure) -> underWay.decrementAndGet());
    }
}
