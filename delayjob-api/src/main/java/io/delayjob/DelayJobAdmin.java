package io.delayjob;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One place to look at jobs and to act on them. What an action on a job did, and what state the job was in, is decided by Redis
 * in one step; {@link ActionResult} says it. Thread-safe. {@link AsyncDelayJobAdmin} does the same without waiting.
 *
 * <p>Every method throws {@link IllegalArgumentException} for a malformed argument, and {@link DelayJobException} if Redis, or the
 * database of the journal, could not be asked. A call that throws may still have taken effect; repeating it is safe.
 */
public interface DelayJobAdmin {

    /**
     * Looks a job up.
     *
     * @param queue the job's queue
     * @param id the job's id
     * @return the job, or empty if there is none: never submitted, or finished and not retained
     */
    Optional<JobSnapshot> find(String queue, String id);

    /**
     * Lists jobs of a state, page by page. What runs where is the list of {@link JobState#RESERVED}.
     *
     * @param query the queue, the state, what to look for and where to begin
     * @return a page
     */
    JobPage list(JobQuery query);

    /**
     * The words of a queue's index, by the settings of this application ({@code delayjob.queues.<queue>.index}).
     *
     * @param queue the queue
     * @return the names of fields, and {@code tag}; empty if the queue has no index
     */
    List<String> indexWords(String queue);

    /**
     * Finds jobs by a field of their params, or by a tag, in the index of their queue, whatever their state and however many others there are. The index has
     * the jobs that have not ended and were submitted by an application with that word in its settings. {@link #ended} finds those that have ended.
     *
     * @param queue the queue
     * @param value the word of the index, and the value
     * @return at most {@value IndexedJobs#MOST} jobs
     * @throws IllegalArgumentException if the index of the queue, by the settings of this application, does not have the word; the message names those it has
     */
    IndexedJobs findIndexed(String queue, IndexedValue value);

    /**
     * Says why a job is not running.
     *
     * @param queue the job's queue
     * @param id the job's id
     * @return the first reason that applies
     */
    Explanation explain(String queue, String id);

    /**
     * The history of a job, step by step: when it was submitted, which node or worker had which attempt, how each ended and why. The
     * steps are those of the journal ({@code delayjob-journal}), which is a little behind Redis: usually less than a second.
     *
     * @param queue the job's queue
     * @param id the job's id
     * @param limit at most this many steps, the last ones, 1 to 1000
     * @return the steps, in order; those of all jobs that had the id; empty if the journal knows none. What happened before the queue had
     *     a journal, or longer ago than {@code delayjob.journal.flow-retention}, is not known
     * @throws IllegalStateException if this application keeps no journal of the queue; the message says how to get one
     */
    List<JobStep> history(String queue, String id, int limit);

    /**
     * Looks for jobs that have ended, page by page, in the journal ({@code delayjob-journal}): completed ones, cancelled ones, and dead ones that were
     * deleted. It knows them for {@code delayjob.journal.retention}, and is a little behind Redis: usually less than a second.
     *
     * @param query the queue, what to look for and where to begin
     * @return a page
     * @throws IllegalStateException if this application keeps no journal of the queue; the message says how to get one
     */
    EndedPage ended(EndedQuery query);

    /**
     * The nodes that consume a queue, and those that claim its jobs for workers elsewhere.
     *
     * @param queue the queue
     * @return the nodes, by name
     */
    List<NodeSnapshot> nodes(String queue);

    /**
     * The queues that nodes of the fleet submit to or take jobs from.
     *
     * @return their names, at most 10,000: those named last. A queue is named by its first submit of each node, and each minute by
     *     the nodes that submit to it or run its jobs
     */
    Set<String> queues();

    /**
     * The queues that hold jobs and that no live node runs, such as one whose name was misspelt. A queue counts as run for a minute after
     * each claim for workers elsewhere. Asks for each of {@link #queues} in turn.
     *
     * @return their job counts, by queue name; queues that hold only finished jobs are left out
     */
    Map<String, QueueCounts> unconsumedQueues();

    /**
     * Cancels a job. A waiting job never runs. A running job is interrupted, on whichever node it runs, and what it does afterwards
     * has no effect on the job's state. If a cancel and a completion arrive together, Redis decides: one of them happens.
     *
     * @param queue the job's queue
     * @param id the job's id
     * @return done if the job was {@link JobState#DELAYED}, {@link JobState#READY} or {@link JobState#RESERVED}
     */
    ActionResult cancel(String queue, String id);

    /**
     * Gives a waiting job a new due time.
     *
     * @param queue the job's queue
     * @param id the job's id
     * @param delay from now, by Redis' clock; zero for at once
     * @return done if the job was {@link JobState#DELAYED} or {@link JobState#READY}
     */
    ActionResult reschedule(String queue, String id, Duration delay);

    /**
     * Makes a waiting job due now.
     *
     * @param queue the job's queue
     * @param id the job's id
     * @return done if the job was {@link JobState#DELAYED} or {@link JobState#READY}
     */
    default ActionResult runNow(String queue, String id) {
        return reschedule(queue, id, Duration.ZERO);
    }

