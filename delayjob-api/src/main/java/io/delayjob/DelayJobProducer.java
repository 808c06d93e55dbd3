package io.delayjob;

import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Submits jobs that run later. A bean of the application context; thread-safe.
 *
 * <pre>{@code
 * producer.submitDelayJob(CloseOrderJob.class, new CloseOrder(42), 30, TimeUnit.MINUTES);
 * }</pre>
 *
 * <p>Delays count by Redis' clock from the moment Redis stores the job; fractions of a millisecond are rounded up. When a method
 * returns an id, Redis has the job, unless the submit waits for the commit of a transaction. The methods throw as follows; the
 * asynchronous ones fail their future where Redis is concerned:
 *
 * <ul>
 *   <li>{@link IllegalArgumentException} before anything reaches Redis: for null or malformed values, a negative delay, a due time
 *       past the year 9999, a class without a registered bean, a null param for a job that takes one, a key together with
 *       a {@link Dedupe} key that belongs to another shard, and a parameter that cannot be written as JSON, cannot be read back as the
 *       type of the bean or listener, or exceeds the configured limit;
 *   <li>{@link JobSubmissionException} if Redis refused the jobs or did not confirm them within {@code delayjob.submit-timeout} (10
 *       s) of the call; it names the ids and says whether the outcome is known. Many jobs are sent in calls of up to 200, and each
 *       call has that time from the answer to the one before; after a failed call, the rest is not sent. It is thrown at once, with
 *       {@code NOT_STORED}, while 50,000 jobs or 32 × 1024 × 1024 characters already wait for one shard of a queue.
 * </ul>
 *
 * <p>A callback of a future that is added without an executor runs on one of 32 threads that all futures of delayjob on this node
 * share. It may block, and may call any method here; but one that blocks for long makes the others wait, and belongs on an executor
 * of the application ({@code thenApplyAsync}).
 *
 * <p>Submitting an id that exists in its queue changes nothing and returns the id. If the {@link Dedupe} key is taken, the returned
 * id is that of the job that holds it; {@link #submit(DelayJobRequest, Duration)} tells what happened.
 */
public interface DelayJobProducer {

    /**
     * Submits a job that is due after a delay, without waiting for Redis.
     *
     * @param request the job
     * @param delay zero or more
     * @return the result, once Redis has decided; {@code DEFERRED} at once if it waits for the commit of a transaction
     */
    <T> CompletableFuture<SubmitResult> submitAsync(DelayJobRequest<T> request, Duration delay);

    /**
     * Submits a job that is due at a time of Redis' clock, without waiting for Redis.
     *
     * @param request the job
     * @param dueAt the due time; one in the past is due at once
     * @return the result, once Redis has decided; {@code DEFERRED} at once if it waits for the commit of a transaction
     */
    <T> CompletableFuture<SubmitResult> submitAsync(DelayJobRequest<T> request, Instant dueAt);

    /**
     * Submits many jobs, each with its own delay, in as few calls to Redis as possible, without waiting for Redis.
     *
     * <p>The jobs are stored in chunks: when one chunk fails, others may be stored. The exception names the ids that failed, and
     * {@link JobSubmissionException#results()} has the result of each job.
     *
     * @param requests the jobs; their classes, topics and queues may differ
     * @param delay the delay of each, zero or more
     * @return the result of each, in the order of the requests, once Redis has decided on all of them
     */
    CompletableFuture<List<SubmitResult>> submitAllAsync(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Duration> delay);

    /**
     * Submits many jobs, each due at its own time of Redis' clock, as
     * {@link #submitAllAsync(Collection, Function) submitAllAsync} does.
     *
     * @param requests the jobs; their classes, topics and queues may differ
     * @param dueAt the due time of each; one in the past is due at once
     * @return the result of each, in the order of the requests, once Redis has decided on all of them
     */
    CompletableFuture<List<SubmitResult>> submitAllAtAsync(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Instant> dueAt);

    /**
     * Submits many jobs, each with its own delay, and returns the result of each. If some are not confirmed, {@link
     * JobSubmissionException#results()} has the result of each.
     *
     * @param requests the jobs; their classes, topics and queues may differ
     * @param delay the delay of each, zero or more
     * @return the result of each, in the order of the requests
     */
    default List<SubmitResult> submitAll(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Duration> delay) {
        return await(submitAllAsync(requests, delay));
    }

    /**
     * Submits many jobs that are due after the same delay, and returns the result of each.
     *
     * @param requests the jobs; their classes, topics and queues may differ
     * @param delay zero or more
     * @return the result of each, in the order of the requests
     */
    default List<SubmitResult> submitAll(Collection<? extends DelayJobRequest<?>> requests, Duration delay) {
        return submitAll(requests, request -> delay);
    }

    /**
     * Submits many jobs, each due at its own time of Redis' clock, and returns the result of each.
     *
     * @param requests the jobs; their classes, topics and queues may differ
     * @param dueAt the due time of each; one in the past is due at once
     * @return the result of each, in the order of the requests
     */
    default List<SubmitResult> submitAllAt(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Instant> dueAt) {
        return await(submitAllAtAsync(requests, dueAt));
    }

    /**
     * Submits a job and returns the result: whether it is stored, or its id or its {@link Dedupe} key was taken.
     *
     * @param request the job
     * @param delay zero or more
     * @return the result
     */
    default <T> SubmitResult submit(DelayJobRequest<T> request, Duration delay) {
        return await(submitAsync(request, delay));
    }

    /**
     * Submits a job and returns the result: whether it is stored, or its id or its {@link Dedupe} key was taken.
     *
     * @param request the job
     * @param dueAt the due time; one in the past is due at once
     * @return the result
     */
    default <T> SubmitResult submit(DelayJobRequest<T> request, Instant dueAt) {
        return await(submitAsync(request, dueAt));
    }

    /**
     * Submits a job that is due after a delay, without waiting for Redis.
     *
     * @param request the job
     * @param delay zero or more
     * @return the id of the job that exists now, once Redis has it
     */
    default <T> CompletableFuture<String> submitDelayJobAsync(DelayJobRequest<T> request, Duration delay) {
        return submitAsync(request, delay).thenApply(SubmitResult::id);
    }

    /**
     * Submits a job that is due at a time of Redis' clock, without waiting for Redis.
     *
     * @param request the job
     * @param dueAt the due time; one in the past is due at once
     * @return the id of the job that exists now, once Redis has it
     */
    default <T> CompletableFuture<String> submitDelayJobAsync(DelayJobRequest<T> request, Instant dueAt) {
        return submitAsync(request, dueAt).thenApply(SubmitResult::id);
    }

    /**
     * Submits many jobs, each with its own delay, in as few calls to Redis as possible, without waiting for Redis.
     *
     * @param requests the jobs; their classes, topics and queues may differ
     * @param delay the delay of each, zero or more
     * @return the ids of the jobs that exist now, in the order of the requests, once Redis has all of them
     */
    default CompletableFuture<List<String>> submitDelayJobsAsync(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Duration> delay) {
        return submitAllAsync(requests, delay)
                .thenApply(results -> results.stream().map(SubmitResult::id).toList());
    }

    /**
     * Submits a job with default options.
     *
     * @param jobClass the bean class that runs
     * @param param its parameter; null only for a {@code DelayJob<Void>}
     * @param delay zero or more
     * @param unit the unit of {@code delay}
     * @return the id of the job that exists now
     */
    default <T> String submitDelayJob(
            Class<? extends DelayJob<T>> jobClass, @Nullable T param, long delay, TimeUnit unit) {
        return submitDelayJob(DelayJobRequest.of(jobClass, param), delay, unit);
    }

    /**
     * Submits a job with default options.
     *
     * @param jobClass the bean class that runs
     * @param param its parameter; null only for a {@code DelayJob<Void>}
     * @param delay zero or more
     * @return the id of the job that exists now
     */
    default <T> String submitDelayJob(Class<? extends DelayJob<T>> jobClass, @Nullable T param, Duration delay) {
        return submitDelayJob(DelayJobRequest.of(jobClass, param), delay);
    }

    /**
     * Submits a job with default options.
     *
     * @param jobClass the bean class that runs
     * @param param its parameter; null only for a {@code DelayJob<Void>}
     * @param dueAt the due time; one in the past is due at once
     * @return the id of the job that exists now
     */
    default <T> String submitDelayJob(Class<? extends DelayJob<T>> jobClass, @Nullable T param, Instant dueAt) {
        return submitDelayJob(DelayJobRequest.of(jobClass, param), dueAt);
    }

    /**
     * Submits a job with default options to the listener of a topic; see {@link DelayJobRequest#toTopic(String, Object)}.
     *
     * @param topic the listener's topic
     * @param payload its payload
     * @param delay zero or more
     * @param unit the unit of {@code delay}
     * @return the id of the job that exists now
     */
    default String submitDelayJob(String topic, Object payload, long delay, TimeUnit unit) {
        return submitDelayJob(DelayJobRequest.toTopic(topic, payload), delay, unit);
    }

    /**
     * Submits a job with default options to the listener of a topic; see {@link DelayJobRequest#toTopic(String, Object)}.
     *
     * @param topic the listener's topic
     * @param payload its payload
     * @param delay zero or more
     * @return the id of the job that exists now
     */
    default String submitDelayJob(String topic, Object payload, Duration delay) {
        return submitDelayJob(DelayJobRequest.toTopic(topic, payload), delay);
    }

    /**
     * Submits a job with default options to the listener of a topic; see {@link DelayJobRequest#toTopic(String, Object)}.
     *
     * @param topic the listener's topic
     * @param payload its payload
     * @param dueAt the due time; one in the past is due at once
     * @return the id of the job that exists now
     */
    default String submitDelayJob(String topic, Object payload, Instant dueAt) {
        return submitDelayJob(DelayJobRequest.toTopic(topic, payload), dueAt);
    }

    /**
     * Submits a job.
     *
     * @param request the job
     * @param delay zero or more
     * @param unit the unit of {@code delay}
     * @return the id of the job that exists now
     */
    default <T> String submitDelayJob(DelayJobRequest<T> request, long delay, TimeUnit unit) {
        return submitDelayJob(request, Checks.delay(delay, unit));
    }

    /**
     * Submits a job.
     *
     * @param request the job
     * @param delay zero or more
     * @return the id of the job that exists now
     */
    default <T> String submitDelayJob(DelayJobRequest<T> request, Duration delay) {
        return submit(request, delay).id();
    }

    /**
     * Submits a job.
     *
     * @param request the job
     * @param dueAt the due time; one in the past is due at once
     * @return the id of the job that exists now
     */
    default <T> String submitDelayJob(DelayJobRequest<T> request, Instant dueAt) {
        return submit(request, dueAt).id();
    }

    /**
     * Submits many jobs of one class with default options.
     *
     * @param jobClass the bean class that runs
     * @param params the parameter of each
     * @param delay zero or more
     * @param unit the unit of {@code delay}
     * @return the ids in the order of the params
     */
    default <T> List<String> submitDelayJobs(
            Class<? extends DelayJob<T>> jobClass, Collection<? extends T> params, long delay, TimeUnit unit) {
        List<DelayJobRequest<T>> requests = Checks.notNull(params, "params").stream()
                .map(param -> DelayJobRequest.<T>of(jobClass, param))
                .toList();
        return submitDelayJobs(requests, Checks.delay(delay, unit));
    }

    /**
     * Submits many jobs that are due after the same delay.
     *
     * @param requests the jobs; their classes and queues may differ
     * @param delay zero or more
     * @return the ids in the order of the requests
     */
    default List<String> submitDelayJobs(Collection<? extends DelayJobRequest<?>> requests, Duration delay) {
        return submitDelayJobs(requests, request -> delay);
    }

    /**
     * Submits many jobs, each with its own delay.
     *
     * @param requests the jobs; their classes and queues may differ
     * @param delay the delay of each, zero or more
     * @return the ids in the order of the requests
     */
    default List<String> submitDelayJobs(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Duration> delay) {
        return submitAll(requests, delay).stream().map(SubmitResult::id).toList();
    }

    private static <R> R await(CompletableFuture<R> submit) {
        try {
            return submit.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof DelayJobException failure) {
                failure.addSuppressed(new DelayJobException("submitted here", null));
                throw failure;
            }
            throw e;
        }
    }
}
