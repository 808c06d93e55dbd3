package io.delayjob.journal.internal.tables;

import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Locks for work that only one node of the fleet may do at a time. A lock ends by itself, so that a node that dies holds nobody up. */
public final class LockTable {

    private final JdbcClient client;
    private final Dialect dialect;

    public LockTable(DataSource database, Dialect dialect) {
        this.client = JdbcClient.create(database);
        this.dialect = dialect;
    }

    /** Takes a lock, or keeps it for longer; false if another has it. */
    public boolean take(String name, String holder, Duration time) {
        return client.sql("UPDATE delayjob_lock SET holder = ?, until_at = " + dialect.now()
                                + " + ? WHERE name = ? AND (holder = ? OR until_at < " + dialect.now() + ")")
                        .params(holder, time.toMillis(), name, holder)
                        .update()
                == 1;
    }

    /** Gives a lock back, if it is still held. */
    public void release(String name, String holder) {
        client.sql("UPDATE delayjob_lock SET holder = '', until_at = 0 WHERE name = ? AND holder = ?")
                .params(name, holder)
                .update();
    }
}