    /**
     * Makes a dead job ready again, with its attempts counted from the start.
     *
     * @param queue the job's queue
     * @param id the job's id
     * @return done if the job was {@link JobState#DEAD}
     */
    ActionResult redrive(String queue, String id);

    /**
     * Removes a dead job for good.
     *
     * @param queue the job's queue
     * @param id the job's id
     * @return done if it was dead; refused if it is in another state
     */
    ActionResult purge(String queue, String id);

    /**
     * Makes dead jobs ready again, those that died first to begin with.
     *
     * @param queue the queue
     * @param limit at most this many, at least 1
     * @return how many; fewer than {@code limit} if no more were dead
     */
    int redriveAll(String queue, int limit);

    /**
     * Redrives dead jobs at a rate, so that the systems that they call are not overloaded. Each job gets its own due time in this
     * call, so nothing has to keep running for the rate.
     *
     * @param queue the queue
     * @param limit at most this many, at least 1
     * @param perSecond how many become due in a second, 1 to 1,000,000
     * @return how many; fewer than {@code limit} if no more were dead
     */
    int redriveAll(String queue, int limit, int perSecond);

    /**
     * Removes jobs that have been dead for long, for good.
     *
     * @param queue the queue
     * @param olderThan how long they have been dead at least, by Redis' clock; zero for all
     * @param limit at most this many, at least 1
     * @return how many; fewer than {@code limit} if no more were that old
     */
    int purgeDead(String queue, Duration olderThan, int limit);

    /**
     * Counts jobs by state.
     *
     * @param queue the queue
     * @return the counts; zeros for a queue that nobody uses
     */
    QueueCounts counts(String queue);

    /**
     * Counts the jobs of several queues by state, with fewer calls than {@link #counts(String)} for each: some after the other, so that others
     * need not wait for Redis until all are counted.
     *
     * @param queues the queues
     * @return the counts of each, in their order; zeros for a queue that nobody uses
     */
    Map<String, QueueCounts> counts(Collection<String> queues);

    /**
     * Stops the whole fleet from claiming jobs of a queue. Running jobs go on, and so do jobs that are
     * due within the next 50 ms at most, which a node may have claimed already; submits are taken. Lasts until
     * {@link #resume(String)}, over restarts of every node. Where Redis has lost its data, a restore of the queue from a journal pauses it again.
     *
     * @param queue the queue
     */
    void pause(String queue);

    /**
     * Lets the fleet claim jobs of a queue again, also if a handler was told to slow down, see {@link RateLimitedException}.
     *
     * @param queue the queue
     */
    void resume(String queue);

    /**
     * The limits of a queue and of its keys, and the keys that they hold back.
     *
     * @param queue the queue
     * @return the limits
     */
    DelayJobLimits limits(String queue);

    /**
     * The limits of one key, and what they hold back.
     *
     * @param queue the queue
     * @param key the key
     * @return what is known about it; of a key without jobs, its limits alone
     */
    DelayJobLimits.OfKey limits(String queue, String key);

    /**
     * Sets the limits of a queue, in place of those in the settings of its nodes. They last until {@link #clearLimits(String)}, over restarts of every
     * node, and apply on all nodes at once. Lower limits interrupt no job.
     *
     * <p>Of a queue with several shards, each shard has a share, which follows what waits there, so the concurrency must be at least the number of shards.
     *
     * @param queue the queue
     * @param limits its limits, and those of each key
     * @throws IllegalArgumentException if the limits have an order or a weight, or do not suffice for the shards
     * @throws DelayJobException if Redis could not be asked; some shards may then have the new limits, which nodes that consume the queue bring to the others once
     *     these can be reached
     */
    void setLimits(String queue, Limits limits);

    /**
     * Sets the limits of one key, in place of those of each key. They last until {@link #clearLimits(String, String)}.
     *
     * @param queue the queue
     * @param key the key
     * @param limits its limits
     * @throws IllegalArgumentException if the limits have limits for each key
     * @throws TooManyKeysException if 10,000 other keys of its shard have limits of their own or are paused
     */
    void setLimits(String queue, String key, Limits limits);

    /**
     * Removes the limits that were set, so that those in the settings of the nodes apply.
     *
     * @param queue the queue
     */
    void clearLimits(String queue);

    /**
     * Removes the limits of one key, so that those of each key apply.
     *
     * @param queue the queue
     * @param key the key
     */
    void clearLimits(String queue, String key);

    /**
     * Lets no job of a key begin until {@link #resume(String, String)}. Running jobs go on, and submits are taken.
     *
     * @param queue the queue
     * @param key the key
     * @throws TooManyKeysException if 10,000 other keys of its shard have limits of their own or are paused
     */
    void pause(String queue, String key);

    /**
     * Lets the jobs of a key begin again, also if a handler was told to slow down, see {@link RateLimitedException}.
     *
     * @param queue the queue
     * @param key the key
     */
    void resume(String queue, String key);
}
