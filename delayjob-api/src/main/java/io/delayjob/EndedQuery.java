package io.delayjob;

import io.delayjob.support.Checks;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which of the jobs that have ended to look for in the journal. Immutable; each {@code with…} returns a changed copy.
 *
 * @param queue the queue
 * @param states how the jobs ended: {@link JobState#COMPLETED}, {@link JobState#CANCELLED}, or {@link JobState#DEAD} for dead jobs that were deleted; all if empty
 * @param job only jobs of this name (bean class, {@link DelayJobName} or topic); null for all
 * @param idPrefix only jobs whose id begins with this; null for all
 * @param node only jobs that a node or worker had last whose name begins with this; null for all
 * @param error only jobs whose last error contains this, without case; null for all
 * @param text only jobs whose record, with name, headers and param as JSON, contains this as it is written there; null for all
 * @param indexed only jobs that the index of the queue has under this value, the last submitted first; null for all
 * @param due only jobs that were due last in this range
 * @param ended only jobs that ended in this range
 * @param cursor the cursor of the page, from {@link EndedPage#next}; null for the first page
 */
public record EndedQuery(
        String queue,
        Set<JobState> states,
        @Nullable String job,
        @Nullable String idPrefix,
        @Nullable String node,
        @Nullable String error,
        @Nullable String text,
        @Nullable IndexedValue indexed,
        TimeRange due,
        TimeRange ended,
        @Nullable String cursor) {

    private static final Set<JobState> ENDS = EnumSet.of(JobState.COMPLETED, JobState.CANCELLED, JobState.DEAD);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a value is malformed; the message names it
     */
    public EndedQuery {
        Checks.queue(queue);
        states = Set.copyOf(states);
        for (JobState state : states) {
            if (!ENDS.contains(state)) {
                throw new IllegalArgumentException("jobs end COMPLETED, CANCELLED, or DEAD and deleted, not " + state);
            }
        }
        if (job != null) {
            Checks.jobName(job);
        }
        if (idPrefix != null) {
            Checks.id(idPrefix);
        }
        Checks.notNull(due, "due");
        Checks.notNull(ended, "ended");
    }

    /**
     * All jobs of a queue that have ended.
     *
     * @param queue the queue
     * @return the query
     */
    public static EndedQuery of(String queue) {
        return new EndedQuery(queue, Set.of(), null, null, null, null, null, null, TimeRange.ANY, TimeRange.ANY, null);
    }

    /**
     * Only jobs that ended so.
     *
     * @param newStates {@link #states}
     */
    public EndedQuery withStates(Set<JobState> newStates) {
        return new EndedQuery(queue, newStates, job, idPrefix, node, error, text, indexed, due, ended, cursor);
    }

    /**
     * Only jobs of one name.
     *
     * @param newJob {@link #job}
     */
    public EndedQuery withJob(@Nullable String newJob) {
        return new EndedQuery(queue, states, newJob, idPrefix, node, error, text, indexed, due, ended, cursor);
    }

    /**
     * Only jobs whose id begins so. They are answered in the order of their ids.
     *
     * @param newIdPrefix {@link #idPrefix}
     */
    public EndedQuery withIdPrefix(@Nullable String newIdPrefix) {
        return new EndedQuery(queue, states, job, newIdPrefix, node, error, text, indexed, due, ended, cursor);
    }

    /**
     * Only jobs that a node or worker had last.
     *
     * @param newNode {@link #node}
     */
    public EndedQuery withNode(@Nullable String newNode) {
        return new EndedQuery(queue, states, job, idPrefix, newNode, error, text, indexed, due, ended, cursor);
    }

    /**
     * Only jobs with such a last error.
     *
     * @param newError {@link #error}
     */
    public EndedQuery withError(@Nullable String newError) {
        return new EndedQuery(queue, states, job, idPrefix, node, newError, text, indexed, due, ended, cursor);
    }

    /**
     * Only jobs with a text in their record.
     *
     * @param newText {@link #text}
     */
    public EndedQuery withText(@Nullable String newText) {
        return new EndedQuery(queue, states, job, idPrefix, node, error, newText, indexed, due, ended, cursor);
    }

    /**
     * Only jobs that the index of the queue has under a value.
     *
     * @param newIndexed {@link #indexed}
     */
    public EndedQuery withIndexed(@Nullable IndexedValue newIndexed) {
        return new EndedQuery(queue, states, job, idPrefix, node, error, text, newIndexed, due, ended, cursor);
    }

    /**
     * Only jobs that were due last in a range.
     *
     * @param newDue {@link #due}
     */
    public EndedQuery withDue(TimeRange newDue) {
        return new EndedQuery(queue, states, job, idPrefix, node, error, text, indexed, newDue, ended, cursor);
    }

    /**
     * Only jobs that ended in a range.
     *
     * @param newEnded {@link #ended}
     */
    public EndedQuery withEnded(TimeRange newEnded) {
        return new EndedQuery(queue, states, job, idPrefix, node, error, text, indexed, due, newEnded, cursor);
    }

    /**
     * The page after another one.
     *
     * @param newCursor {@link EndedPage#next}
     */
    public EndedQuery after(@Nullable String newCursor) {
        return new EndedQuery(queue, states, job, idPrefix, node, error, text, indexed, due, ended, newCursor);
    }
}
