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
 * @param attempt how many attempts have begun
 * @param error why the last attempt failed or the job was given up; null if none did
 */
public record RestoredJob(
        String id,
        JobContent content,
        JobState state,
        long dueMillis,
        int attempt,
        @Nullable String error) {

    /** Checks the values. */
    public RestoredJob {
        if (state != JobState.DELAYED && state != JobState.DEAD) {
            throw new IllegalArgumentException("a restored job must be DELAYED or DEAD: " + state);
        }
    }
}
