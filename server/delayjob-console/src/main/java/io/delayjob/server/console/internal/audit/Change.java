package io.delayjob.server.console.internal.audit;

import org.jspecify.annotations.Nullable;

/**
 * The change that an action made.
 *
 * @param before the state before; null if that is not known
 * @param after the state after; null if that is not known
 * @param detail further details, such as how many jobs; null for none
 */
public record Change(
        @Nullable String before,
        @Nullable String after,
        @Nullable String detail) {

    /** Nothing to say. */
    static final Change NONE = new Change(null, null, null);

    /** From something to something. */
    public static Change of(String before, String after) {
        return new Change(before, after, null);
    }

    /** Something to say, of which there is no before. */
    public static Change saying(@Nullable String detail) {
        return new Change(null, null, detail);
    }
}
