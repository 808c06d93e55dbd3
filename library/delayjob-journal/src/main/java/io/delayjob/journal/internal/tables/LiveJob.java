package io.delayjob.journal.internal.tables;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * An unfinished job, without its content.
 *
 * @param seq the number of its row
 * @param id its id
 * @param dueAt when it is due; of a dead job, when it died; milliseconds since 1970
 * @param relayAt when it is brought to Redis; null once Redis is known to have it
 */
public record LiveJob(
        long seq, String id, long dueAt, @Nullable Long relayAt) {

    /** Whether it is not brought to Redis until an operator lets it, because Redis may have had it. */
    public boolean isHeld() {
        return Status.isHeld(relayAt);
    }

    /** Reads such jobs; a condition follows. */
    static final String SELECT = "SELECT seq, id, due_at, relay_at FROM delayjob_job";

    /** Of a row that {@link #SELECT} answers. */
    static LiveJob of(ResultSet row, int number) throws SQLException {
        return new LiveJob(
                row.getLong("seq"), row.getString("id"), row.getLong("due_at"), JobColumns.number(row, "relay_at"));
    }
}
