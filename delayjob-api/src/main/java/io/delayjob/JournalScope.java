package io.delayjob;

import io.delayjob.support.Checks;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which of the jobs that the journal has: all unfinished ones, unless it is narrowed. Immutable; each {@code with…} and the like
 * returns a changed copy.
 *
 * @param queue only this queue; null for all that have a journal
 * @param id only the job of this id, in {@code queue}; null for all
 * @param dueFrom only jobs due at this time or later; null for all
 * @param dueTo only jobs due before this time; null for all
 * @param overdue whether jobs that are overdue are included
 */
public record JournalScope(
        @Nullable String queue,
        @Nullable String id,
        @Nullable Instant dueFrom,
        @Nullable Instant dueTo,
        boolean overdue) {

    /** All unfinished jobs of all queues that have a journal. */
    public static final JournalScope ALL = new JournalScope(null, null, null, null, true);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is malformed, an id has no queue, or the range is empty; the message names it
     */
    public JournalScope {
        Checks.ifGiven(queue, Checks::queue);
        Checks.ifGiven(id, Checks::id);
        Checks.ifGiven(dueFrom, from -> Checks.dueAt(from, "dueFrom"));
        Checks.ifGiven(dueTo, to -> Checks.dueAt(to, "dueTo"));
        if (id != null && queue == null) {
            throw new IllegalArgumentException(
                    "a job is named by its queue and its id: state the queue of '" + id + "'");
        }
        if (dueFrom != null && dueTo != null && !dueFrom.isBefore(dueTo)) {
            throw new IllegalArgumentException("dueFrom must be before dueTo: " + dueFrom + " and " + dueTo);
        }
    }

    /**
     * All unfinished jobs of a queue.
     *
     * @param queue the queue
     */
    public static JournalScope of(String queue) {
        return new JournalScope(Checks.queue(queue), null, null, null, true);
    }

    /**
     * One job.
     *
     * @param queue its queue
     * @param id its id
     */
    public static JournalScope of(String queue, String id) {
        return new JournalScope(Checks.queue(queue), Checks.id(id), null, null, true);
    }

    /**
     * Only jobs that are due in a range.
     *
     * @param from its beginning; null for none
     * @param to its end, which does not belong to it; null for none
     */
    public JournalScope due(@Nullable Instant from, @Nullable Instant to) {
        return new JournalScope(queue, id, from, to, overdue);
    }

    /** Without jobs that are overdue. */
    public JournalScope withoutOverdue() {
        return new JournalScope(queue, id, dueFrom, dueTo, false);
    }
}
