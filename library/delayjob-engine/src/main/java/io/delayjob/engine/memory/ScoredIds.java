package io.delayjob.engine.memory;

import io.delayjob.engine.ledger.Listing.Position;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Ids ordered by score and then by their bytes, as in a sorted set of Redis. */
final class ScoredIds {

    /** Redis compares UTF-8 bytes, which is another order than that of Java's strings. */
    static final Comparator<String> BY_BYTES =
            (a, b) -> Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

    static final Comparator<Position> ORDER =
            Comparator.comparingLong(Position::millis).thenComparing(Position::id, BY_BYTES);

    private final Map<String, Long> scores = new HashMap<>();
    private final NavigableSet<Position> order = new TreeSet<>(ORDER);

    /** Adds an id, or changes its score. */
    void put(String id, long score) {
        remove(id);
        scores.put(id, score);
        order.add(new Position(score, id));
    }

    boolean remove(String id) {
        Long score = scores.remove(id);
        return score != null && order.remove(new Position(score, id));
    }

    boolean contains(String id) {
        return scores.containsKey(id);
    }

    @Nullable Long score(String id) {
        return scores.get(id);
    }

    int size() {
        return order.size();
    }

    @Nullable Position first() {
        return order.isEmpty() ? null : order.first();
    }

    /** The number of ids with at most this score. */
    int countTo(long score) {
        return to(score).size();
    }

    /** The first ids with at most this score. */
    List<Position> upTo(long score, int limit) {
        return to(score).stream().limit(limit).toList();
    }

    private Collection<Position> to(long score) {
        return order.headSet(beforeAll(score + 1), false);
    }

    /** The ids after a position, in order. */
    Collection<Position> behind(Position place) {
        return order.tailSet(place, false);
    }

    /** The position before every id with this score. */
    static Position beforeAll(long score) {
        return new Position(score, "");
    }
}
