package io.delayjob.server.console.internal.audit;

import org.jspecify.annotations.Nullable;

/**
 * What an action changed.
 *
 * @param before how it was; null if that is not known
 * @param after how it is; null if that is not known
 * @param detail what else there is to say, such as how many
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
