package io.delayjob.journal.internal.tables;

import io.delayjob.engine.ledger.SetLimits;
import io.delayjob.engine.ledger.ShardId;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** The limits that were set. Every method is part of the transaction of its thread, if there is one. */
public final class LimitTable {

    private static final String OF_SHARD = " WHERE queue = ? AND shard = ?";

    private final JdbcTemplate jdbc;

    public LimitTable(DataSource database) {
        this.jdbc = new JdbcTemplate(database);
    }

    /** All that are set in a shard. */
    public List<SetLimits> all(ShardId shard) {
        return jdbc.query(
                "SELECT job_key, terms FROM delayjob_limit" + OF_SHARD,
                (row, number) -> SetLimits.read(row.getString(1), row.getString(2)),
                shard.queue(),
                shard.number());
    }

    /** Writes what is set now, each key once. */
    public void put(ShardId shard, Collection<SetLimits> limits) {
        batch(shard, "DELETE FROM delayjob_limit WHERE queue = ? AND shard = ? AND job_key = ?", limits, false);
        batch(
                shard,
                "INSERT INTO delayjob_limit (queue, shard, job_key, terms) VALUES (?, ?, ?, ?)",
                limits.stream().filter(one -> !one.isNothing()).toList(),
                true);
    }

    private void batch(ShardId shard, String sql, Collection<SetLimits> limits, boolean terms) {
        if (!limits.isEmpty()) {
            jdbc.batchUpdate(sql, limits, limits.size(), (statement, one) -> {
                Values to = new Values(statement);
                to.text(shard.queue()).number(shard.number()).text(one.key());
                if (terms) {
                    to.text(one.text());
                }
            });
        }
    }
}
