package io.delayjob.engine.internal.recurring;

import io.delayjob.ScheduleSnapshot;
import io.delayjob.engine.internal.submitting.JobWriter;
import io.delayjob.engine.ledger.StoredSchedule;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads stored schedules.
 *
 * @param writer reads params
 * @param codec reads definitions
 */
record ScheduleReader(JobWriter writer, DefinitionCodec codec) {

    private static final Logger log = LoggerFactory.getLogger(ScheduleReader.class);

    /** The definition of a schedule; empty if this node cannot read it. */
    Optional<Definition> definition(StoredSchedule stored) {
        try {
            return Optional.of(codec.read(stored.name(), stored.definition()));
        } catch (IllegalArgumentException e) {
            log.debug("not readable", e);
            return Optional.empty();
        }
    }

    /**
     * The snapshot of a schedule.
     *
     * @throws IllegalArgumentException if this node cannot read its definition
     */
    ScheduleSnapshot snapshot(StoredSchedule stored) {
        Definition definition = codec.read(stored.name(), stored.definition());
        return new ScheduleSnapshot(
                definition.whole(
                        writer.param(definition.job().job(), definition.job().param())),
                stored.paused(),
                instant(stored.nextMillis()),
                !stored.paused() && stored.nextMillis() != null && stored.holds(stored.nextMillis()),
                instant(stored.lastMillis()),
                stored.fired(),
                stored.skipped(),
                stored.job(),
                instant(stored.undeclaredMillis()),
                stored.decisions().stream().map(ScheduleReader::decision).toList());
    }

    private static ScheduleSnapshot.Decision decision(StoredSchedule.Decided decided) {
        return new ScheduleSnapshot.Decision(
                Instant.ofEpochMilli(decided.instantMillis()),
                decided.instants(),
                present(decided.job()),
                present(decided.reason()));
    }

    private static @Nullable String present(String text) {
        return text.isEmpty() ? null : text;
    }

    private static @Nullable Instant instant(@Nullable Long millis) {
        return millis == null ? null : Instant.ofEpochMilli(millis);
    }
}
