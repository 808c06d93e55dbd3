package io.delayjob.journal.internal.tables;

import java.util.List;
import java.util.function.Consumer;

/** Goes through a long list in parts. */
public final class Parts {

    private Parts() {}

    /** Does it to each part, in order. */
    public static <T> void each(List<T> all, int size, Consumer<List<T>> step) {
        for (int from = 0; from < all.size(); from += size) {
            step.accept(all.subList(from, Math.min(all.size(), from + size)));
        }
    }
}
