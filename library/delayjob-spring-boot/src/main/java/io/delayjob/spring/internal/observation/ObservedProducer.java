package io.delayjob.spring.internal.observation;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.SubmitResult;
import io.delayjob.spring.observation.DefaultJobSubmitConvention;
import io.delayjob.spring.observation.DelayJobObservation;
import io.delayjob.spring.observation.JobSubmitContext;
import io.delayjob.spring.observation.JobSubmitConvention;
import io.delayjob.support.Checks;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Observes each call of a producer until it is answered. The jobs of a call take the context of its trace along, in their headers. */
public final class ObservedProducer implements DelayJobProducer {

    private static final JobSubmitConvention DEFAULT = new DefaultJobSubmitConvention();

    private final DelayJobProducer producer;
    private final Function<DelayJobRequest<?>, String> queue;
    private final ObservationRegistry registry;
    private final @Nullable JobSubmitConvention convention;

    /**
     * In front of a producer.
     *
     * @param queue by which name the queue of a request goes
     * @param convention null for the default one
     */
    public ObservedProducer(
            DelayJobProducer producer,
            Function<DelayJobRequest<?>, String> queue,
            ObservationRegistry registry,
            @Nullable JobSubmitConvention convention) {
        this.producer = producer;
        this.queue = queue;
        this.registry = registry;
        this.convention = convention;
    }

    @Override
    public <T> CompletableFuture<SubmitResult> submitAsync(DelayJobRequest<T> request, Duration delay) {
        JobSubmitContext context = of(request);
        return observe(
                context, () -> producer.submitAsync(TraceHeaders.on(request, context.getCarrier()), delay), List::of);
    }

    @Override
    public <T> CompletableFuture<SubmitResult> submitAsync(DelayJobRequest<T> request, Instant dueAt) {
        JobSubmitContext context = of(request);
        return observe(
                context, () -> producer.submitAsync(TraceHeaders.on(request, context.getCarrier()), dueAt), List::of);
    }

    @Override
    public <T> SubmitResult submit(DelayJobRequest<T> request, Duration delay) {
        JobSubmitContext context = of(request);
        return observeNow(context, () -> producer.submit(TraceHeaders.on(request, context.getCarrier()), delay));
    }

    @Override
    public <T> SubmitResult submit(DelayJobRequest<T> request, Instant dueAt) {
        JobSubmitContext context = of(request);
        return observeNow(context, () -> producer.submit(TraceHeaders.on(request, context.getCarrier()), dueAt));
    }

    @Override
    public CompletableFuture<List<SubmitResult>> submitAllAsync(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Duration> delay) {
        Checks.notNull(delay, "delay");
        JobSubmitContext context = of(requests);
        return observe(
                context,
                () -> submitAll(context, delay, (traced, of) -> producer.submitAllAsync(traced, of)),
                Function.identity());
    }

    @Override
    public CompletableFuture<List<SubmitResult>> submitAllAtAsync(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Instant> dueAt) {
        Checks.notNull(dueAt, "dueAt");
        JobSubmitContext context = of(requests);
        return observe(
                context,
                () -> submitAll(context, dueAt, (traced, of) -> producer.submitAllAtAsync(traced, of)),
                Function.identity());
    }

    /** Submits jobs, each with what is asked about it: its delay or its due time. */
    @FunctionalInterface
    private interface SubmitAll<W> {

        CompletableFuture<List<SubmitResult>> submit(
                List<DelayJobRequest<?>> requests, Function<DelayJobRequest<?>, W> when);
    }

    /** The caller's function is asked about the caller's requests. */
    private static <W> CompletableFuture<List<SubmitResult>> submitAll(
            JobSubmitContext context, Function<? super DelayJobRequest<?>, W> when, SubmitAll<W> submit) {
        IdentityHashMap<DelayJobRequest<?>, DelayJobRequest<?>> originals = new IdentityHashMap<>();
        List<DelayJobRequest<?>> traced = new ArrayList<>(context.requests().size());
        for (DelayJobRequest<?> request : context.requests()) {
            DelayJobRequest<?> one = TraceHeaders.on(request, context.getCarrier());
            originals.put(one, request);
            traced.add(one);
        }
        return submit.submit(traced, one -> when.apply(originals.getOrDefault(one, one)));
    }

    private JobSubmitContext of(DelayJobRequest<?> request) {
        return new JobSubmitContext(queue.apply(Checks.notNull(request, "request")), List.of(request));
    }

    private JobSubmitContext of(Collection<? extends DelayJobRequest<?>> requests) {
        List<String> queues = Checks.notNull(requests, "requests").stream()
                .map(request -> queue.apply(Checks.notNull(request, "request")))
                .distinct()
                .toList();
        return new JobSubmitContext(queues.size() == 1 ? queues.get(0) : "(several)", requests);
    }

    @SuppressWarnings("try")
    private <A> CompletableFuture<A> observe(
            JobSubmitContext context, Supplier<CompletableFuture<A>> submit, Function<A, List<SubmitResult>> results) {
        Observation observation = DelayJobObservation.SUBMIT.start(convention, DEFAULT, () -> context, registry);
        try (Observation.Scope scope = observation.openScope()) {
            return submit.get().whenComplete((answer, failure) -> {
                if (failure == null) {
                    context.answered(results.apply(answer));
                }
                stop(observation, failure);
            });
        } catch (RuntimeException e) {
            stop(observation, e);
            throw e;
        }
    }

    private SubmitResult observeNow(JobSubmitContext context, Supplier<SubmitResult> submit) {
        return DelayJobObservation.SUBMIT
                .observation(convention, DEFAULT, () -> context, registry)
                .observe(() -> {
                    SubmitResult result = submit.get();
                    context.answered(List.of(result));
                    return result;
                });
    }

    private static void stop(Observation observation, @Nullable Throwable failure) {
        if (failure != null) {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
            observation.error(cause == null ? failure : cause);
        }
        observation.stop();
    }
}
