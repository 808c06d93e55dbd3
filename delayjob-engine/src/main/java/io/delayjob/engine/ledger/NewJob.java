package io.delayjob.engine.ledger;

import io.delayjob.Dedupe;
import org.jspecify.annotations.Nullable;

/**
 * A job to be stored.
 *
 * @param id its id
 * @param due when the job is due
 * @param leaseMillis its own lease in milliseconds; null for the queue's
 * @param dedupe its dedupe key; null for none
 * @param body the record's JSON after the fields that the ledger writes, up to and including the closing brace
 */
public record NewJob(
        String id,
        Due due,
        @Nullable Long leaseMillis,
        @Nullable Dedupe dedupe,
        String body) {

    /**
     * A moment by the ledger's clock.
     *
     * @param millis milliseconds from now, or since 1970
     * @param fromNow whether {@code millis} counts from now
     */
    public record Due(long millis, boolean fromNow) {}
}
