package io.delayjob.journal.internal.tables;

import io.delayjob.engine.ledger.ShardId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The schedules of recurring jobs. Every method is part of the transaction of its thread, if there is one. */
public final class ScheduleTable {

    private static final String COLUMNS = "name, definition, state, removed_at";
    private static final String OF_ROW = " WHERE queue = ? AND shard = ? AND name = ?";

    private final JdbcTemplate jdbc;
    private final JdbcClient client;

    public ScheduleTable(DataSource database) {
        this.jdbc = new JdbcTemplate(database);
        this.client = JdbcClient.create(jdbc);
    }

    /** The rows of these names, at most 1000, also of schedules that were removed. */
    public List<ScheduleRow> find(ShardId shard, Collection<String> names) {
        return names.isEmpty()
                ? List.of()
                : client.sql(
                                "SELECT " + COLUMNS
                                        + " FROM delayjob_schedule WHERE queue = :queue AND shard = :shard AND name IN (:names)")
                        .param("queue", shard.queue())
                        .param("shard", shard.number())
                        .param("names", names)
                        .query(ScheduleTable::row)
                        .list();
    }

    /** The schedules of a shard that are there, behind a name, in order. */
    public List<ScheduleRow> existing(ShardId shard, String after, int limit) {
        return client.sql("SELECT " + COLUMNS + " FROM delayjob_schedule WHERE queue = ? AND shard = ? AND name > ?"
                        + " AND removed_at IS NULL ORDER BY name LIMIT ?")
                .params(shard.queue(), shard.number(), after, limit)
                .query(ScheduleTable::row)
                .list();
    }

    private static ScheduleRow row(ResultSet from, int number) throws SQLException {
        long at = from.getLong("removed_at");
        Long removedAt = from.wasNull() ? null : at;
        return new ScheduleRow(
                from.getString("name"), from.getString("definition"), from.getString("state"), removedAt);
    }

    /** Adds rows. */
    public void add(ShardId shard, List<ScheduleRow> rows) {
        update(
                "INSERT INTO delayjob_schedule (definition, state, removed_at, queue, shard, name) VALUES (?, ?, ?, ?, ?, ?)",
                rows,
                (to, row) -> {
                    to.text(row.definition()).text(row.state()).number(row.removedAt());
                    place(to, shard, row);
                });
    }

    /** Writes the states of rows that are there. */
    public void save(ShardId shard, List<ScheduleRow> rows) {
        update("UPDATE delayjob_schedule SET state = ?, removed_at = ?" + OF_ROW, rows, (to, row) -> {
            to.text(row.state()).number(row.removedAt());
            place(to, shard, row);
        });
    }

    /** Writes the definitions of rows that are there. */
    public void saveDefinitions(ShardId shard, List<ScheduleRow> rows) {
        update("UPDATE delayjob_schedule SET definition = ?" + OF_ROW, rows, (to, row) -> {
            to.text(row.definition());
            place(to, shard, row);
        });
    }

    private static void place(Values to, ShardId shard, ScheduleRow row) throws SQLException {
        to.text(shard.queue()).number(shard.number()).text(row.name());
    }

    private void update(String sql, List<ScheduleRow> rows, Insert.Setter<ScheduleRow> setter) {
        if (!rows.isEmpty()) {
            jdbc.batchUpdate(sql, rows, rows.size(), (statement, row) -> setter.set(new Values(statement), row));
        }
    }

    /** Removes the rows of schedules that were removed before a time, about {@code limit} of them. Answers how many. */
    public int deleteRemoved(long beforeMillis, int limit) {
        return Bounded.delete(client, "delayjob_schedule", "removed_at", beforeMillis, limit);
    }
}
