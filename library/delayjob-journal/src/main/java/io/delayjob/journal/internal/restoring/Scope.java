package io.delayjob.journal.internal.restoring;

import io.delayjob.JournalScope;
import org.jspecify.annotations.Nullable;

/**
 * Whether a job belongs to a {@link JournalScope}.
 *
 * @param wanted the scope
 * @param nowMillis the database's clock, by which jobs are overdue
 */
record Scope(JournalScope wanted, long nowMillis) {

    /** The only job that belongs to it; null if it names none. */
    @Nullable String id() {
        return wanted.id();
    }

    /** Whether a job of this due time belongs to it. */
    boolean takes(long dueMillis) {
        return (wanted.dueFrom() == null || dueMillis >= wanted.dueFrom().toEpochMilli())
                && (wanted.dueTo() == null || dueMillis < wanted.dueTo().toEpochMilli())
                && (wanted.overdue() || dueMillis >= nowMillis);
    }
}
