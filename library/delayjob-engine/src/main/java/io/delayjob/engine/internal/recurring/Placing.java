package io.delayjob.engine.internal.recurring;

import io.delayjob.Schedule;
import io.delayjob.ScheduleInstants;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.recurring.ScheduleShards.Located;
import io.delayjob.engine.ledger.Schedules;
import io.delayjob.engine.ledger.StoredSchedule;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * A move has steps in several shards, between which a node may die, Redis be full, or another node put the same schedule. The copy at home comes
 * first, without an instant; then the others are stopped, which decides what has come there; the name is taken; the others are removed; and only
 * then the copy at home gets its next instant. So no two copies fire, and whichever step is the last one, a copy knows the last instant and the
 * pause: the next put goes on with it. Two puts see each other's copies, because each stores its own before it looks for those of others.
 * Of puts that move it at once one copy stays, but an instant that comes in these milliseconds may be passed over; among three or more, it may fire
 * twice: a copy is removed whatever its version.
 */
/** Puts one schedule into the shard where it belongs, its home, and takes it out of all others. */
final class Placing {

    private final ScheduleShards shards;
    private final Settling settling;
    private final Schedule schedule;
    private final String definition;
    private final Shard home;

    /** The queues in which the schedule may be. */
    private final Set<String> queues = new LinkedHashSet<>();

    /** The last instant that was decided under its name; null before the first. */
    private @Nullable Long last;

    private boolean paused;

    /** The queue that has the name; null if none has. */
    private @Nullable String named;

    /**
     * A schedule that is to be put.
     *
     * @param definition the schedule as it is stored
     * @param home the shard where it belongs
     */
    Placing(ScheduleShards shards, Settling settling, Schedule schedule, String definition, Shard home) {
        this.shards = shards;
        this.settling = settling;
        this.schedule = schedule;
        this.definition = definition;
        this.home = home;
        queues.add(queue());
    }

    private String name() {
        return schedule.name();
    }

    /** The queue where it belongs. */
    String queue() {
        return home.id().queue();
    }

    /** Whether a stored schedule has the wanted definition. */
    boolean isWanted(StoredSchedule stored) {
        return stored.definition().equals(definition);
    }

    /** The schedule if it fires at home as it is wanted, which is found out with two calls. */
    Optional<StoredSchedule> unchanged() {
        return shards.queueOf(name())
                .filter(queue()::equals)
                .flatMap(named -> atHome().filter(one -> !one.isStopped() && isWanted(one.stored()))
                        .map(Located::stored));
    }

    /** The schedule at home. */
    Optional<Located> atHome() {
        return Located.of(home, ScheduleShards.read(home, name()));
    }

    /** Looks for all copies, also in the queue that has the name now. */
    Copies look() {
        named = shards.queueOf(name()).orElse(null);
        if (named != null) {
            queues.add(named);
        }
        return copies();
    }

    private Copies copies() {
        return shards.copies(name(), queues);
    }

    /** Puts the schedule in place of its copies. Answers false if others changed it at the same time. */
    boolean put(Copies copies) {
        remember(copies);
        copies.current().ifPresent(one -> paused = one.stored().paused());
        Optional<Located> atHome = copies.in(home.id()).current();
        return atHome.isPresent() && atHome.equals(copies.current())
                ? edit(atHome.get(), copies.outside(home.id()))
                : move(copies);
    }

    private void remember(Copies copies) {
        Long found = copies.lastMillis();
        last = last == null || (found != null && found > last) ? found : last;
    }

    /** Changes the schedule where it is. Elsewhere are only copies that a move has left. */
    private boolean edit(Located atHome, Copies left) {
        remember(settling.stopped(left));
        Optional<Located> settled = settling.settled(atHome);
        if (settled.isEmpty() || !takes(named)) {
            return false;
        }
        remember(new Copies(List.of(settled.get())));
        shards.remove(left);
        long now = settled.get().found().nowMillis();
        return begin(settled.get().stored().version(), beginning(atHome, now));
    }

    /** Moves the schedule home, or stores a new one. */
    private boolean move(Copies before) {
        Copies older = settling.stopped(before.in(home.id()));
        remember(older);
        shards.remove(older);
        long version = put(null, null);
        if (version == 0) {
            return false;
        }
        Copies others = before.outside(home.id());
        settling.stopped(others);
        Copies found = copies().outside(home.id());
        if (!isKnown(found, others) || !takes(named)) {
            return false;
        }
        shards.remove(found);
        long stopped = found.current().map(one -> one.stored().version()).orElse(version);
        return begin(
                version, before.current().map(one -> beginning(one, stopped)).orElse(stopped));
    }

    /** Whether the copies elsewhere are those that were stopped, and the one at home has the same last instant and pause as they have. */
    private boolean isKnown(Copies found, Copies stopped) {
        Long before = last;
        remember(found);
        return found.shards().equals(stopped.shards())
                && found.areStopped()
                && Objects.equals(before, last)
                && (found.all().isEmpty() || found.isPaused() == paused);
    }

    /** Whether the queue of the home has the name, which it takes from another one. */
    private boolean takes(@Nullable String instead) {
        return Futures.await(shards.names().get().put(name(), queue(), instead)).equals(queue());
    }

    /** The time whose later instants are the schedule's: an interrupted move goes on where it stopped the schedule. */
    private static long beginning(Located current, long millis) {
        return current.isStopped() ? Math.min(current.stored().version(), millis) : millis;
    }

    /** Lets the schedule fire at home from now on. */
    private boolean begin(long version, long beginMillis) {
        return put(version, next(beginMillis)) > 0 && isNamed();
    }

    private @Nullable Long next(long beginMillis) {
        long after = last == null ? beginMillis : Math.max(beginMillis, last);
        Instant next = ScheduleInstants.of(schedule).next(Instant.ofEpochMilli(after));
        return next == null ? null : next.toEpochMilli();
    }

    private long put(@Nullable Long replaces, @Nullable Long next) {
        Schedules.Put put = new Schedules.Put(name(), replaces, definition, next, last, paused);
        return Futures.await(ScheduleShards.schedules(home).put(put));
    }

    /** Whether the schedule has its name still. If that belongs to another queue by now, nobody would find it here, and it is removed. */
    private boolean isNamed() {
        boolean named = takes(null);
        if (!named) {
            Futures.await(ScheduleShards.schedules(home).remove(name()));
        }
        return named;
    }
}
