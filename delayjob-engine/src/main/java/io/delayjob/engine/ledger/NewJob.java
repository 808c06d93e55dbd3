package io.delayjob.engine.ledger;

import io.delayjob.Dedupe;
import org.jspecify.annotations.Nullable;

/**
 * A job to be stored.
 *
 * @param id its id
 * @param due when
 * @param leaseMillis its own lease, or null for the queue's
 * @param dedupe the key it takes, or null for none
 * @param body the record's JSON behind the fields that the ledger writes, closing brace included
 */
public record NewJob(
        String id,
        Due due,
        @Nullable Long leaseMillis,
        @Nullable Dedupe dedupe,
        String body) {

    /**
     * A moment of the ledger's clock.
     *
     * @param millis from now, or since 1970
     * @param fromNow which of the two
     */
    public record Due(long millis, boolean fromNow) {}
}
