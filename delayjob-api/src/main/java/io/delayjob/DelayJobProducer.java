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
 * <p>Delays run by Redis' clock from the moment Redis takes the job; fractions of a millisecond are rounded up. When a
 * method returns an id, Redis has the job. The methods throw, the asynchronous ones in their future where Redis is concerned:
 *
 * <ul>
 *   <li>{@link IllegalArgumentException} before anything reaches Redis: null or malformed values, a negative delay, a due
 *       time past the year 9999, a class that is no registered bean, a null param for a job that takes one, a {@link Dedupe} key with
 *       an id of the caller's in a queue of several shards, a parameter that cannot be written as JSON, or not be read back as
 *       the type of the bean or listener, or is over the configured limit;
 *   <li>{@link JobSubmissionException} if Redis did not confirm within {@code delayjob.submit-timeout} (10 s) of the call; it names
 *       the ids and whether the outcome is known. Many jobs are sent up to 250 at a time, and have that time from the answer
 *       before; once it is over, the rest is not sent. At once, as {@code NOT_STORED}, while too much waits for Redis: 50,000
 *       jobs or 32 × 1024 × 1024 characters for one shard of a queue.
 * </ul>
 *
 * <p>What is hung on a future of an asynchronous method, without an executor of its own, runs on one of 32 threads that all
 * futures of delayjob on this node share. It may block, and may call any method here; but what blocks for long makes the
 * others wait, and belongs on an executor of the caller's ({@code thenApplyAsync}).
 *
 * <p>Submitting an id that exists in its queue adds and changes nothing and returns the id. With a {@link Dedupe} key that is
 * taken, the returned id is that of the job that has it; {@link #submit(DelayJobRequest, Duration)} says which happened.
 */
public interface DelayJobProducer {

    /**
     * Submits a job that is due after a delay, without waiting for Redis.
     *
     * @param request the job
     * @param delay zero or more
     * @return what it led to, once Redis has decided; inside a transaction whose commit it waits for, {@code DEFERRED} at once
     */
    <T> CompletableFuture<SubmitResult> submitAsync(DelayJobRequest<T> request, Duration delay);

    /**
     * Submits a job that is due at a time of Redis' clock, without waiting for Redis.
     *
     * @param request the job
     * @param dueAt the due time; one in the past is due at once
     * @return what it led to, once Redis has decided; inside a transaction whose commit it waits for, {@code DEFERRED} at once
     */
    <T> CompletableFuture<SubmitResult> submitAsync(DelayJobRequest<T> request, Instant dueAt);

    /**
     * Submits many jobs, each with its own delay, in as few calls to Redis as possible, without waiting for Redis.
     *
     * <p>The jobs are stored in chunks: when one chunk fails, others may be stored. The exception names the ids that are
     * concerned, and what became of each job: {@link JobSubmissionException#results()}.
     *
     * @param requests the jobs; what runs them and their queues may differ
     * @param delay the delay of each, zero or more
     * @return what each led to, in the order of the requests, once Redis has decided on all of them
     */
    CompletableFuture<List<SubmitResult>> submitAllAsync(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Duration> delay);

    /**
     * Submits many jobs, each due at its own time of Redis' clock, as
     * {@link #submitAllAsync(Collection, Function) submitAllAsync} does.
     *
     * @param requests the jobs; what runs them and their queues may differ
     * @param dueAt the due time of each; one in the past is due at once
     * @return what each led to, in the order of the requests, once Redis has decided on all of them
     */
    CompletableFuture<List<SubmitResult>> submitAllAtAsync(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Instant> dueAt);

    /**
     * Submits many jobs, each with its own delay, and says what each led to. Where some are not confirmed, the exception says what
     * became of each: {@link JobSubmissionException#results()}.
     *
     * @param requests the jobs; what runs them and their queues may differ
     * @param delay the delay of each, zero or more
     * @return what each led to, in the order of the requests
     */
    default List<SubmitResult> submitAll(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Duration> delay) {
        return await(submitAllAsync(requests, delay));
    }

    /**
     * Submits many jobs that are due after the same delay, and says what each led to.
     *
     * @param requests the jobs; what runs them and their queues may differ
     * @param delay zero or more
     * @return what each led to, in the order of the requests
     */
    default List<SubmitResult> submitAll(Collection<? extends DelayJobRequest<?>> requests, Duration delay) {
        return submitAll(requests, request -> delay);
    }

    /**
     * Submits many jobs, each due at its own time of Redis' clock, and says what each led to.
     *
     * @param requests the jobs; what runs them and their queues may differ
     * @param dueAt the due time of each; one in the past is due at once
     * @return what each led to, in the order of the requests
     */
    default List<SubmitResult> submitAllAt(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Instant> dueAt) {
        return await(submitAllAtAsync(requests, dueAt));
    }

    /**
     * Submits a job and says what it led to: whether it is stored, or its id or its {@link Dedupe} key was taken.
     *
     * @param request the job
     * @param delay zero or more
     * @return what it led to
     */
    default <T> SubmitResult submit(DelayJobRequest<T> request, Duration delay) {
        return await(submitAsync(request, delay));
    }

    /**
     * Submits a job and says what it led to: whether it is stored, or its id or its {@link Dedupe} key was taken.
     *
     * @param request the job
     * @param dueAt the due time; one in the past is due at once
     * @return what it led to
     */
    default <T> SubmitResult submit(DelayJobRequest<T> request, Instant dueAt) {
        return await(submitAsync(request, dueAt));
    }

    /**
     * Submits a job that is due after a delay, without waiting for Redis.
     *
     * @param request the job
     * @param delay zero or more
     * @return the id of the job that stands, once Redis has it
     */
    default <T> CompletableFuture<String> submitDelayJobAsync(DelayJobRequest<T> request, Duration delay) {
        return submitAsync(request, delay).thenApply(SubmitResult::id);
    }

    /**
     * Submits a job that is due at a time of Redis' clock, without waiting for Redis.
     *
     * @param request the job
     * @param dueAt the due time; one in the past is due at once
     * @return the id of the job that stands, once Redis has it
     */
    default <T> CompletableFuture<String> submitDelayJobAsync(DelayJobRequest<T> request, Instant dueAt) {
        return submitAsync(request, dueAt).thenApply(SubmitResult::id);
    }

    /**
     * Submits many jobs, each with its own delay, in as few calls to Redis as possible, without waiting for Redis.
     *
     * @param requests the jobs; what runs them and their queues may differ
     * @param delay the delay of each, zero or more
     * @return the ids of the jobs that stand, in the order of the requests, once Redis has all of them
     */
    default CompletableFuture<List<String>> submitDelayJobsAsync(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Duration> delay) {
        return submitAllAsync(requests, delay)
                .thenApply(results -> results.stream().map(SubmitResult::id).toList());
    }

    /**
     * Submits a job with the queue's options.
     *
     * @param jobClass the bean class that runs
     * @param param what it is given; null for a {@code DelayJob<Void>} alone
     * @param delay zero or more
     * @param unit the unit of {@code delay}
     * @return the id of the job that stands
     */
    default <T> String submitDelayJob(
            Class<? extends DelayJob<T>> jobClass, @Nullable T param, long delay, TimeUnit unit) {
        return submitDelayJob(DelayJobRequest.of(jobClass, param), delay, unit);
    }

    /**
     * Submits a job with the queue's options.
     *
     * @param jobClass the bean class that runs
     * @param param what it is given; null for a {@code DelayJob<Void>} alone
     * @param delay zero or more
     * @return the id of the job that stands
     */
    default <T> String submitDelayJob(Class<? extends DelayJob<T>> jobClass, @Nullable T param, Duration delay) {
        return submitDelayJob(DelayJobRequest.of(jobClass, param), delay);
    }

    /**
     * Submits a job with the queue's options.
     *
     * @param jobClass the bean class that runs
     * @param param what it is given; null for a {@code DelayJob<Void>} alone
     * @param dueAt the due time; one in the past is due at once
     * @return the id of the job that stands
     */
    default <T> String submitDelayJob(Class<? extends DelayJob<T>> jobClass, @Nullable T param, Instant dueAt) {
        return submitDelayJob(DelayJobRequest.of(jobClass, param), dueAt);
    }

    /**
     * Submits a job to the listener of a topic, with its options; see {@link DelayJobRequest#toTopic(String, Object)}.
     *
     * @param topic the listener's topic
     * @param payload what it is given
     * @param delay zero or more
     * @param unit the unit of {@code delay}
     * @return the id of the job that stands
     */
    default String submitDelayJob(String topic, Object payload, long delay, TimeUnit unit) {
        return submitDelayJob(DelayJobRequest.toTopic(topic, payload), delay, unit);
    }

    /**
     * Submits a job to the listener of a topic, with its options; see {@link DelayJobRequest#toTopic(String, Object)}.
     *
     * @param topic the listener's topic
     * @param payload what it is given
     * @param delay zero or more
     * @return the id of the job that stands
     */
    default String submitDelayJob(String topic, Object payload, Duration delay) {
        return submitDelayJob(DelayJobRequest.toTopic(topic, payload), delay);
    }

    /**
     * Submits a job to the listener of a topic, with its options; see {@link DelayJobRequest#toTopic(String, Object)}.
     *
     * @param topic the listener's topic
     * @param payload what it is given
     * @param dueAt the due time; one in the past is due at once
     * @return the id of the job that stands
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
     * @return the id of the job that stands
     */
    default <T> String submitDelayJob(DelayJobRequest<T> request, long delay, TimeUnit unit) {
        return submitDelayJob(request, Checks.delay(delay, unit));
    }

    /**
     * Submits a job.
     *
     * @param request the job
     * @param delay zero or more
     * @return the id of the job that stands
     */
    default <T> String submitDelayJob(DelayJobRequest<T> request, Duration delay) {
        return submit(request, delay).id();
    }

    /**
     * Submits a job.
     *
     * @param request the job
     * @param dueAt the due time; one in the past is due at once
     * @return the id of the job that stands
     */
    default <T> String submitDelayJob(DelayJobRequest<T> request, Instant dueAt) {
        return submit(request, dueAt).id();
    }

    /**
     * Submits many jobs of one class with the queue's options.
     *
     * @param jobClass the bean class that runs
     * @param params what each is given
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
