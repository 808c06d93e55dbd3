package io.delayjob.redisson.internal.events;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Counts, by their queues, the events that could not be sent. Thread-safe. */
final class Missed {

    /** Stands for all queues beyond the first ones. */
    private static final String OTHERS = "";

    private static final int MOST_QUEUES = 100;

    private final Map<String, Integer> counts = new HashMap<>();

    synchronized void add(String queue, int events) {
        boolean counted = counts.size() < MOST_QUEUES || counts.containsKey(queue);
        counts.merge(counted ? queue : OTHERS, events, Missed::sum);
    }

    private static int sum(int one, int other) {
        return (int) Math.min(Integer.MAX_VALUE, (long) one + other);
    }

    synchronized void clear() {
        counts.clear();
    }

    /** Maps each queue and its count to an element of the list, and clears the counts. */
    synchronized <R> List<R> take(BiFunction<String, Integer, R> made) {
        List<R> taken = new ArrayList<>(counts.size());
        counts.forEach((queue, count) -> taken.add(made.apply(queue, count)));
        counts.clear();
        return taken;
    }
}
