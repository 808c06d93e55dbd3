package io.delayjob.engine.internal.recurring;

import io.delayjob.engine.internal.recurring.ScheduleShards.Located;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.StoredSchedule;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The copies of a schedule. There is one, except while it moves, or after a move that ended half way: of these, one fires at most, and the others
 * are stopped.
 *
 * @param all each in another shard
 */
record Copies(List<Located> all) {

    /** The later one is greater, and one that fires is greater than one that is stopped. */
    static final Comparator<StoredSchedule> LATER = Comparator.comparing(
                    (StoredSchedule one) -> one.nextMillis() != null)
            .thenComparing(StoredSchedule::version);

    /** The shard decides about copies of one millisecond, so that all nodes agree. */
    private static final Comparator<Located> IN_FORCE = Comparator.comparing(Located::stored, LATER)
            .thenComparing(one -> one.shard().id().toString());

    /** The copy that counts; empty if there is none. */
    Optional<Located> current() {
        return all.stream().max(IN_FORCE);
    }

    /** The copy that is in a shard, if there is one. */
    Copies in(ShardId shard) {
        return new Copies(
                all.stream().filter(one -> one.shard().id().equals(shard)).toList());
    }

    /** The copies that are in other shards than this one. */
    Copies outside(ShardId shard) {
        return new Copies(
                all.stream().filter(one -> !one.shard().id().equals(shard)).toList());
    }

    /** The shards in which they are. */
    List<ShardId> shards() {
        return all.stream().map(one -> one.shard().id()).toList();
    }

    boolean areStopped() {
        return all.stream().allMatch(Located::isStopped);
    }

    /** Whether the copy that counts is paused. */
    boolean isPaused() {
        return current().map(Located::stored).filter(StoredSchedule::paused).isPresent();
    }

    /** The last instant that was decided in any shard; null before the first. */
    @Nullable Long lastMillis() {
        return all.stream()
                .map(one -> one.stored().lastMillis())
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
    }
}
