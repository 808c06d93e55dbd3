package io.delayjob;

import org.jspecify.annotations.NullUnmarked;

/** Lets tests pass null where it is not allowed, as callers without null checks can. */
@NullUnmarked
public final class Unchecked {

    private Unchecked() {}

    /** Returns null where {@code value} is expected. */
    public static <V> V nullInsteadOf(V value) {
        return null;
    }
}
