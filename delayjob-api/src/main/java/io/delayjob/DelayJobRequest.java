package io.delayjob;

import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job to submit: what runs, its parameter, and options that differ from the queue's. Immutable; each {@code with…} method returns
 * a changed copy.
 *
 * <pre>{@code
 * DelayJobRequest.of(CloseOrderJob.class, new CloseOrder(42)).withId("close-42").withQueue("orders").withMaxAttempts(5)
 * }</pre>
 *
 * @param jobClass the class of the bean that runs the job; null if there is a topic
 * @param topic the name of what runs the job: a {@link DelayJobListener}'s topic or the stored name of a {@link DelayJob}; null if
 *     there is a class
 * @param param the job's parameter, stored as JSON; null for none, which only a {@code DelayJob<Void>} or a listener that takes no
 *     payload can run
 * @param id the job's id, unique among the unfinished jobs of its queue; null for a random one. Submitting an id that
 *     exists adds nothing, so a submit with an id can be repeated
 * @param queue the queue, 1 to 64 of {@code A-Z a-z 0-9 . _ -}; null for the queue of the bean or listener in this application, or
 *     the default queue if it has none
 * @param options how the job is tried, which others it excludes, and how people find it
 * @param afterCommit whether a submit inside a Spring transaction waits for its commit; null for
 *     {@code delayjob.submit-after-commit}
 * @param headers text that is stored with the job; at most 100 headers, see {@link #withHeaders}
 * @param <T> the type of the parameter
 */
public record DelayJobRequest<T>(
        @Nullable Class<? extends DelayJob<T>> jobClass,
        @Nullable String topic,
        @Nullable T param,
        @Nullable String id,
        @Nullable String queue,
        JobOptions options,
        @Nullable Boolean afterCommit,
        Map<String, String> headers) {

    /** The shortest lease: long enough for a few renewals and a pause of the JVM. */
    public static final Duration SHORTEST_LEASE = Checks.SHORTEST_LEASE;

    /**
     * Checks every value; see {@link #of} and {@link #toTopic} for the usual ways to make a request.
     *
     * @throws IllegalArgumentException if a value is out of range; the message names it
     */
    public DelayJobRequest {
        if ((jobClass == null) == (topic == null)) {
            throw new IllegalArgumentException(
                    "a request needs a jobClass or a topic, and not both: " + jobClass + ", " + topic);
        }
        headers = Checks.headers(headers);
        Checks.notNull(options, "options");
        Checks.ifGiven(topic, Checks::jobName);
        Checks.ifGiven(id, Checks::id);
        Checks.ifGiven(queue, Checks::queue);
    }

    /**
     * A request for a bean that takes no parameter.
     *
     * @param jobClass the bean class that runs
     * @return the request
     * @throws IllegalArgumentException if it is null
     */
    public static DelayJobRequest<Void> of(Class<? extends DelayJob<Void>> jobClass) {
        return of(jobClass, null);
    }

    /**
     * A request for a bean.
     *
     * @param jobClass the bean class that runs
     * @param param its parameter; null only for a {@code DelayJob<Void>}
     * @param <T> the type of the parameter
     * @return the request
     * @throws IllegalArgumentException if the class is null
     */
    public static <T> DelayJobRequest<T> of(Class<? extends DelayJob<T>> jobClass, @Nullable T param) {
        Checks.notNull(jobClass, "jobClass");
        return new DelayJobRequest<>(jobClass, null, param, null, null, JobOptions.NONE, null, Map.of());
    }

    /**
     * A request for the listener of a topic. If the listener is in another application, name its queue with {@link #withQueue}.
     *
     * @param topic the listener's topic, or the stored name of a {@link DelayJob}
     * @param payload its payload
     * @param <T> the type of the payload
     * @return the request
     * @throws IllegalArgumentException if one is null or malformed
     */
    public static <T> DelayJobRequest<T> toTopic(String topic, T payload) {
        return topic(topic, Checks.notNull(payload, "payload"));
    }

    /**
     * A request without a payload for the listener of a topic; see {@link #toTopic(String, Object)}.
     *
     * @param topic the topic of a listener that takes no payload, or the stored name of a {@code DelayJob<Void>}
     * @return the request
     * @throws IllegalArgumentException if it is null or malformed
     */
    public static DelayJobRequest<Void> toTopic(String topic) {
        return topic(topic, null);
    }

    private static <T> DelayJobRequest<T> topic(String topic, @Nullable T payload) {
        Checks.jobName(topic);
        return new DelayJobRequest<>(null, topic, payload, null, null, JobOptions.NONE, null, Map.of());
    }

    /**
     * With the id that the caller chooses.
     *
     * @param newId 1 to 128 characters without control characters
     */
    public DelayJobRequest<T> withId(String newId) {
        Checks.id(newId);
        return copy(newId, queue, options, afterCommit, headers);
    }

    /**
     * On a queue of the caller's choice.
     *
     * @param newQueue 1 to 64 of {@code A-Z a-z 0-9 . _ -}
     */
    public DelayJobRequest<T> withQueue(String newQueue) {
        Checks.queue(newQueue);
        return copy(id, newQueue, options, afterCommit, headers);
    }

    /**
     * With its own number of attempts.
     *
     * @param newMaxAttempts at least 1
     */
    public DelayJobRequest<T> withMaxAttempts(int newMaxAttempts) {
        return withOptions(options.withMaxAttempts(newMaxAttempts));
    }

    /**
     * With its own wait between attempts.
     *
     * @param newBackoff the wait
     */
    public DelayJobRequest<T> withBackoff(Backoff newBackoff) {
        return withOptions(options.withBackoff(newBackoff));
    }

    /**
     * With its own lease.
     *
     * @param newLease at least 1 s
     */
    public DelayJobRequest<T> withLease(Duration newLease) {
        return withOptions(options.withLease(newLease));
    }

    /**
     * With its own timeout of an attempt.
     *
     * @param newTimeout at least 1 ms
     */
    public DelayJobRequest<T> withTimeout(Duration newTimeout) {
        return withOptions(options.withTimeout(newTimeout));
    }

    /**
     * With its own limit of the time from its due time to its first attempt.
     *
     * @param newTimeToLive at least 1 ms
     */
    public DelayJobRequest<T> withTimeToLive(Duration newTimeToLive) {
        return withOptions(options.withTimeToLive(newTimeToLive));
    }

    /**
     * With its own priority among the due jobs of its queue.
     *
     * @param newPriority 0 to 9: higher goes first; without one it is {@value JobOptions#USUAL_PRIORITY}
     */
    public DelayJobRequest<T> withPriority(int newPriority) {
        return withOptions(options.withPriority(newPriority));
    }

    /**
     * For the customer, tenant or whatever else the job is for, so that the queue's limits for each key apply to it.
     *
     * @param newKey 1 to 128 characters without control characters
     */
    public DelayJobRequest<T> withKey(String newKey) {
        return withOptions(options.withKey(newKey));
    }

    /**
     * With a dedupe key.
     *
     * @param newDedupe the key, its scope and mode
     */
    public DelayJobRequest<T> withDedupe(Dedupe newDedupe) {
        return withOptions(options.withDedupe(newDedupe));
    }

    /**
     * With these tags in place of its own.
     *
     * @param newTags words by which people find the job; see {@link JobOptions#tags}
     */
    public DelayJobRequest<T> withTags(String... newTags) {
        return withOptions(options.withTags(List.of(newTags)));
    }

    /**
     * With all of these options in place of its own, such as those of another job.
     *
     * @param newOptions the options
     */
    public DelayJobRequest<T> withOptions(JobOptions newOptions) {
        return copy(id, queue, newOptions, afterCommit, headers);
    }

    /**
     * Submits inside a Spring transaction after its commit, or at once. After the commit means that nothing is sent on rollback;
     * but a process that dies between the commit and the submit loses the job, and the failure of a submit is thrown to the caller
     * of a transaction that has already committed.
     *
     * @param newAfterCommit true to wait for the commit; has no effect outside a transaction
     */
    public DelayJobRequest<T> withAfterCommit(boolean newAfterCommit) {
        return copy(id, queue, options, newAfterCommit, headers);
    }

    /**
     * With these headers in place of the current ones.
     *
     * @param newHeaders at most 100; names of at most 256 characters, values of at most 8192, and at most 65,536 characters in
     *     total
     */
    public DelayJobRequest<T> withHeaders(Map<String, String> newHeaders) {
        return copy(id, queue, options, afterCommit, newHeaders);
    }

    /**
     * With one more header, or a new value for an existing one.
     *
     * @param name at most 256 characters
     * @param value at most 8192 characters; for the total of all headers see {@link #withHeaders}
     */
    public DelayJobRequest<T> withHeader(String name, String value) {
        Map<String, String> all = new HashMap<>(headers);
        all.put(name, value);
        return withHeaders(all);
    }

    /** The request without its param and headers, which may be secret. */
    @Override
    public String toString() {
        return "DelayJobRequest[" + (jobClass == null ? "topic=" + topic : "jobClass=" + jobClass.getName()) + ", id="
                + id + ", queue=" + queue + "]";
    }

    private DelayJobRequest<T> copy(
            @Nullable String newId,
            @Nullable String newQueue,
            JobOptions newOptions,
            @Nullable Boolean newAfterCommit,
            Map<String, String> newHeaders) {
        return new DelayJobRequest<>(jobClass, topic, param, newId, newQueue, newOptions, newAfterCommit, newHeaders);
    }
}
