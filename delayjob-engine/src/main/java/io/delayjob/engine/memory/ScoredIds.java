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

/** Ids in the order of a score and then of their bytes, as a sorted set of Redis has them. */
final class ScoredIds {

    /** Redis compares the bytes of UTF-8, which is not the order of Java's strings. */
    static final Comparator<String> BY_BYTES =
            (a, b) -> Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

    static final Comparator<Position> ORDER =
            Comparator.comparingLong(Position::millis).thenComparing(Position::id, BY_BYTES);

    private final Map<String, Long> scores = new HashMap<>();
    private final NavigableSet<Position> order = new TreeSet<>(ORDER);

    /** Adds an id, or gives it another score. */
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

    /** How many have at most that score. */
    int countTo(long score) {
        return to(score).size();
    }

    /** The first of those that have at most that score. */
    List<Position> upTo(long score, int limit) {
        return to(score).stream().limit(limit).toList();
    }

    private Collection<Position> to(long score) {
        return order.headSet(beforeAll(score + 1), false);
    }

    /** Those behind a place, in order. */
    Collection<Position> behind(Position place) {
        return order.tailSet(place, false);
    }

    /** The place before every id of that score. */
    static Position beforeAll(long score) {
        return new Position(score, "");
    }
}
