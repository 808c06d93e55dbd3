package io.delayjob.journal.internal.tables;

import io.delayjob.engine.ledger.ShardId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.function.ToIntFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The jobs that Redis is not known to have. Every method is part of the transaction of its thread, if there is one. */
public final class RelayTable {

    private final JdbcClient client;
    private final Dialect dialect;

    public RelayTable(DataSource database, Dialect dialect) {
        this.client = JdbcClient.create(new JdbcTemplate(database));
        this.dialect = dialect;
    }

    /** The database's clock, milliseconds since 1970. */
    public long now() {
        return dialect.readNow(client);
    }

    /** The jobs of these rows that Redis is not known to have, in the order in which they are brought there. */
    public List<JobRow> unrelayed(Collection<Long> seqs) {
        return seqs.isEmpty()
                ? List.of()
                : client.sql("SELECT " + JobColumns.ALL
                                + " FROM delayjob_job WHERE seq IN (:seqs) AND relay_at IS NOT NULL ORDER BY"
                                + " relay_at, seq")
                        .param("seqs", seqs)
                        .query(JobColumns::row)
                        .list();
    }

    /** How many jobs of a shard wait here without having their ids: they were submitted in transactions, or behind others. */
    public long waitingWithoutId(ShardId shard) {
        return client.sql("SELECT COUNT(*) FROM delayjob_job WHERE queue = ? AND shard = ? AND live IS NULL"
                        + " AND relay_at > ? AND relay_at < ?")
                .params(
                        shard.queue(),
                        shard.number(),
                        dialect.readNow(client) + Submission.OWN_NODE_MILLIS,
                        Status.HELD_MILLIS)
                .query(Long.class)
                .single();
    }

    /** The first jobs of a shard that are to be brought to Redis by a time of the database's clock. */
    public List<DueRow> due(ShardId shard, long untilMillis, int limit) {
        return due(shard, DueRow.NONE, untilMillis, limit);
    }

    /**
     * The jobs of a shard that are to be brought to Redis by a time of the database's clock, after one of them; the first ones first. Ordered by all
     * columns of their index, so that however many wait, no more are read.
     */
    public List<DueRow> due(ShardId shard, DueRow after, long untilMillis, int limit) {
        return client.sql(
                        "SELECT seq, id, relay_at, term FROM delayjob_job WHERE queue = ? AND shard = ? AND relay_at >= ?"
                                + " AND relay_at <= ? AND (relay_at > ? OR seq > ?) ORDER BY queue, shard, relay_at, seq LIMIT ?")
                .params(shard.queue(), shard.number(), after.relayAt(), untilMillis)
                .params(after.relayAt(), after.seq(), limit)
                .query(RelayTable::dueRow)
                .list();
    }

    /** Goes through the jobs of a shard that are to be brought to Redis by a time, a part at a time, and does something to the rows of each part. */
    private int eachDue(ShardId shard, long untilMillis, ToIntFunction<List<Long>> step) {
        int done = 0;
        DueRow last = DueRow.NONE;
        while (true) {
            List<DueRow> some = due(shard, last, untilMillis, JobTable.MOST_IDS);
            if (some.isEmpty()) {
                return done;
            }
            last = some.get(some.size() - 1);
            done += step.applyAsInt(some.stream().map(DueRow::seq).toList());
        }
    }

    private static DueRow dueRow(ResultSet from, int number) throws SQLException {
        return new DueRow(from.getLong(1), from.getString(2), from.getLong(3), from.getString(4));
    }

    /**
     * Holds the jobs of a shard that Redis is not known to have: they are not relayed until they are {@linkplain #release released}. Must be in
     * a transaction.
     */
    public void hold(ShardId shard) {
        eachDue(
                shard,
                Status.HELD_MILLIS - 1,
                seqs -> client.sql("UPDATE delayjob_job SET relay_at = relay_at + :millis WHERE seq IN (:seqs)")
                        .param("millis", Status.HELD_MILLIS)
                        .param("seqs", seqs)
                        .update());
    }

    /** The jobs of a shard that are held, in the order in which they would be brought to Redis, after one of them. */
    public List<LiveJob> held(ShardId shard, @Nullable LiveJob after, int limit) {
        long relayAt = after == null || after.relayAt() == null ? Status.HELD_MILLIS : after.relayAt();
        long seq = after == null ? 0 : after.seq();
        return client.sql(LiveJob.SELECT
                        + " WHERE queue = ? AND shard = ? AND relay_at >= ? AND (relay_at > ? OR seq > ?)"
                        + " ORDER BY queue, shard, relay_at, seq LIMIT ?")
                .params(shard.queue(), shard.number(), relayAt, relayAt, seq, limit)
                .query(LiveJob::of)
                .list();
    }

    /** The jobs of an id that are held in a shard. */
    public List<LiveJob> held(ShardId shard, String id) {
        return client.sql(LiveJob.SELECT
                        + " WHERE queue = ? AND id = ? AND finished_at IS NULL AND shard = ? AND relay_at >= ?")
                .params(shard.queue(), id, shard.number(), Status.HELD_MILLIS)
                .query(LiveJob::of)
                .list();
    }

    /** Lets jobs be relayed that are held, at the time at which they would have been. Answers how many. */
    public int release(List<Long> seqs) {
        return seqs.isEmpty()
                ? 0
                : client.sql("UPDATE delayjob_job SET relay_at = relay_at - :millis"
                                + " WHERE seq IN (:seqs) AND relay_at >= :millis")
                        .param("millis", Status.HELD_MILLIS)
                        .param("seqs", seqs)
                        .update();
    }

    /** Cancels the jobs of a queue that Redis is not known to have, shard by shard. Answers how many. */
    public int cancelJournaled(String queue) {
        return client
                .sql("SELECT shard FROM delayjob_shard WHERE queue = ? ORDER BY shard")
                .param(queue)
                .query(Integer.class)
                .list()
                .stream()
                .mapToInt(shard -> cancelJournaled(new ShardId(queue, shard)))
                .sum();
    }

    private int cancelJournaled(ShardId shard) {
        return eachDue(
                shard,
                Long.MAX_VALUE,
                seqs -> client.sql(dialect.cancel() + " WHERE seq IN (:seqs) AND relay_at IS NOT NULL")
                        .param("seqs", seqs)
                        .update());
    }
}
