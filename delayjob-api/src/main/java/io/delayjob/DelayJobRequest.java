package io.delayjob;

import io.delayjob.internal.Checks;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job to be submitted: what runs, with which parameter, and options that differ from the queue's. Immutable; each
 * {@code with…} returns a changed copy.
 *
 * <pre>{@code
 * DelayJobRequest.of(CloseOrderJob.class, new CloseOrder(42)).withId("close-42").withQueue("orders").withMaxAttempts(5)
 * }</pre>
 *
 * <p>An option left out is the queue's setting on the node that runs the job, at the time it runs.
 *
 * @param jobClass the bean class that runs
 * @param param what it is given, written as JSON
 * @param id the job's id, unique among the unfinished jobs of its queue; null for a random one. Submitting an id that
 *     exists adds nothing, so a submit with an id can be repeated
 * @param queue the queue, 1 to 64 of {@code A-Z a-z 0-9 . _ -}; null for the default queue
 * @param maxAttempts how often the job is tried before it is {@link JobState#DEAD}, at least 1; null for the queue's
 * @param backoff the wait between attempts; null for the queue's
 * @param lease how long a node may be silent before another takes the job over, at least 1 s; null for the queue's
 * @param timeout how long one attempt may run before it is interrupted and counted as failed; null for the queue's
 * @param headers text that travels with the job
 * @param <T> the type of the parameter
 */
public record DelayJobRequest<T>(
        Class<? extends DelayJob<T>> jobClass,
        T param,
        @Nullable String id,
        @Nullable String queue,
        @Nullable Integer maxAttempts,
        @Nullable Backoff backoff,
        @Nullable Duration lease,
        @Nullable Duration timeout,
        Map<String, String> headers) {

    /** The shortest lease: it must outlast a few renewals and a pause of the JVM. */
    public static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

    /**
     * Checks every value; see {@link #of} for the usual way to make a request.
     *
     * @throws IllegalArgumentException if a value is out of its range, naming it
     */
    public DelayJobRequest {
        Checks.notNull(jobClass, "jobClass");
        Checks.notNull(param, "param");
        headers = Checks.headers(headers);
        if (id != null) {
            Checks.id(id);
        }
        if (queue != null) {
            Checks.queue(queue);
        }
        if (maxAttempts != null) {
            Checks.atLeastOne(maxAttempts, "maxAttempts");
        }
        if (lease != null && Checks.positive(lease, "lease").compareTo(SHORTEST_LEASE) < 0) {
            throw new IllegalArgumentException("lease must be at least " + SHORTEST_LEASE + ": " + lease);
        }
        if (timeout != null) {
            Checks.positive(timeout, "timeout");
        }
    }

    /**
     * A request with the queue's options.
     *
     * @param jobClass the bean class that runs
     * @param param what it is given
     * @param <T> the type of the parameter
     * @return the request
     * @throws IllegalArgumentException if one is null
     */
    public static <T> DelayJobRequest<T> of(Class<? extends DelayJob<T>> jobClass, T param) {
        return new DelayJobRequest<>(jobClass, param, null, null, null, null, null, null, Map.of());
    }

    /**
     * With an id of the caller's.
     *
     * @param newId 1 to 128 characters without control characters
     * @return a changed copy
     */
    public DelayJobRequest<T> withId(String newId) {
        Checks.id(newId);
        return new DelayJobRequest<>(jobClass, param, newId, queue, maxAttempts, backoff, lease, timeout, headers);
    }

    /**
     * On another queue than the default one.
     *
     * @param newQueue 1 to 64 of {@code A-Z a-z 0-9 . _ -}
     * @return a changed copy
     */
    public DelayJobRequest<T> withQueue(String newQueue) {
        Checks.queue(newQueue);
        return new DelayJobRequest<>(jobClass, param, id, newQueue, maxAttempts, backoff, lease, timeout, headers);
    }

    /**
     * With its own number of attempts.
     *
     * @param newMaxAttempts at least 1
     * @return a changed copy
     */
    public DelayJobRequest<T> withMaxAttempts(int newMaxAttempts) {
        return new DelayJobRequest<>(jobClass, param, id, queue, newMaxAttempts, backoff, lease, timeout, headers);
    }

    /**
     * With its own wait between attempts.
     *
     * @param newBackoff the wait
     * @return a changed copy
     */
    public DelayJobRequest<T> withBackoff(Backoff newBackoff) {
        Checks.notNull(newBackoff, "backoff");
        return new DelayJobRequest<>(jobClass, param, id, queue, maxAttempts, newBackoff, lease, timeout, headers);
    }

    /**
     * With its own lease.
     *
     * @param newLease at least 1 s
     * @return a changed copy
     */
    public DelayJobRequest<T> withLease(Duration newLease) {
        Checks.notNull(newLease, "lease");
        return new DelayJobRequest<>(jobClass, param, id, queue, maxAttempts, backoff, newLease, timeout, headers);
    }

    /**
     * With its own limit for one attempt.
     *
     * @param newTimeout at least 1 ms
     * @return a changed copy
     */
    public DelayJobRequest<T> withTimeout(Duration newTimeout) {
        Checks.notNull(newTimeout, "timeout");
        return new DelayJobRequest<>(jobClass, param, id, queue, maxAttempts, backoff, lease, newTimeout, headers);
    }

    /**
     * With these headers instead of the ones so far.
     *
     * @param newHeaders names and values of at most 8192 characters
     * @return a changed copy
     */
    public DelayJobRequest<T> withHeaders(Map<String, String> newHeaders) {
        return new DelayJobRequest<>(jobClass, param, id, queue, maxAttempts, backoff, lease, timeout, newHeaders);
    }
}
