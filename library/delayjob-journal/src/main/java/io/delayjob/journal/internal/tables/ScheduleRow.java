package io.delayjob.journal.internal.tables;

import io.delayjob.engine.ledger.KeptSchedule;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as it is in the database.
 *
 * @param name its name
 * @param definition its definition
 * @param state its changing part, which only the ledger reads
 * @param removedAt when it was removed, in milliseconds since 1970; null while it is there
 */
public record ScheduleRow(
        String name,
        String definition,
        String state,
        @Nullable Long removedAt) {

    /** The schedule as the ledger takes it. */
    public KeptSchedule kept() {
        return new KeptSchedule(name, state, removedAt == null ? definition : null);
    }

    /** The row of a schedule that was removed. */
    public ScheduleRow removed(long atMillis) {
        return new ScheduleRow(name, definition, state, atMillis);
    }
}
