package io.delayjob.journal.internal.tables;

import io.delayjob.engine.ledger.FlowPosition;
import io.delayjob.engine.ledger.ShardId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The shards with a journal. Every method is part of the transaction of its thread, if there is one. */
public final class ShardTable {

    private static final String COLUMNS =
            "queue, shard, entry_ms, entry_no, again_ms, again_no, adopted, lost_at, loss";

    private final JdbcClient client;
    private final Dialect dialect;

    public ShardTable(DataSource database, Dialect dialect) {
        this.client = JdbcClient.create(new JdbcTemplate(database));
        this.dialect = dialect;
    }

    /** Adds a shard, unless it is there. Not to be called in a transaction of the caller's, which would lock the row. */
    public void enlist(ShardId shard) {
        try {
            client.sql(dialect.leavingOut(
                            "INSERT INTO delayjob_shard (queue, shard, entry_ms, entry_no, again_ms, again_no,"
                                    + " adopted, changed_at) VALUES (?, ?, 0, 0, 0, 0, 0, " + dialect.now() + ")"))
                    .params(shard.queue(), shard.number())
                    .update();
        } catch (DuplicateKeyException e) {
            // It is there.
        }
    }

    /** All shards that any node has enlisted. */
    public List<ShardId> all() {
        return client.sql("SELECT queue, shard FROM delayjob_shard ORDER BY queue, shard")
                .query((row, number) -> new ShardId(row.getString(1), row.getInt(2)))
                .list();
    }

    /** How many shards of a queue are enlisted, if none before the last is missing; at least 1. */
    public int count(String queue) {
        Integer last = client.sql("SELECT MAX(shard) FROM delayjob_shard WHERE queue = ?")
                .param(queue)
                .query((row, number) -> row.getInt(1))
                .single();
        return 1 + last;
    }

    /** The shards with jobs that are to be brought to Redis by a time of the database's clock. */
    public List<ShardId> withDue(long untilMillis) {
        return client.sql("SELECT s.queue, s.shard FROM delayjob_shard s WHERE EXISTS (SELECT 1 FROM delayjob_job j"
                        + " WHERE j.queue = s.queue AND j.shard = s.shard AND j.relay_at <= ?)")
                .param(untilMillis)
                .query((row, number) -> new ShardId(row.getString(1), row.getInt(2)))
                .list();
    }

    /**
     * Locks a shard until the end of this thread's transaction, without waiting.
     *
     * @return how far it is written; empty if another transaction has the lock or the shard is unknown
     */
    public Optional<ShardRow> lock(ShardId shard) {
        return client.sql("SELECT " + COLUMNS
                        + " FROM delayjob_shard WHERE queue = ? AND shard = ? FOR UPDATE SKIP LOCKED")
                .params(shard.queue(), shard.number())
                .query(ShardTable::row)
                .optional();
    }

    /** All shards that any node has enlisted, and how far they are written. */
    public List<ShardRow> rows() {
        return client.sql("SELECT " + COLUMNS + " FROM delayjob_shard ORDER BY queue, shard")
                .query(ShardTable::row)
                .list();
    }

    private static ShardRow row(ResultSet from, int number) throws SQLException {
        String loss = from.getString("loss");
        return new ShardRow(
                new ShardId(from.getString("queue"), from.getInt("shard")),
                new FlowPosition(from.getLong("entry_ms"), from.getLong("entry_no")),
                new FlowPosition(from.getLong("again_ms"), from.getLong("again_no")),
                from.getInt("adopted") == 1,
                loss == null ? null : new ShardRow.Lost(Loss.valueOf(loss), from.getLong("lost_at")));
    }

    /** How far a shard is written; empty if it is unknown. */
    public Optional<ShardRow> find(ShardId shard) {
        return client.sql("SELECT " + COLUMNS + " FROM delayjob_shard WHERE queue = ? AND shard = ?")
                .params(shard.queue(), shard.number())
                .query(ShardTable::row)
                .optional();
    }

    /** Sets the position of a shard that is locked. */
    public void moveTo(ShardId shard, FlowPosition position) {
        client.sql("UPDATE delayjob_shard SET entry_ms = ?, entry_no = ?, changed_at = " + dialect.now()
                        + " WHERE queue = ? AND shard = ?")
                .params(position.ms(), position.no(), shard.queue(), shard.number())
                .update();
    }

    /**
     * Remembers of a shard that is locked that something of it was lost, until {@link #restored}.
     *
     * @return when that was found, by the database's clock
     */
    public long lose(ShardId shard, Loss loss) {
        long now = dialect.readNow(client);
        client.sql("UPDATE delayjob_shard SET lost_at = ?, loss = ?, adopted = 0 WHERE queue = ? AND shard = ?")
                .params(now, loss.name(), shard.queue(), shard.number())
                .update();
        return now;
    }

    /** Notes of a shard that is locked that all jobs that Redis has have rows. */
    public void adopted(ShardId shard) {
        client.sql("UPDATE delayjob_shard SET adopted = 1 WHERE queue = ? AND shard = ?")
                .params(shard.queue(), shard.number())
                .update();
    }

    /** Lets a shard that is locked be written from the beginning of its log, where steps up to a position may be written already. */
    public void startAgain(ShardId shard, FlowPosition upTo) {
        client.sql("UPDATE delayjob_shard SET entry_ms = 0, entry_no = 0, again_ms = ?, again_no = ? WHERE queue"
                        + " = ? AND shard = ?")
                .params(upTo.ms(), upTo.no(), shard.queue(), shard.number())
                .update();
    }

    /** Forgets that something of a shard was lost at a time or before, by the database's clock; false if there is no such loss. */
    public boolean restored(ShardId shard, long lostAtMillis) {
        return client.sql("UPDATE delayjob_shard SET lost_at = NULL, loss = NULL WHERE queue = ? AND shard = ?"
                                + " AND lost_at <= ?")
                        .params(shard.queue(), shard.number(), lostAtMillis)
                        .update()
                == 1;
    }

    /** Does the same as {@link #restored(ShardId, long)}, but only if the loss is of this kind. */
    public boolean restored(ShardId shard, Loss loss, long lostAtMillis) {
        return client.sql("UPDATE delayjob_shard SET lost_at = NULL, loss = NULL"
                                + " WHERE queue = ? AND shard = ? AND lost_at <= ? AND loss = ?")
                        .params(shard.queue(), shard.number(), lostAtMillis, loss.name())
                        .update()
                == 1;
    }
}
