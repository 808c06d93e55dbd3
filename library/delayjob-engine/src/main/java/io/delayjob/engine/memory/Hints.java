package io.delayjob.engine.memory;

import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.Tally;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The hints: which jobs wait for a node with their handler, by name, due time and id. A hint is out of date when its job no longer
 * waits for such a node.
 */
final class Hints {

    private final MemoryShard shard;
    private final NavigableSet<Hint> hints = new TreeSet<>(Comparator.comparing(Hint::name, ScoredIds.BY_BYTES)
            .thenComparingLong(Hint::dueMillis)
            .thenComparing(Hint::id, ScoredIds.BY_BYTES));

    /**
     * A hint for one job.
     *
     * @param name the name of its handler, or {@link Tally#NEWER}
     * @param dueMillis when it was due, in milliseconds since 1970
     */
    record Hint(String name, long dueMillis, String id) {}

    Hints(MemoryShard shard) {
        this.shard = shard;
    }

    /** Adds a hint; true if it is new. */
    boolean add(String name, MemoryJob job) {
        return hints.add(new Hint(name, job.dueMillis == null ? 0 : job.dueMillis, job.id));
    }

    void remove(Hint hint) {
        hints.remove(hint);
    }

    int size() {
        return hints.size();
    }

    /** The first hints of each name, or of all names, ordered by due time. */
    List<Hint> of(List<String> names, int most) {
        Stream<Hint> found = names.equals(Feed.Presence.ANY_JOB)
                ? hints.stream()
                        .filter(hint -> !hint.name().equals(Tally.NEWER))
                        .limit(most)
                : names.stream()
                        .flatMap(name -> hints.tailSet(new Hint(name, 0, ""), true).stream()
                                .takeWhile(hint -> hint.name().equals(name))
                                .limit(most));
        return found.sorted(Comparator.comparingLong(Hint::dueMillis)).toList();
    }

    boolean isUpToDate(Hint hint) {
        MemoryJob job = shard.jobs.get(hint.id());
        return job != null
                && job.noHandlerSinceMillis != null
                && job.dueMillis != null
                && job.dueMillis == hint.dueMillis()
                && shard.waiting.until(hint.id()) != null;
    }

    /** For how long the job that has waited longest has been due; 0 if none waits. */
    long longest(long now) {
        return hints.stream()
                .filter(this::isUpToDate)
                .mapToLong(hint -> now - hint.dueMillis())
                .reduce(0, Math::max);
    }

    /** How many hints such names have, if one of them is up to date. */
    Map<String, Long> counts(Predicate<String> names) {
        Set<String> waiting =
                hints.stream().filter(this::isUpToDate).map(Hint::name).collect(Collectors.toSet());
        return hints.stream()
                .map(Hint::name)
                .filter(waiting::contains)
                .filter(name -> name.equals(Tally.NEWER) || names.test(name))
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    void prune() {
        hints.removeIf(hint -> !isUpToDate(hint));
    }
}
