package io.delayjob.journal.internal.tables;

import io.delayjob.engine.ledger.SetLimits;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.support.Logged;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The limits that were set, and what is paused. Every method is part of the transaction of its thread, if there is one. */
public final class LimitTable {

    private static final Logger log = LoggerFactory.getLogger(LimitTable.class);

    private static final String SELECT =
            "SELECT job_key, terms FROM delayjob_limit WHERE queue = :queue AND shard = :shard";

    private final JdbcTemplate jdbc;
    private final JdbcClient client;

    public LimitTable(DataSource database) {
        this.jdbc = new JdbcTemplate(database);
        this.client = JdbcClient.create(jdbc);
    }

    /** All that are set in a shard. */
    public List<SetLimits> all(ShardId shard) {
        return read(client.sql(SELECT), shard);
    }

    /** All that is set for a key, or for the queue if the key is empty. */
    public SetLimits find(ShardId shard, String key) {
        return read(client.sql(SELECT + " AND job_key = :key").param("key", key), shard).stream()
                .findFirst()
                .orElse(SetLimits.nothing(key));
    }

    private static List<SetLimits> read(JdbcClient.StatementSpec select, ShardId shard) {
        return select.param("queue", shard.queue())
                .param("shard", shard.number())
                .query((row, number) -> read(shard, row.getString(1), row.getString(2)))
                .list();
    }

    /** Limits that another release wrote, or somebody by hand, and that cannot be read count as none. A pause can be read. */
    private static SetLimits read(ShardId shard, String key, String terms) {
        try {
            return SetLimits.read(key, terms);
        } catch (IllegalArgumentException | ArithmeticException e) {
            log.error("limits of '{}' of {} in the journal cannot be read: {}", key, shard, Logged.text(terms), e);
            return SetLimits.nothing(key).withPaused(terms.endsWith("\n1"));
        }
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
