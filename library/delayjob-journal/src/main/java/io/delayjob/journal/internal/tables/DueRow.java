package io.delayjob.journal.internal.tables;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A job that is to be brought to Redis now.
 *
 * @param seq the number of its row
 * @param id its id
 * @param relayAt since when, by the database's clock, milliseconds since 1970
 * @param term the term in which its own node may be about to bring it; null if only a relay may
 */
public record DueRow(
        long seq, String id, long relayAt, @Nullable String term) implements Comparable<DueRow> {

    /** No row: it comes before all others. */
    public static final DueRow NONE = new DueRow(0, "", Long.MIN_VALUE, null);

    private static final Comparator<DueRow> ORDER =
            Comparator.comparingLong(DueRow::relayAt).thenComparingLong(DueRow::seq);

    /** Whether nobody else is about to bring it. */
    public boolean isOfRelays() {
        return term == null;
    }

    /** In the order in which they are brought there. */
    @Override
    public int compareTo(DueRow other) {
        return ORDER.compare(this, other);
    }
}
