package io.delayjob.reliability.harness;

import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobSubmissionException;
import io.delayjob.SubmitResult;
import io.delayjob.reliability.node.Work;
import io.delayjob.reliability.node.WorkJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Submits jobs as an application would: evenly over a time, each with a random delay, duration and number of failures. A
 * submit of unknown outcome is repeated with its id until its outcome is known; one that is not stored is left at that.
 */
public final class Load {

    /** A thread for each load that is submitted: the common pool may have one, and several stages are played at once. */
    private static final Executor THREADS = new SimpleAsyncTaskExecutor("load-");

    private static final Executor LATER = CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS, THREADS);

    /** How many jobs are sent at once. */
    static final int BULK = 500;

    private final DelayJobProducer producer;
    private final Random random;
    private final Mix mix;
    private final Queue<Submission> submissions = new ConcurrentLinkedQueue<>();
    private int number;

    /**
     * Mix of jobs.
     *
     * @param maxDelay each waits up to so long
     * @param maxWork an attempt takes up to so long
     * @param failing the share of jobs whose first attempt fails
     * @param hopeless the share of jobs that say that no attempt may follow
     */
    public record Mix(Duration maxDelay, Duration maxWork, double failing, double hopeless) {

        /** Short jobs that are due soon; a tenth fails once, a fiftieth for good. */
        public static final Mix USUAL = new Mix(Duration.ofSeconds(2), Duration.ofMillis(40), 0.1, 0.02);

        /** With another longest duration of an attempt. */
        public Mix working(Duration maxWork) {
            return new Mix(maxDelay, maxWork, failing, hopeless);
        }
    }

    Load(DelayJobProducer producer, Random random, Mix mix) {
        this.producer = producer;
        this.random = random;
        this.mix = mix;
    }

    /** Submits jobs, evenly over a time; complete when the outcome of each is known. */
    public CompletableFuture<Void> submit(int count, Duration over) {
        CompletableFuture<?>[] outcomes = new CompletableFuture<?>[count];
        long gapNanos = over.toNanos() / count;
        long begin = System.nanoTime();
        return CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; i < count; i++) {
                                pauseUntil(begin + i * gapNanos);
                                outcomes[i] = submitOne();
                            }
                        },
                        THREADS)
                .thenCompose(all -> CompletableFuture.allOf(outcomes));
    }

    private static void pauseUntil(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos - System.nanoTime());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private CompletableFuture<?> submitOne() {
        String id = "job-" + ++number;
        int kind = random.nextDouble() < mix.hopeless() ? -1 : random.nextDouble() < mix.failing() ? 1 : 0;
        Work work = new Work(random.nextInt((int) mix.maxWork().toMillis() + 1), kind);
        Duration delay = Duration.ofMillis(random.nextInt((int) mix.maxDelay().toMillis() + 1));
        return submit(DelayJobRequest.of(WorkJob.class, work).withId(id), delay);
    }

    /**
     * Submits jobs in bulk, numbered from 0, and waits until they are stored. They may be brought forward: that they run before their time is
     * no fault.
     */
    public void submitAll(String idPrefix, int count, Duration delay) {
        List<DelayJobRequest<Work>> requests = IntStream.range(0, count)
                .mapToObj(place ->
                        DelayJobRequest.of(WorkJob.class, new Work(0, 0)).withId(idPrefix + place))
                .toList();
        storeAll(requests, part -> {
            long before = System.currentTimeMillis();
            return producer.submitAll(part, delay).stream()
                    .map(result -> new Submission(result.id(), before, before, true))
                    .toList();
        });
    }

    /** Submits jobs in bulk, with their due times by their ids, and waits until they are stored. */
    public void submitAllAt(List<DelayJobRequest<Work>> requests, Map<String, Instant> dueAt) {
        storeAll(requests, part -> {
            long before = System.currentTimeMillis();
            return producer.submitAllAt(part, request -> dueAt.get(request.id())).stream()
                    .map(result -> new Submission(
                            result.id(), before, dueAt.get(result.id()).toEpochMilli(), true))
                    .toList();
        });
    }

    private void storeAll(
            List<DelayJobRequest<Work>> requests, Function<List<DelayJobRequest<Work>>, List<Submission>> store) {
        for (int from = 0; from < requests.size(); from += BULK) {
            List<DelayJobRequest<Work>> part = requests.subList(from, Math.min(requests.size(), from + BULK));
            submissions.addAll(await().ignoreException(JobSubmissionException.class)
                    .until(() -> store.apply(part), results -> true));
        }
    }

    /** Submits one job of its own; complete when its outcome is known. */
    public CompletableFuture<Void> submit(DelayJobRequest<Work> request, Duration delay) {
        long before = System.currentTimeMillis();
        return send(request, delay)
                .thenAccept(confirmed -> submissions.add(
                        new Submission(String.valueOf(request.id()), before, before + delay.toMillis(), confirmed)));
    }

    private CompletableFuture<Boolean> send(DelayJobRequest<Work> request, Duration delay) {
        return producer.submitAsync(request, delay)
                .handle((result, failure) -> failure == null
                        ? CompletableFuture.completedFuture(stored(result))
                        : repeatIfUnknown(request, delay, failure))
                .thenCompose(outcome -> outcome);
    }

    private static boolean stored(SubmitResult result) {
        return result.outcome() == SubmitResult.Outcome.STORED || result.outcome() == SubmitResult.Outcome.EXISTS;
    }

    private CompletableFuture<Boolean> repeatIfUnknown(
            DelayJobRequest<Work> request, Duration delay, Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (!(cause instanceof JobSubmissionException refused)) {
            return CompletableFuture.failedFuture(failure);
        }
        return refused.outcome() == JobSubmissionException.Outcome.UNKNOWN
                ? CompletableFuture.supplyAsync(() -> repeat(request, delay), LATER)
                        .thenCompose(sent -> sent)
                : CompletableFuture.completedFuture(false);
    }

    /** Once an outcome was unknown, the job may be there: only a confirmation ends it. */
    private CompletableFuture<Boolean> repeat(DelayJobRequest<Work> request, Duration delay) {
        return send(request, delay)
                .thenCompose(confirmed -> confirmed
                        ? CompletableFuture.completedFuture(true)
                        : CompletableFuture.supplyAsync(() -> repeat(request, delay), LATER)
                                .thenCompose(sent -> sent));
    }

    /** Every submit so far, with its outcome. */
    public List<Submission> submissions() {
        return List.copyOf(submissions);
    }
}
