package io.delayjob.delivery.internal.services;

import io.delayjob.ClaimedJob;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.internal.binding.Transports;
import io.delayjob.delivery.spi.DeliveryOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.redisson.client.RedisException;

/**
 * Chooses the instances that a job goes to. One of them: which one follows from the job and its attempt, so that jobs are spread evenly, and a
 * retry on any node goes to another instance. Or every one: those that took the job are noted in Redis, and a retry leaves them out.
 */
public final class FanOut {

    /** How much longer than the calls may take Redis has to note who took a job; less than a transport may take in all. */
    private static final Duration NOTING = Duration.ofSeconds(4);

    private final Takers takers;

    public FanOut(Takers takers) {
        this.takers = takers;
    }

    /**
     * Delivers a job.
     *
     * @param instances the current instances of the service
     * @param call calls one of them
     */
    public CompletionStage<DeliveryOutcome> deliver(
            Binding binding,
            ClaimedJob job,
            List<Instance> instances,
            Function<Instance, CompletionStage<DeliveryOutcome>> call) {
        if (instances.isEmpty()) {
            return CompletableFuture.completedFuture(
                    new DeliveryOutcome.Failed("there is no instance at " + Transports.place(binding)));
        }
        return binding.everyInstance() ? every(binding, job, instances, call) : call.apply(chosen(job, instances));
    }

    static Instance chosen(ClaimedJob job, List<Instance> instances) {
        List<Instance> sorted =
                instances.stream().sorted(Comparator.comparing(Instance::id)).toList();
        return sorted.get(Math.floorMod(spread(job.id()) + job.attempt(), sorted.size()));
    }

    /** Ids of jobs often differ in their last digits only. */
    private static int spread(String id) {
        int hash = id.hashCode() * 0x9E3779B9;
        return hash ^ (hash >>> 16);
    }

    private CompletionStage<DeliveryOutcome> every(
            Binding binding,
            ClaimedJob job,
            List<Instance> instances,
            Function<Instance, CompletionStage<DeliveryOutcome>> call) {
        AtomicBoolean called = new AtomicBoolean();
        CompletionStage<DeliveryOutcome> outcome = takers.of(job).thenCompose(took -> {
            called.set(true);
            List<CompletableFuture<Part>> parts = instances.stream()
                    .filter(instance -> !took.contains(instance.id()))
                    .map(instance -> part(job, instance, call.apply(instance)))
                    .toList();
            return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                    .thenCompose(done -> together(
                            job, parts.stream().map(CompletableFuture::join).toList()));
        });
        return outcome.toCompletableFuture()
                .copy()
                .orTimeout(binding.timeout().plus(NOTING).toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(failure -> unlessOfRedis(failure, called.get()));
    }

    /**
     * A failure of Redis says nothing of the service: the job is given back. Once instances were called, the attempt is spent, so that they are not called
     * without end. Calls end in their time.
     */
    private static DeliveryOutcome unlessOfRedis(Throwable failure, boolean called) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof RedisException || cause instanceof TimeoutException) {
            return called
                    ? new DeliveryOutcome.Refused("Redis did not note in time which instances took the job: " + cause)
                    : new DeliveryOutcome.GivenBack("Redis did not say in time which instances took the job: " + cause);
        }
        throw new CompletionException(cause);
    }

    private record Part(Instance instance, DeliveryOutcome outcome) {}

    private CompletableFuture<Part> part(ClaimedJob job, Instance instance, CompletionStage<DeliveryOutcome> answer) {
        return answer.thenCompose(outcome -> outcome instanceof DeliveryOutcome.Delivered
                        ? takers.add(job, instance.id()).thenApply(noted -> new Part(instance, outcome))
                        : CompletableFuture.completedFuture(new Part(instance, outcome)))
                .toCompletableFuture();
    }

    /** The job is delivered if every part is; else what the first part that is not says. No instance speaks for the service, so none unbinds it. */
    private CompletionStage<DeliveryOutcome> together(ClaimedJob job, List<Part> parts) {
        List<Part> open = new ArrayList<>(parts);
        open.removeIf(part -> part.outcome() instanceof DeliveryOutcome.Delivered);
        if (open.isEmpty()) {
            return takers.forget(job)
                    .thenApply(forgotten -> new DeliveryOutcome.Delivered("{\"instances\":" + parts.size() + "}"));
        }
        Part first = open.get(0);
        DeliveryOutcome outcome = first.outcome() instanceof DeliveryOutcome.Gone gone
                ? new DeliveryOutcome.Refused(gone.reason())
                : first.outcome();
        return CompletableFuture.completedFuture(outcome);
    }

    /** Which instances took a job. */
    public interface Takers {

        /** Their ids. */
        CompletionStage<Set<String>> of(ClaimedJob job);

        /** Notes one more. */
        CompletionStage<?> add(ClaimedJob job, String instance);

        /** The job is over. */
        CompletionStage<?> forget(ClaimedJob job);
    }
}
