package io.delayjob.journal.internal.tables;

import io.delayjob.JobState;
import org.jspecify.annotations.Nullable;

/**
 * The part of a job that changes. Times are milliseconds since 1970.
 *
 * @param live whether the id is this job's: Redis has it, or it waits for its time in this database alone. False of a job that has ended,
 *     and of one that was just submitted: Redis decides whether its id is free
 * @param state its state; DELAYED for a job that waits, whether or not it is due
 * @param attempt how many attempts have begun
 * @param dueAt when it is due; of a dead job, when it died
 * @param placeAt the due time by which it keeps its place before other jobs of its key, if that is not {@code dueAt}, or if it is dead and
 *     holds its key; null otherwise
 * @param fromNow whether {@code dueAt} is by the database's clock because it was submitted with a delay and Redis may not have it yet
 * @param relayAt when it is brought to Redis, by the database's clock; null once Redis is known to have it, or it has ended
 * @param node the node that runs it, or ran it last
 * @param error why the last attempt failed, or the job was given up
 * @param result its result, as JSON
 * @param changedAt when it came into this state
 * @param finishedAt when it was completed, cancelled or removed; null of a job that waits, runs or is dead
 */
public record Status(
        boolean live,
        JobState state,
        int attempt,
        long dueAt,
        @Nullable Long placeAt,
        boolean fromNow,
        @Nullable Long relayAt,
        @Nullable String node,
        @Nullable String error,
        @Nullable String result,
        long changedAt,
        @Nullable Long finishedAt) {

    /**
     * How much later than otherwise {@code relayAt} is while a row is held: the database was put back to an older state, so Redis may have had
     * the job, and only an operator may let it be brought there. In milliseconds; more than any job waits, and no job's due time is so late.
     */
    static final long HELD_MILLIS = 1_000_000_000_000_000L;

    /** Of a job that has the place of its due time. */
    public Status(
            boolean live,
            JobState state,
            int attempt,
            long dueAt,
            boolean fromNow,
            @Nullable Long relayAt,
            @Nullable String node,
            @Nullable String error,
            @Nullable String result,
            long changedAt,
            @Nullable Long finishedAt) {
        this(live, state, attempt, dueAt, null, fromNow, relayAt, node, error, result, changedAt, finishedAt);
    }

    /** Whether this is the {@code relayAt} of a row that is held. */
    static boolean isHeld(@Nullable Long relayAt) {
        return relayAt != null && relayAt >= HELD_MILLIS;
    }

    /** Whether it is not brought to Redis until an operator lets it, because Redis may have had it. */
    public boolean isHeld() {
        return isHeld(relayAt);
    }

    /** Whether another shard has had a job of its id since, so that this one has ended; its end is not read from the log of its shard yet. */
    public boolean isOvertaken() {
        return !live && relayAt == null && finishedAt == null;
    }

    /** The same of a job that does not have its id. */
    public Status notLive() {
        return withLive(false);
    }

    /** The same of a job that has its id, or does not. */
    public Status withLive(boolean itIs) {
        return new Status(
                itIs, state, attempt, dueAt, placeAt, fromNow, relayAt, node, error, result, changedAt, finishedAt);
    }
}
