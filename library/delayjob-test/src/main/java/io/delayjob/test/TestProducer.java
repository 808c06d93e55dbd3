package io.delayjob.test;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.SubmitResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The application's producer, except that submits are answered when they return, and jobs run then in mode INLINE. */
final class TestProducer implements DelayJobProducer {

    private final DelayJobProducer producer;
    private final TestBench bench;

    TestProducer(DelayJobProducer producer, TestBench bench) {
        this.producer = producer;
        this.bench = bench;
    }

    @Override
    public <T> CompletableFuture<SubmitResult> submitAsync(DelayJobRequest<T> request, Duration delay) {
        return answeredOne(producer.submitAsync(request, delay));
    }

    @Override
    public <T> CompletableFuture<SubmitResult> submitAsync(DelayJobRequest<T> request, Instant dueAt) {
        return answeredOne(producer.submitAsync(request, dueAt));
    }

    @Override
    public CompletableFuture<List<SubmitResult>> submitAllAsync(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Duration> delay) {
        return answered(producer.submitAllAsync(requests, delay));
    }

    @Override
    public CompletableFuture<List<SubmitResult>> submitAllAtAsync(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Instant> dueAt) {
        return answered(producer.submitAllAtAsync(requests, dueAt));
    }

    private CompletableFuture<SubmitResult> answeredOne(CompletableFuture<SubmitResult> answer) {
        answered(answer.thenApply(List::of));
        return answer;
    }

    /** The ledger in memory answers at once, but callbacks run on another thread. */
    private CompletableFuture<List<SubmitResult>> answered(CompletableFuture<List<SubmitResult>> answers) {
        if (answers.handle((results, failure) -> failure == null).join()) {
            bench.submitted(answers.join());
        }
        return answers;
    }
}
