package io.delayjob;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * {@link DelayJobAdmin} without waiting for Redis: each method has the parameters, the effect and the result of the method of the
 * same name there. An {@link IllegalArgumentException} is thrown by the call; a {@link DelayJobException} completes the future.
 * Callbacks of a future run on the threads that {@link DelayJobProducer} describes. Thread-safe.
 */
public interface AsyncDelayJobAdmin {

    /** See {@link DelayJobAdmin#find}. */
    CompletableFuture<Optional<JobSnapshot>> find(String queue, String id);

    /** See {@link DelayJobAdmin#list}. */
    CompletableFuture<JobPage> list(JobQuery query);

    /** See {@link DelayJobAdmin#indexWords}; answers at once. */
    List<String> indexWords(String queue);

    /** See {@link DelayJobAdmin#findIndexed}; an {@link IllegalArgumentException} is thrown by the call. */
    CompletableFuture<IndexedJobs> findIndexed(String queue, IndexedValue value);

    /** See {@link DelayJobAdmin#explain}. */
    CompletableFuture<Explanation> explain(String queue, String id);

    /** See {@link DelayJobAdmin#history}; an {@link IllegalStateException} is thrown by the call. */
    CompletableFuture<List<JobStep>> history(String queue, String id, int limit);

    /** See {@link DelayJobAdmin#ended}; an {@link IllegalStateException} is thrown by the call. */
    CompletableFuture<EndedPage> ended(EndedQuery query);

    /** See {@link DelayJobAdmin#nodes}. */
    CompletableFuture<List<NodeSnapshot>> nodes(String queue);

    /** See {@link DelayJobAdmin#queues}. */
    CompletableFuture<Set<String>> queues();

    /** See {@link DelayJobAdmin#unconsumedQueues}. */
    CompletableFuture<Map<String, QueueCounts>> unconsumedQueues();

    /** See {@link DelayJobAdmin#cancel}. */
    CompletableFuture<ActionResult> cancel(String queue, String id);

    /** See {@link DelayJobAdmin#reschedule}. */
    CompletableFuture<ActionResult> reschedule(String queue, String id, Duration delay);

    /** See {@link DelayJobAdmin#runNow}. */
    default CompletableFuture<ActionResult> runNow(String queue, String id) {
        return reschedule(queue, id, Duration.ZERO);
    }

    /** See {@link DelayJobAdmin#redrive}. */
    CompletableFuture<ActionResult> redrive(String queue, String id);

    /** See {@link DelayJobAdmin#purge}. */
    CompletableFuture<ActionResult> purge(String queue, String id);

    /** See {@link DelayJobAdmin#redriveAll(String, int)}. */
    CompletableFuture<Integer> redriveAll(String queue, int limit);

    /** See {@link DelayJobAdmin#redriveAll(String, int, int)}. */
    CompletableFuture<Integer> redriveAll(String queue, int limit, int perSecond);

    /** See {@link DelayJobAdmin#purgeDead}. */
    CompletableFuture<Integer> purgeDead(String queue, Duration olderThan, int limit);

    /** See {@link DelayJobAdmin#counts(String)}. */
    CompletableFuture<QueueCounts> counts(String queue);

    /** See {@link DelayJobAdmin#counts(Collection)}; fails if those of one queue cannot be read. */
    CompletableFuture<Map<String, QueueCounts>> counts(Collection<String> queues);

    /** See {@link DelayJobAdmin#pause(String)}; the future completes when Redis has stored it. */
    CompletableFuture<Void> pause(String queue);

    /** See {@link DelayJobAdmin#resume(String)}; the future completes when Redis has stored it. */
    CompletableFuture<Void> resume(String queue);

    /** See {@link DelayJobAdmin#limits(String)}. */
    CompletableFuture<DelayJobLimits> limits(String queue);

    /** See {@link DelayJobAdmin#limits(String, String)}. */
    CompletableFuture<DelayJobLimits.OfKey> limits(String queue, String key);

    /** See {@link DelayJobAdmin#setLimits(String, Limits)}. */
    CompletableFuture<Void> setLimits(String queue, Limits limits);

    /** See {@link DelayJobAdmin#setLimits(String, String, Limits)}. */
    CompletableFuture<Void> setLimits(String queue, String key, Limits limits);

    /** See {@link DelayJobAdmin#clearLimits(String)}. */
    CompletableFuture<Void> clearLimits(String queue);

    /** See {@link DelayJobAdmin#clearLimits(String, String)}. */
    CompletableFuture<Void> clearLimits(String queue, String key);

    /** See {@link DelayJobAdmin#pause(String, String)}. */
    CompletableFuture<Void> pause(String queue, String key);

    /** See {@link DelayJobAdmin#resume(String, String)}. */
    CompletableFuture<Void> resume(String queue, String key);
}
