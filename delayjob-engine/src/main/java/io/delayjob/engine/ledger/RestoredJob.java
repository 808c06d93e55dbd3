package io.delayjob.engine.ledger;

import io.delayjob.Dedupe;
import io.delayjob.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A job to be put back as it was.
 *
 * @param id its id
 * @param record its record, whole, as it was stored
 * @param state {@link JobState#DELAYED} if it waits, {@link JobState#DEAD} if it is dead
 * @param dueMillis when it is due or, if it is dead, when it died, by the ledger's clock in milliseconds since 1970
 * @param attempt how many attempts have begun
 * @param leaseMillis its own lease in milliseconds; null for the queue's
 * @param dedupe its dedupe key; null for none. It gets the key back if it would still hold it and no other job does
 * @param error why the last attempt failed or the job was given up; null if none did
 */
public record RestoredJob(
        String id,
        String record,
        JobState state,
        long dueMillis,
        int attempt,
        @Nullable Long leaseMillis,
        @Nullable Dedupe dedupe,
        @Nullable String error) {

    /** Checks the values. */
    public RestoredJob {
        if (state != JobState.DELAYED && state != JobState.DEAD) {
            throw new IllegalArgumentException("a restored job must be DELAYED or DEAD: " + state);
        }
    }
}
