package io.delayjob;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A range of time, open at either end. Immutable.
 *
 * @param from its first moment; null for any
 * @param to the moment behind its last one; null for any
 */
public record TimeRange(@Nullable Instant from, @Nullable Instant to) {

    /** All times. */
    public static final TimeRange ANY = new TimeRange(null, null);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the range ends before it begins; the message names both
     */
    public TimeRange {
        if (from != null && to != null && to.isBefore(from)) {
            throw new IllegalArgumentException("a range of time must not end before it begins: " + from + " to " + to);
        }
    }

    /**
     * Whether a moment is in this range.
     *
     * @param at the moment; one that is not known, null, is only in {@link #ANY}
     * @return true if it is
     */
    public boolean includes(@Nullable Instant at) {
        return at == null ? equals(ANY) : (from == null || !at.isBefore(from)) && (to == null || at.isBefore(to));
    }
}
