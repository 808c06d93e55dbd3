package io.delayjob.engine.memory;

import io.delayjob.engine.ledger.Listing.Position;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that wait, as in include/waiting.lua: each with the time from which claims take it. The order in which claims take them is
 * decided here.
 */
final class Waiting {

    private final ScoredIds times = new ScoredIds();

    /** Makes a job wait until a time; one that already waits gets the new time. */
    void add(MemoryJob job, long millis) {
        times.put(job.id, millis);
    }

    void remove(MemoryJob job) {
        times.remove(job.id);
    }

    /** The time of a job; null if it does not wait. */
    @Nullable Long until(String id) {
        return times.score(id);
    }

    /** The job that is taken next; null if none waits. */
    @Nullable Position first() {
        return times.first();
    }

    /** The jobs that are taken next and have a time up to {@code by}, at most {@code most}. */
    List<Position> due(long by, int most) {
        return times.upTo(by, most);
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
