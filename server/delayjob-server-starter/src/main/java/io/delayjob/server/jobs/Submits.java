package io.delayjob.server.jobs;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobSubmissionException;
import io.delayjob.SubmitResult;
import io.delayjob.server.internal.web.CallersTrace;
import io.delayjob.server.internal.web.Failures;
import io.delayjob.server.internal.web.Items;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.util.RawValue;

/** Submits the jobs of a request together, those with a delay and those with a due time. */
final class Submits {

    private final DelayJobProducer producer;

    /** The jobs of one kind, and where each was in the request. */
    private static final class Part<T> {

        private final List<DelayJobRequest<RawValue>> requests = new ArrayList<>();
        private final IdentityHashMap<DelayJobRequest<?>, T> times = new IdentityHashMap<>();
        private final List<Integer> places = new ArrayList<>();

        void add(DelayJobRequest<RawValue> request, T time, int place) {
            requests.add(request);
            times.put(request, time);
            places.add(place);
        }
    }

    Submits(DelayJobProducer producer) {
        this.producer = producer;
    }

    CompletableFuture<SubmitResult> submit(
            String queue, JobBody job, @Nullable String made, Map<String, String> trace) {
        DelayJobRequest<RawValue> request = CallersTrace.on(job.request(queue, made), trace);
        Duration delay = job.delay();
        Instant dueAt = job.dueAt();
        return delay != null || dueAt == null
                ? producer.submitAsync(request, delay == null ? Duration.ZERO : delay)
                : producer.submitAsync(request, dueAt);
    }

    /** All are checked before the first is stored. The results come in the order of the jobs. */
    CompletableFuture<List<SubmitResult>> submitAll(
            String queue, List<JobBody> jobs, @Nullable String prefix, Map<String, String> trace) {
        List<DelayJobRequest<RawValue>> requests = Items.map("jobs", jobs, (job, place) -> {
            String made = prefix == null ? null : prefix + "-" + place;
            return CallersTrace.on(job.request(queue, made), trace);
        });
        Part<Duration> delayed = new Part<>();
        Part<Instant> timed = new Part<>();
        for (int place = 0; place < jobs.size(); place++) {
            JobBody job = jobs.get(place);
            DelayJobRequest<RawValue> request = requests.get(place);
            if (job.delay() != null) {
                delayed.add(request, job.delay(), place);
            } else if (job.dueAt() != null) {
                timed.add(request, job.dueAt(), place);
            }
        }
        SubmitResult[] results = new SubmitResult[jobs.size()];
        CompletableFuture<@Nullable JobSubmissionException> first = delayed.requests.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : into(results, delayed, producer.submitAllAsync(delayed.requests, delayed.times::get));
        CompletableFuture<@Nullable JobSubmissionException> second = timed.requests.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : into(results, timed, producer.submitAllAtAsync(timed.requests, timed.times::get));
        return first.thenCombine(second, (one, other) -> results(results, one == null ? other : one));
    }

    private static CompletableFuture<@Nullable JobSubmissionException> into(
            SubmitResult[] results, Part<?> part, CompletableFuture<List<SubmitResult>> submitted) {
        return submitted.handle((stored, failure) -> {
            JobSubmissionException unconfirmed = unconfirmed(failure);
            List<SubmitResult> known = unconfirmed == null ? stored : unconfirmed.results();
            for (int i = 0; i < known.size(); i++) {
                results[part.places.get(i)] = known.get(i);
            }
            return unconfirmed;
        });
    }

    private static @Nullable JobSubmissionException unconfirmed(@Nullable Throwable failure) {
        JobSubmissionException unconfirmed = Failures.find(failure, JobSubmissionException.class);
        if (failure != null && unconfirmed == null) {
            throw failure instanceof CompletionException known ? known : new CompletionException(failure);
        }
        return unconfirmed;
    }

    private static List<SubmitResult> results(SubmitResult[] results, @Nullable JobSubmissionException failure) {
        List<SubmitResult> all = List.of(results);
        if (failure != null) {
            throw new JobSubmissionException(failure.queue(), failure.jobIds(), failure.outcome(), all, failure);
        }
        return all;
    }
}
