package io.delayjob;

import java.time.Duration;
import java.util.Optional;

/**
 * One place to look at jobs and to act on them. Every call is one script per shard, decided by Redis at that moment.
 * Thread-safe.
 *
 * <p>Every method throws {@link IllegalArgumentException} for a malformed queue name or id, and {@link DelayJobException} if
 * Redis could not be asked. A call that throws may still have taken effect; repeating it is safe.
 */
public interface DelayJobAdmin {

    /**
     * Looks a job up.
     *
     * @param queue the job's queue
     * @param id the job's id
     * @return the job, or empty if there is none: never submitted, completed or cancelled
     */
    Optional<JobSnapshot> find(String queue, String id);

    /**
     * Calls off a job that has not been handed to a worker.
     *
     * @param queue the job's queue
     * @param id the job's id
     * @return true if the job was waiting and is now removed; false if there is none, it is running, or it is dead
     */
    boolean cancel(String queue, String id);

    /**
     * Gives a waiting job a new due time.
     *
     * @param queue the job's queue
     * @param id the job's id
     * @param delay from now, by Redis' clock; zero for at once
     * @return true if the job was waiting; false if there is none, it is running, or it is dead
     */
    boolean reschedule(String queue, String id, Duration delay);

    /**
     * Makes a dead job ready again, with its attempts counted from the start.
     *
     * @param queue the job's queue
     * @param id the job's id
     * @return true if the job was dead
     */
    boolean redrive(String queue, String id);

    /**
     * Makes dead jobs ready again, those that died first to begin with.
     *
     * @param queue the queue
     * @param limit at most this many, at least 1
     * @return how many; fewer than {@code limit} if no more were dead
     */
    int redriveAll(String queue, int limit);

    /**
     * Counts jobs by state.
     *
     * @param queue the queue
     * @return the counts; zeros for a queue that nobody uses
     */
    QueueCounts counts(String queue);

    /**
     * Stops the whole fleet from claiming jobs of a queue. Running jobs go on; submits are taken. Lasts until
     * {@link #resume}, over restarts of every node.
     *
     * @param queue the queue
     */
    void pause(String queue);

    /**
     * Lets the fleet claim jobs of a queue again.
     *
     * @param queue the queue
     */
    void resume(String queue);
}
