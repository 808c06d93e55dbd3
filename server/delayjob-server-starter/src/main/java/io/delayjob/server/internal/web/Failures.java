package io.delayjob.server.internal.web;

import org.jspecify.annotations.Nullable;

/** Looks into failures. */
public final class Failures {

    private Failures() {}

    /** The failure itself, or the nearest of its causes, that is of a kind; null if none is. */
    public static <T extends Throwable> @Nullable T find(@Nullable Throwable failure, Class<T> kind) {
        for (Throwable one = failure; one != null; one = one.getCause()) {
            if (kind.isInstance(one)) {
                return kind.cast(one);
            }
        }
        return null;
    }
}
