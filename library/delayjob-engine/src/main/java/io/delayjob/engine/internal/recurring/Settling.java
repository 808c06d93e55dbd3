package io.delayjob.engine.internal.recurring;

import io.delayjob.DelayJobException;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.recurring.ScheduleShards.Located;
import io.delayjob.engine.ledger.Schedules;
import io.delayjob.engine.ledger.Schedules.Decision;
import io.delayjob.engine.ledger.Schedules.Proposal;
import io.delayjob.engine.ledger.StoredSchedule;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Decides the instants of a schedule that have come, before it is changed. All of them, however many there are: others would neither run nor be
 * counted.
 *
 * @param shards where schedules are
 * @param reader reads those that are stored
 * @param events is told of occurrences that are cancelled
 */
record Settling(ScheduleShards shards, ScheduleReader reader, JobEvents events) {

    /** How many rounds in a row may decide nothing. */
    private static final int IDLE = 10;

    /**
     * The schedule after its instants were decided by its definition; those that wait for the occurrence before are skipped, and all
     * of one that does not fire where it is. Empty if there is no schedule any more.
     *
     * @throws DelayJobException if they cannot be decided now
     */
    Optional<Located> settled(Located located) {
        Optional<Located> last = Optional.of(located);
        boolean waits = false;
        int idle = 0;
        while (last.isPresent() && last.get().isDue()) {
            if (idle++ == IDLE) {
                throw undecided(located.stored().name());
            }
            Located before = last.get();
            waits = fire(before, waits);
            last = before.again();
            if (last.isPresent() && hasMoved(before.stored(), last.get().stored())) {
                idle = 0;
            }
        }
        return last;
    }

    private static boolean hasMoved(StoredSchedule before, StoredSchedule after) {
        return !Objects.equals(before.lastMillis(), after.lastMillis());
    }

    private static DelayJobException undecided(String name) {
        return new DelayJobException(
                "schedule '" + name + "' has instants that have come and cannot be decided now: try again", null);
    }

    /** Decides some instants; true if one waits for the occurrence before. */
    private boolean fire(Located located, boolean waits) {
        return Futures.await(new Firing(located.shard(), events).fire(proposals(located, waits)))
                .decisions()
                .contains(Decision.WAITS);
    }

    private List<Proposal> proposals(Located located, boolean waits) {
        StoredSchedule stored = located.stored();
        long now = located.found().nowMillis();
        Optional<Definition> definition = reader.definition(stored);
        if (definition.isEmpty()) {
            return List.of(Planner.skipUnread(stored));
        }
        return waits || shards.isMisplaced(located, definition.get().place())
                ? Planner.skips(stored, definition.get(), now)
                : Planner.proposals(
                        stored, definition.get(), now, located.shard().id(), shards.queues());
    }

    /** Stops copies of a schedule: no instant follows those that were decided. Answers those that are still there. */
    Copies stopped(Copies copies) {
        return new Copies(copies.all().stream()
                .map(this::stopped)
                .flatMap(Optional::stream)
                .toList());
    }

    private Optional<Located> stopped(Located located) {
        Optional<Located> last = Optional.of(located);
        boolean stopped = false;
        for (int n = 0; !stopped && last.isPresent(); n++) {
            if (n == IDLE) {
                throw undecided(located.stored().name());
            }
            Optional<Located> settled = settled(last.get());
            stopped = settled.isPresent() && stops(settled.get());
            last = settled.flatMap(Located::again);
        }
        return last;
    }

    private static boolean stops(Located located) {
        StoredSchedule stored = located.stored();
        Schedules.Put put = new Schedules.Put(stored.name(), stored.version(), stored.definition(), null, null, false);
        return Futures.await(ScheduleShards.schedules(located.shard()).put(put)) > 0;
    }
}
