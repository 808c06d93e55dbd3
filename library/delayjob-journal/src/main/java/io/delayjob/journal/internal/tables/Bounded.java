package io.delayjob.journal.internal.tables;

import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Removes old rows a part at a time, so that no statement holds many locks. */
final class Bounded {

    private Bounded() {}

    /** Removes about this many rows with the lowest times before a time, by the index of that column. */
    static int delete(JdbcClient client, String table, String time, long beforeMillis, int limit) {
        Optional<Long> last = client.sql("SELECT " + time + " FROM " + table + " WHERE " + time + " < ? ORDER BY "
                        + time + " LIMIT 1 OFFSET ?")
                .params(beforeMillis, limit - 1)
                .query(Long.class)
                .optional();
        return client.sql("DELETE FROM " + table + " WHERE " + time + " <= ?")
                .param(last.orElse(beforeMillis - 1))
                .update();
    }
}
