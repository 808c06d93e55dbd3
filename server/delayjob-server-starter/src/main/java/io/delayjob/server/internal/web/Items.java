package io.delayjob.server.internal.web;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** The items of a body that asks for many things at once. */
public final class Items {

    private static final int MOST = 1000;

    private Items() {}

    /**
     * Refuses none, and more than 1000.
     *
     * @param field the field that has them
     * @throws IllegalArgumentException if there are none, or too many
     */
    public static void check(String field, List<?> items) {
        if (items.isEmpty() || items.size() > MOST) {
            throw new IllegalArgumentException(
                    field + " must be 1 to " + MOST + ": " + items.size() + "; send several requests");
        }
    }

    /**
     * Converts each item.
     *
     * @param field the field that has them
     * @param made makes one of an item and its place
     * @throws IllegalArgumentException if one cannot be made; the message begins with its place in the body
     */
    public static <T, R> List<R> map(String field, List<T> items, BiFunction<? super T, Integer, ? extends R> made) {
        List<R> all = new ArrayList<>(items.size());
        for (int place = 0; place < items.size(); place++) {
            try {
                all.add(made.apply(items.get(place), place));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("/" + field + "/" + place + ": " + e.getMessage(), e);
            }
        }
        return all;
    }
}
