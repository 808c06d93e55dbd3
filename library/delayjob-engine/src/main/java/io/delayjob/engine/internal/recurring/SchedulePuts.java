package io.delayjob.engine.internal.recurring;

import io.delayjob.DelayJobException;
import io.delayjob.DelayJobRequest;
import io.delayjob.DelayJobSchedules;
import io.delayjob.JobOptions;
import io.delayjob.Schedule;
import io.delayjob.ScheduleInstants;
import io.delayjob.ScheduleSnapshot;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.handler.DeclaredSchedule;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.recurring.ScheduleShards.Located;
import io.delayjob.engine.internal.submitting.JobWriter;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Schedules;
import io.delayjob.engine.ledger.Schedules.Found;
import io.delayjob.engine.ledger.StoredSchedule;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores schedules, in place of those that have their names. Thread-safe.
 *
 * @param writer writes the jobs of occurrences
 * @param shards where schedules are
 * @param reader reads those that are stored
 * @param events is told of occurrences that are cancelled
 * @param used is told of the queue of a schedule that is stored
 */
record SchedulePuts(
        JobWriter writer, ScheduleShards shards, ScheduleReader reader, JobEvents events, Consumer<String> used) {

    private static final Logger log = LoggerFactory.getLogger(SchedulePuts.class);

    /** How often a put is tried while others change the same schedule. */
    private static final int TRIES = 10;

    /** The most characters of a definition. */
    private static final int LONGEST = 128 * 1024;

    /**
     * Stores a schedule that this application declares, or removes one that it does not want, unless the stored one has a higher revision. Returns the
     * one that is stored then; empty if the application wants none.
     */
    Optional<ScheduleSnapshot> declare(DeclaredSchedule declared) {
        Schedule schedule = declared.schedule();
        if (declared.wanted()) {
            return Optional.of(put(schedule, true));
        } else if (shards.located(schedule.name())
                .map(located -> reader.snapshot(located.stored()))
                .filter(stored -> stored.schedule().revision() <= schedule.revision())
                .isPresent()) {
            shards.remove(schedule.name());
        }
        return Optional.empty();
    }

    /**
     * Stores a schedule.
     *
     * @param declared whether a higher revision stays
     */
    ScheduleSnapshot put(Schedule schedule, boolean declared) {
        ScheduleSnapshot stored = stored(schedule, declared);
        shards.declare(String.valueOf(stored.schedule().queue()), List.of(schedule.name()), declared);
        return stored;
    }

    private ScheduleSnapshot stored(Schedule schedule, boolean declared) {
        String name = schedule.name();
        DelayJobRequest<?> request = writer.withPriority(request(schedule));
        String queue = writer.queue(request);
        String definition = checked(
                name,
                reader.codec()
                        .write(schedule, queue, writer.content(request, queue).record()));
        Shard shard = shards.home(queue, reader.codec().read(name, definition).place());
        Long left = null;
        boolean paused = false;
        for (int n = 0; n < TRIES; n++) {
            Place place = take(schedule, queue, declared);
            left = place.lastMillis() == null ? left : place.lastMillis();
            paused |= place.paused();
            if (place.taking() == Taking.STAYS) {
                return shards.located(name)
                        .map(located -> reader.snapshot(located.stored()))
                        .orElseThrow(() -> changed(name));
            } else if (place.taking() == Taking.LOST) {
                continue;
            }
            Found found = ScheduleShards.read(shard, name);
            StoredSchedule known = first(found);
            Optional<Located> elsewhere = known == null ? shards.inOtherShards(name, shard) : Optional.empty();
            StoredSchedule stored = elsewhere.isPresent() ? elsewhere.get().stored() : known;
            if (stored != null && stays(stored, definition, known != null, declared ? schedule : null)) {
                return reader.snapshot(stored);
            }
            if (elsewhere.isPresent()) {
                StoredSchedule last = taken(elsewhere.get());
                left = last.lastMillis() == null ? left : last.lastMillis();
                paused |= last.paused();
            }
            Found settled = settled(shard, found);
            Schedules.Put put = new Schedules.Put(
                    name,
                    known == null ? null : known.version(),
                    definition,
                    next(schedule, settled.nowMillis(), known == null ? left : lastMillis(settled)),
                    left,
                    paused);
            if (Futures.await(ScheduleShards.schedules(shard).put(put)) > 0 && isNamed(name, shard)) {
                elsewhere.ifPresent(located ->
                        Futures.await(ScheduleShards.schedules(located.shard()).remove(name)));
                used.accept(queue);
                return Optional.ofNullable(first(ScheduleShards.read(shard, name)))
                        .map(reader::snapshot)
                        .orElseThrow(() -> changed(name));
            }
        }
        throw changed(name);
    }

    /** Whether the stored schedule is the wanted one, or a newer one than this application declares. */
    private boolean stays(StoredSchedule stored, String wanted, boolean isHome, @Nullable Schedule declared) {
        if (stored.definition().equals(wanted)) {
            return isHome;
        }
        return declared != null && isOlder(declared, stored);
    }

    /**
     * Takes a schedule out of another shard. In that of the key that it had it fires, so what has come there is decided, and it is removed before it is
     * stored again: two of them would fire twice. One that does not fire there stays until then.
     */
    private StoredSchedule taken(Located located) {
        StoredSchedule stored = located.stored();
        Optional<Definition> definition = reader.definition(stored);
        if (definition.isEmpty() || shards.isMisplaced(located, definition.get().place())) {
            return stored;
        }
        StoredSchedule last = first(settled(located.shard(), located.found()));
        Futures.await(ScheduleShards.schedules(located.shard()).remove(stored.name()));
        return last == null ? stored : last;
    }

    /** The definition, if its occurrences can be stored. */
    private String checked(String name, String definition) {
        if (definition.length() > LONGEST) {
            throw new IllegalArgumentException("the definition of schedule '" + name + "' has " + definition.length()
                    + " characters, and must have at most " + LONGEST
                    + " with its param and headers: store what is large elsewhere, and let the param name it");
        }
        Definition read = reader.codec().read(name, definition);
        try {
            // An instant with milliseconds, which has the longest text.
            JobContent unused = read.occurrence(Instant.ofEpochMilli(1));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "schedule '" + name + "' has too much in its headers, to which each occurrence adds "
                            + DelayJobSchedules.SCHEDULE_HEADER + " and " + DelayJobSchedules.INSTANT_HEADER + ": "
                            + e.getMessage(),
                    e);
        }
        return definition;
    }

    /**
     * Whether a schedule that was stored has its name. If it belongs to another queue by now, nobody would find it here, and it is removed.
     */
    private boolean isNamed(String name, Shard shard) {
        String queue = shard.id().queue();
        boolean named =
                Futures.await(shards.names().get().put(name, queue, null)).equals(queue);
        if (!named) {
            Futures.await(ScheduleShards.schedules(shard).remove(name));
        }
        return named;
    }

    /** What a shard has of a schedule after its instants that have come were decided. */
    private Found settled(Shard shard, Found found) {
        StoredSchedule known = first(found);
        return known == null
                ? found
                : new Settling(shards, reader, events)
                        .settled(new Located(shard, found))
                        .map(Located::found)
                        .orElseGet(() -> ScheduleShards.read(shard, known.name()));
    }

    private static @Nullable StoredSchedule first(Found found) {
        return found.schedules().isEmpty() ? null : found.schedules().get(0);
    }

    private static @Nullable Long lastMillis(Found found) {
        StoredSchedule known = first(found);
        return known == null ? null : known.lastMillis();
    }

    private static DelayJobException changed(String name) {
        return new DelayJobException(
                "schedule '" + name + "' was changed by others at the same time: look at it and try again", null);
    }

    private static DelayJobRequest<?> request(Schedule schedule) {
        JobOptions options = schedule.options();
        if (options.dedupe() != null) {
            throw new IllegalArgumentException("schedule '" + schedule.name()
                    + "' has the dedupe key '" + options.dedupe().key()
                    + "': leave it out, and choose with overlap what happens while the occurrence before is not over");
        }
        return new DelayJobRequest<>(
                null, schedule.topic(), schedule.param(), null, schedule.queue(), options, null, schedule.headers());
    }

    /** Whether a queue has a schedule. */
    private enum Taking {
        TAKEN,
        /** Its revision is higher in another queue. */
        STAYS,
        /** Others took it to another queue at the same time. */
        LOST
    }

    /**
     * The queue of a schedule.
     *
     * @param taking whether it has the schedule
     * @param lastMillis the last instant that was decided in the queue that the schedule leaves
     * @param paused whether it was paused there
     */
    private record Place(Taking taking, @Nullable Long lastMillis, boolean paused) {}

    /**
     * Records the queue of a schedule, and removes the schedule from another queue after its instants that have come were decided, unless it
     * has a higher revision there.
     */
    private Place take(Schedule schedule, String queue, boolean declared) {
        String name = schedule.name();
        Optional<String> before = shards.queueOf(name).filter(other -> !other.equals(queue));
        StoredSchedule left = null;
        Optional<Located> there = before.flatMap(other -> shards.located(name)
                .filter(located -> located.shard().id().queue().equals(other)));
        if (there.isPresent()) {
            left = there.get().stored();
            Optional<Definition> definition = reader.definition(left);
            if (declared
                    && definition
                            .map(it -> it.schedule().revision() > schedule.revision())
                            .orElse(true)) {
                return new Place(Taking.STAYS, null, false);
            }
            Shard shard = there.get().shard();
            left = first(settled(shard, there.get().found()));
            Futures.await(ScheduleShards.schedules(shard).remove(name));
        }
        boolean taken = Futures.await(shards.names().get().put(name, queue, before.orElse(null)))
                .equals(queue);
        return new Place(
                taken ? Taking.TAKEN : Taking.LOST,
                left == null ? null : left.lastMillis(),
                left != null && left.paused());
    }

    private boolean isOlder(Schedule declared, StoredSchedule known) {
        Optional<Definition> stored = reader.definition(known);
        int revision = stored.map(it -> it.schedule().revision()).orElse(Integer.MAX_VALUE);
        if (revision > declared.revision()) {
            log.info(
                    "schedule '{}' stays as it is: its revision {} is higher than {}, that of this application",
                    declared.name(),
                    revision,
                    declared.revision());
        } else if (revision == declared.revision()) {
            log.warn(
                    "schedule '{}' is changed to the definition of this application, though both have the revision {}. Raise the revision"
                            + " with each change, so that an older release that starts later does not take the change back",
                    declared.name(),
                    revision);
        }
        return revision > declared.revision();
    }

    private static @Nullable Long next(Schedule schedule, long nowMillis, @Nullable Long lastMillis) {
        long after = lastMillis == null ? nowMillis : Math.max(nowMillis, lastMillis);
        Instant next = ScheduleInstants.of(schedule).next(Instant.ofEpochMilli(after));
        return next == null ? null : next.toEpochMilli();
    }
}
