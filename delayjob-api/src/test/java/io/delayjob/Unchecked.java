package io.delayjob;

import org.jspecify.annotations.NullUnmarked;

/** What a caller can hand in whose code is not checked for nulls. */
@NullUnmarked
public final class Unchecked {

    private Unchecked() {}

    /** Returns null where {@code value} is expected. */
    public static <V> V nullInsteadOf(V value) {
        return null;
    }
}
