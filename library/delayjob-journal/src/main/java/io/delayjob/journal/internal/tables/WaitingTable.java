package io.delayjob.journal.internal.tables;

import io.delayjob.engine.ledger.Listing;
import io.delayjob.engine.ledger.ShardId;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The jobs that wait in the database alone until they are nearly due. Those whose time to be brought to Redis has come no longer count: the
 * relay may be about to.
 */
public final class WaitingTable {

    /**
     * How long before its time to be brought to Redis a job is no longer changed: a relay must not read it before the change is committed, and
     * bring it there all the same. Longer than {@link Submission#OWN_NODE_MILLIS}, so that a job that was just submitted is not taken for a far one.
     */
    private static final long LAST_MILLIS = 1000;

    private final JdbcClient client;
    private final Dialect dialect;
    private final String far;
    private final String changeable;

    public WaitingTable(DataSource database, Dialect dialect) {
        this.far = " AND " + dialect.isFar();
        this.changeable = " AND relay_at > " + dialect.now() + " + " + LAST_MILLIS;
        this.client = JdbcClient.create(database);
        this.dialect = dialect;
    }

    /**
     * Some jobs of a shard, in the order in which they come to Redis.
     *
     * @param after when and which one came before them; null for the first ones
     */
    public List<LiveJob> page(ShardId shard, Listing.@Nullable Position after, int limit) {
        long from = after == null ? 0 : after.millis();
        String id = after == null ? "" : after.id();
        return client.sql(LiveJob.SELECT + " WHERE queue = ? AND shard = ?" + far
                        + " AND relay_at >= ? AND (relay_at > ? OR id > ?) ORDER BY relay_at, id LIMIT ?")
                .params(shard.queue(), shard.number(), from, from, id, limit)
                .query(LiveJob::of)
                .list();
    }

    /** The rows with a mark that were submitted last; of jobs that wait here and of others. */
    public List<Long> marked(String queue, String mark, int limit) {
        return client.sql(
                        "SELECT seq FROM delayjob_mark WHERE queue = ? AND mark = ? ORDER BY queue, mark, seq DESC LIMIT ?")
                .params(queue, mark, limit)
                .query(Long.class)
                .list();
    }

    /** How many jobs of a queue there are. */
    public long count(String queue) {
        long now = dialect.readNow(client);
        // With the shards, and the time as a value, an index serves it.
        return client.sql("SELECT COUNT(*) FROM delayjob_shard s JOIN delayjob_job j ON j.queue = s.queue AND j.shard ="
                        + " s.shard WHERE s.queue = ? AND j.relay_at > ? AND (j.live = 1 OR j.relay_at > ?)")
                .params(queue, now, now + Submission.OWN_NODE_MILLIS)
                .query(Long.class)
                .single();
    }

    /** The row of a job that waits here. */
    public Optional<Long> far(String queue, String id) {
        return client.sql("SELECT seq FROM delayjob_job WHERE queue = ? AND id = ?" + far + " ORDER BY seq LIMIT 1")
                .params(queue, id)
                .query(Long.class)
                .optional();
    }

    /** Cancels a job; false if it does not wait here, or only for a moment. */
    public boolean cancel(String queue, String id) {
        return client.sql(dialect.cancel() + " WHERE queue = ? AND id = ?" + changeable)
                        .params(queue, id)
                        .update()
                > 0;
    }

    /**
     * Gives a job a new due time; false if it does not wait here, or only for a moment.
     *
     * @param delayMillis from now, by the database's clock
     * @param aheadMillis how long before that it comes to Redis
     */
    public boolean reschedule(String queue, String id, long delayMillis, long aheadMillis) {
        String now = dialect.now();
        return client.sql("UPDATE delayjob_job SET due_at = " + now + " + ?, from_now = 1, relay_at = " + now
                                + " + ?, changed_at = " + now + " WHERE queue = ? AND id = ?" + changeable)
                        .params(delayMillis, Math.max(0, delayMillis - aheadMillis), queue, id)
                        .update()
                > 0;
    }

    /** Whether a job of this id is on its way to Redis. */
    public boolean isOnItsWay(String queue, String id) {
        Optional<Integer> found = client.sql(
                        "SELECT 1 FROM delayjob_job WHERE queue = ? AND id = ? AND relay_at IS NOT NULL LIMIT 1")
                .params(queue, id)
                .query(Integer.class)
                .optional();
        return found.isPresent();
    }
}
