package io.delayjob.engine.ledger;

import io.delayjob.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A job to be put back as it was.
 *
 * @param id its id
 * @param content its content as it was stored. It gets its dedupe key back if it would still hold it and no other job does
 * @param state {@link JobState#DELAYED} if it waits, {@link JobState#DEAD} if it is dead
 * @param dueMillis when it is due or, if it is dead, when it died, by the ledger's clock in milliseconds since 1970
 * @param placeMillis the due time by which it has its place before other jobs of its key, if that is not {@code dueMillis}: in a strict order, a job that
 *     waits for its next attempt keeps the place of the first, and so does a dead job that holds its key; null for that of {@code dueMillis}, which a job
 *     without a key has, or if a dead job has none
 * @param attempt how many attempts have begun
 * @param error why the last attempt failed or the job was given up; null if none did
 * @param pointer the pointer of its id to this shard; null if that is the id's own
 */
public record RestoredJob(
        String id,
        JobContent content,
        JobState state,
        long dueMillis,
        @Nullable Long placeMillis,
        int attempt,
        @Nullable String error,
        @Nullable Pointer pointer) {

    /** With the place of its due time, in the shard of its id. */
    public RestoredJob(
            String id, JobContent content, JobState state, long dueMillis, int attempt, @Nullable String error) {
        this(id, content, state, dueMillis, null, attempt, error, null);
    }

    /** Checks the values. */
    public RestoredJob {
        if (state != JobState.DELAYED && state != JobState.DEAD) {
            throw new IllegalArgumentException("a restored job must be DELAYED or DEAD: " + state);
        }
        boolean isUsual = state != JobState.DEAD && Long.valueOf(dueMillis).equals(placeMillis);
        if (isUsual || content.key() == null) {
            placeMillis = null;
        }
    }

    /** The same job, which the pointer points to. */
    public RestoredJob with(Pointer itsPointer) {
        return new RestoredJob(id, content, state, dueMillis, placeMillis, attempt, error, itsPointer);
    }
}
