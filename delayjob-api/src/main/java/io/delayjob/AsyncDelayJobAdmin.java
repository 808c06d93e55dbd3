package io.delayjob;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * {@link DelayJobAdmin} without waiting for Redis: each method means what the one of the same name there does. An
 * {@link IllegalArgumentException} is thrown by the call, a {@link DelayJobException} comes in the future. What is hung on a future
 * runs on the threads that {@link DelayJobProducer} tells of. Thread-safe.
 */
public interface AsyncDelayJobAdmin {

    /**
     * Looks a job up.
     *
     * @param queue the job's queue
     * @param id the job's id
     * @return the job, or empty if there is none
     */
    CompletableFuture<Optional<JobSnapshot>> find(String queue, String id);

    /**
     * Lists jobs of a state, page by page.
     *
     * @param query the queue, the state, what to look for and where to begin
     * @return a page
     */
    CompletableFuture<JobPage> list(JobQuery query);

    /**
     * Says why a job is not running.
     *
     * @param queue the job's queue
     * @param id the job's id
     * @return the first reason that applies
     */
    CompletableFuture<Explanation> explain(String queue, String id);

    /**
     * The nodes that consume a queue.
     *
     * @param queue the queue
     * @return the nodes, by name
     */
    CompletableFuture<List<NodeSnapshot>> nodes(String queue);

    /**
     * The queues that nodes of the fleet submit to or take jobs from.
     *
     * @return their names
     */
    CompletableFuture<Set<String>> queues();

    /**
     * The queues that hold jobs and that no live node runs.
     *
     * @return what they hold, by name
     */
    CompletableFuture<Map<String, QueueCounts>> unconsumedQueues();

    /**
     * Calls a job off, waiting or running.
     *
     * @param queue the job's queue
     * @param id the job's id
     * @return done if the job was {@link JobState#DELAYED}, {@link JobState#READY} or {@link JobState#RESERVED}
     */
    CompletableFuture<ActionResult> cancel(String queue, String id);

    /**
     * Gives a waiting job a new due time.
     *
     * @param queue the job's queue
     * @param id the job's id
     * @param delay from now, by Redis' clock; zero for at once
     * @return done if the job was {@link JobState#DELAYED} or {@link JobState#READY}
     */
    CompletableFuture<ActionResult> reschedule(String queue, String id, Duration delay);

    /**
     * Makes a waiting job due now.
     *
     * @param queue the job's queue
     * @param id the job's id
     * @return done if the job was {@link JobState#DELAYED} or {@link JobState#READY}
     */
    default CompletableFuture<ActionResult> runNow(String queue, String id) {
        return reschedule(queue, id, Duration.ZERO);
    }

    /**
     * Makes a dead job ready again, with its attempts counted from the start.
     *
     * @param queue the job's queue
     * @param id the job's id
     * @return done if the job was {@link JobState#DEAD}
     */
    CompletableFuture<ActionResult> redrive(String queue, String id);

    /**
     * Makes dead jobs ready again, those that died first to begin with.
     *
     * @param queue the queue
     * @param limit at most this many, at least 1
     * @return how many
     */
    CompletableFuture<Integer> redriveAll(String queue, int limit);

    /**
     * Redrives dead jobs at a rate.
     *
     * @param queue the queue
     * @param limit at most this many, at least 1
     * @param perSecond how many become due in a second, 1 to 1,000,000
     * @return how many
     */
    CompletableFuture<Integer> redriveAll(String queue, int limit, int perSecond);

    /**
     * Removes jobs that have been dead for long, for good.
     *
     * @param queue the queue
     * @param olderThan how long they have been dead at least, by Redis' clock; zero for all
     * @param limit at most this many, at least 1
     * @return how many
     */
    CompletableFuture<Integer> purgeDead(String queue, Duration olderThan, int limit);

    /**
     * Counts jobs by state.
     *
     * @param queue the queue
     * @return the counts
     */
    CompletableFuture<QueueCounts> counts(String queue);

    /**
     * Stops the whole fleet from claiming jobs of a queue.
     *
     * @param queue the queue
     * @return done when Redis has it
     */
    CompletableFuture<Void> pause(String queue);

    /**
     * Lets the fleet claim jobs of a queue again.
     *
     * @param queue the queue
     * @return done when Redis has it
     */
    CompletableFuture<Void> resume(String queue);
}
