package io.delayjob;

import io.delayjob.support.Checks;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs to list. Immutable; each {@code with…} returns a changed copy.
 *
 * @param queue the queue
 * @param state the state the jobs are in; {@link JobState#COMPLETED} and {@link JobState#CANCELLED} list what the queue retains
 * @param job only jobs of this name (bean class, {@link DelayJobName} or topic); null for all
 * @param idPrefix only jobs whose id begins with this; null for all
 * @param times only jobs whose time is in this range: the one that belongs to their state, see {@link JobPage}. Others are not looked at
 * @param limit the most jobs on a page, 1 to 1000
 * @param cursor the cursor of the page, from {@link JobPage#next}; null for the first page
 */
public record JobQuery(
        String queue,
        JobState state,
        @Nullable String job,
        @Nullable String idPrefix,
        TimeRange times,
        int limit,
        @Nullable String cursor) {

    /** The most jobs on a page. */
    public static final int MAX_LIMIT = 1000;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a value is out of range; the message names it
     */
    public JobQuery {
        Checks.queue(queue);
        Checks.notNull(state, "state");
        if (job != null) {
            Checks.jobName(job);
        }
        if (idPrefix != null) {
            Checks.id(idPrefix);
        }
        Checks.notNull(times, "times");
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit must be 1 to " + MAX_LIMIT + ": " + limit);
        }
    }

    /**
     * The first 100 jobs of a state.
     *
     * @param queue the queue
     * @param state the state
     * @return the query
     */
    public static JobQuery of(String queue, JobState state) {
        return new JobQuery(queue, state, null, null, TimeRange.ANY, 100, null);
    }

    /**
     * Only jobs of one name.
     *
     * @param newJob bean class, {@link DelayJobName} or topic
     */
    public JobQuery withJob(String newJob) {
        return new JobQuery(queue, state, Checks.jobName(newJob), idPrefix, times, limit, cursor);
    }

    /**
     * Only jobs of one class that has no {@link DelayJobName}.
     *
     * @param newJob the bean class
     */
    public JobQuery withJob(Class<? extends DelayJob<?>> newJob) {
        return withJob(Checks.notNull(newJob, "job").getName());
    }

    /**
     * Only jobs whose id begins with a prefix.
     *
     * @param newIdPrefix 1 to 128 characters
     */
    public JobQuery withIdPrefix(String newIdPrefix) {
        return new JobQuery(queue, state, job, Checks.id(newIdPrefix), times, limit, cursor);
    }

    /**
     * Only jobs whose time is in a range.
     *
     * @param newTimes {@link #times}
     */
    public JobQuery withTimes(TimeRange newTimes) {
        return new JobQuery(queue, state, job, idPrefix, newTimes, limit, cursor);
    }

    /**
     * With another page size.
     *
     * @param newLimit 1 to 1000
     */
    public JobQuery withLimit(int newLimit) {
        return new JobQuery(queue, state, job, idPrefix, times, newLimit, cursor);
    }

    /**
     * The page after another one.
     *
     * @param newCursor {@link JobPage#next}
     */
    public JobQuery after(@Nullable String newCursor) {
        return new JobQuery(queue, state, job, idPrefix, times, limit, newCursor);
    }
}
