package io.delayjob;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Access to the journal of jobs: shows their history, compares the journal with Redis, and restores jobs that Redis has lost. Jobs may be
 * submitted, run and settled meanwhile. Thread-safe. Every method blocks until it is done, throws {@link IllegalArgumentException} for a
 * malformed argument, and {@link DelayJobException} if Redis or the database could not be asked; it may be repeated then.
 */
public interface DelayJobJournal {

    /** {@return the names of the queues that have a journal, also of those that Redis knows nothing of any more} */
    Set<String> queues();

    /**
     * How far the journal of a queue is behind Redis, as this node knows it: for how long the oldest step that is not in the database has
     * been in Redis. Does not wait, neither for Redis nor for the database.
     *
     * @param queue the queue
     * @return zero if all is written, or this node does not write the journal of the queue; in milliseconds
     */
    Duration lag(String queue);

    /**
     * The queues in which the journal knows a job of an id, whether or not it has finished.
     *
     * @param id the id
     * @return their names
     */
    Set<String> queuesOf(String id);

    /**
     * The history of a job, step by step; the same as {@link DelayJobAdmin#history}. The journal is a little behind Redis: usually less
     * than a second.
     *
     * @param queue its queue
     * @param id its id
     * @param limit at most this many steps, the last ones, 1 to 1000
     * @return the steps, in order; those of all jobs that had the id; empty if the journal knows none. What happened before the queue had a
     *     journal, or longer ago than {@code delayjob.journal.flow-retention}, is not known
     */
    List<JobStep> history(String queue, String id, int limit);

    /**
     * Compares the unfinished jobs of the journal with those of Redis. Changes nothing.
     *
     * @param scope which jobs
     * @return how they differ
     * @throws IllegalArgumentException if the scope names a queue that has no journal
     */
    JournalDiff diff(JournalScope scope);

    /**
     * Puts jobs back that the journal has as unfinished and that Redis does not have, as they were: their due time, their attempts,
     * dead ones as dead. Jobs that Redis has are not changed, so a restore of a Redis that has lost nothing changes no job. A restore of a whole queue first sets
     * its limits as the journal has them, and pauses what was paused. A job that
     * ran in a Redis that was lost before the journal had heard of it runs again.
     *
     * @param restore which jobs, and how
     * @return how many jobs were examined and restored, and how many were left alone and why
     * @throws IllegalArgumentException if the scope names a queue that has no journal, a job that the journal does not know, or one that
     *     has finished while {@link JobRestore#finished} is false; the message says which
     * @throws IllegalStateException if another restore goes on, on whichever node
     */
    RestoreReport restore(JobRestore restore);

    /**
     * Cancels all unfinished jobs of a queue, or only removes them from Redis.
     *
     * @param queue the queue
     * @param forGood whether the jobs are cancelled; if not, they are only removed from Redis, and {@link #restore} puts them back
     * @return how many were removed; running ones too, which then have no effect any more
     * @throws IllegalArgumentException if the queue has no journal
     * @throws IllegalStateException if jobs are to be cancelled and a restore goes on; one of this queue is ended first
     */
    default long clear(String queue, boolean forGood) {
        return clear(queue, forGood, Long.MAX_VALUE);
    }

    /**
     * The same, unless there are more jobs than somebody has agreed to.
     *
     * @param queue the queue
     * @param forGood whether the jobs are cancelled
     * @param most how many may be removed at most, not counting those that Redis has lost; of jobs that are submitted meanwhile, no more are
     *     removed than this leaves room for
     * @return how many were removed
     * @throws IllegalArgumentException if the queue has no journal, or has more unfinished jobs than {@code most}; nothing is changed then
     * @throws IllegalStateException if jobs are to be cancelled and a restore goes on; one of this queue is ended first
     */
    long clear(String queue, boolean forGood, long most);
}
