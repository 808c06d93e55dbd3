package io.delayjob.engine.ledger;

import io.delayjob.QueueCounts;
import java.util.Map;

/**
 * The number of jobs of one or several shards, how overdue they and their schedules are, and which of them no node can run.
 *
 * @param counts the number of jobs in each state
 * @param overdueMillis for how many milliseconds the job that has waited longest has been due, or without its lease; 0 if none waits.
 *     A job that nodes could not run is due since its own due time, however often it was offered again
 * @param unservedMillis for how many milliseconds the earliest instant of a schedule has come and no node has served it; 0 if none has
 * @param heldKeys how many keys limits hold back though a job of theirs is due. A key is in one shard
 * @param limitedJobs how many due jobs limits hold back, of the queue or of their keys; each held key beyond the first 200 of a shard
 *     counts as one job
 * @param unhandled how many due jobs wait for a handler that no live node has, by its name; under {@link #NEWER}, how many have a
 *     record of a newer format than the nodes can read. A count may include some that no longer wait
 */
public record Tally(
        QueueCounts counts,
        long overdueMillis,
        long unservedMillis,
        long heldKeys,
        long limitedJobs,
        Map<String, Long> unhandled) {

    /** Stands for the name of jobs whose records no node could read, because another release wrote them. */
    public static final String NEWER = "(newer format)";

    /** Of shards whose due jobs all have a node with their handler and may begin, and whose schedules are served. */
    public Tally(QueueCounts counts, long overdueMillis) {
        this(counts, overdueMillis, 0, 0, 0, Map.of());
    }
}
