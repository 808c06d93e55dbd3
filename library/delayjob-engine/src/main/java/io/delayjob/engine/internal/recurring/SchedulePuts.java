package io.delayjob.engine.internal.recurring;

import io.delayjob.DelayJobException;
import io.delayjob.DelayJobRequest;
import io.delayjob.DelayJobSchedules;
import io.delayjob.JobOptions;
import io.delayjob.Schedule;
import io.delayjob.ScheduleSnapshot;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.handler.DeclaredSchedule;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.recurring.ScheduleShards.Located;
import io.delayjob.engine.internal.submitting.JobWriter;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.StoredSchedule;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
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
        Placing placing = placing(schedule);
        return placing.unchanged()
                .or(() -> placed(placing, schedule, declared))
                .map(reader::snapshot)
                .orElseThrow(() -> changed(schedule.name()));
    }

    private Placing placing(Schedule schedule) {
        DelayJobRequest<?> request = writer.withPriority(request(schedule));
        String queue = writer.queue(request);
        String job = writer.content(request, queue).record();
        String definition = checked(schedule.name(), reader.codec().write(schedule, queue, job));
        Shard home = shards.home(
                queue, reader.codec().read(schedule.name(), definition).place());
        return new Placing(shards, new Settling(shards, reader, events), schedule, definition, home);
    }

    /** The schedule after it was put, or a newer one than this application declares; empty if others changed it at the same time. */
    private Optional<StoredSchedule> placed(Placing placing, Schedule schedule, boolean declared) {
        for (int n = 0; n < TRIES; n++) {
            Copies copies = placing.look();
            Optional<StoredSchedule> newer = copies.current()
                    .map(Located::stored)
                    .filter(known -> declared && !placing.isWanted(known) && isOlder(schedule, known));
            if (newer.isPresent()) {
                return newer;
            } else if (placing.put(copies)) {
                used.accept(placing.queue());
                return placing.atHome().map(Located::stored);
            }
        }
        return Optional.empty();
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
}
