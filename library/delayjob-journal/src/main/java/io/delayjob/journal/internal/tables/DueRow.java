package io.delayjob.journal.internal.tables;

import org.jspecify.annotations.Nullable;

/**
 * A job that is to be brought to Redis now.
 *
 * @param seq the number of its row
 * @param relayAt since when, by the database's clock, milliseconds since 1970
 * @param term the term in which its own node may be about to bring it; null if only a relay may
 */
public record DueRow(long seq, long relayAt, @Nullable String term) {

    /** Whether nobody else is about to bring it. */
    public boolean isOfRelays() {
        return term == null;
    }
}
