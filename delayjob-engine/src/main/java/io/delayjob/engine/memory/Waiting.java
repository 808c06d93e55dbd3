package io.delayjob.engine.memory;

import static io.delayjob.JobOptions.USUAL_PRIORITY;

import io.delayjob.engine.ledger.Listing.Position;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that wait, as in include/waiting.lua: each with the time from which claims take it. The order in which claims take them is
 * decided here.
 */
final class Waiting {

    private final ScoredIds times = new ScoredIds();

    /** The same jobs by their priorities, the highest first. */
    private final NavigableMap<Integer, ScoredIds> levels = new TreeMap<>(Comparator.reverseOrder());

    /** Makes a job wait until a time; one that already waits gets the new time. */
    void add(MemoryJob job, long millis) {
        times.put(job.id, millis);
        levels.computeIfAbsent(job.content.priority(), priority -> new ScoredIds())
                .put(job.id, millis);
    }

    void remove(MemoryJob job) {
        times.remove(job.id);
        levels.values().forEach(level -> level.remove(job.id));
    }

    /** The time of a job; null if it does not wait. */
    @Nullable Long until(String id) {
        return times.score(id);
    }

    /** The job with the earliest time; null if none waits. */
    @Nullable Position first() {
        return times.first();
    }

    /**
     * The jobs with the lowest ranks among those with a time up to {@code by}, at most {@code most}; those with a time after {@code now} come
     * last. The rank is the time, less the boost for each step of priority above the usual one.
     */
    List<Position> due(long by, int most, long boostMillis, long now) {
        return levels.entrySet().stream()
                .flatMap(level -> level.getValue().upTo(by, most).stream()
                        .map(place ->
                                new Ranked(place.millis() - (level.getKey() - USUAL_PRIORITY) * boostMillis, place)))
                .sorted(Comparator.comparing((Ranked one) -> one.place().millis() > now)
                        .thenComparing(Ranked.ORDER))
                .limit(most)
                .map(Ranked::place)
                .toList();
    }

    /** The sort is stable, so jobs with the same rank and time stay in the order of their priorities and ids. */
    private record Ranked(long rank, Position place) {

        private static final Comparator<Ranked> ORDER = Comparator.comparingLong(Ranked::rank)
                .thenComparingLong(ranked -> ranked.place().millis());
    }

    /** How many jobs have a time up to {@code by}. */
    int count(long by) {
        return times.countTo(by);
    }

    int size() {
        return times.size();
    }

    /** The jobs after a position, in the order of their times and ids. */
    Collection<Position> behind(Position place) {
        return times.behind(place);
    }
}
