package io.delayjob.journal.internal.tables;

import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Which node journals which queue, and how. Every method is part of the transaction of its thread, if there is one. */
public final class NodeTable {

    private final JdbcTemplate jdbc;
    private final JdbcClient client;
    private final Dialect dialect;

    /**
     * How a node journals a queue.
     *
     * @param queue the queue
     * @param node the node
     * @param mode its mode
     */
    public record NodeRow(String queue, String node, String mode) {}

    public NodeTable(DataSource database, Dialect dialect) {
        this.jdbc = new JdbcTemplate(database);
        this.client = JdbcClient.create(jdbc);
        this.dialect = dialect;
    }

    /** States how a node journals its queues, from now on. */
    public void state(String node, Map<String, String> modes) {
        modes.forEach((queue, mode) -> {
            int known = client.sql("UPDATE delayjob_node SET mode = ?, seen_at = " + dialect.now()
                            + " WHERE queue = ? AND node = ?")
                    .params(mode, queue, node)
                    .update();
            if (known == 0) {
                client.sql("INSERT INTO delayjob_node (queue, node, mode, seen_at) VALUES (?, ?, ?, " + dialect.now()
                                + ")")
                        .params(queue, node, mode)
                        .update();
            }
        });
    }

    /** The modes that nodes have stated in the last {@code withinMillis} milliseconds. */
    public List<NodeRow> stated(long withinMillis) {
        return client.sql("SELECT queue, node, mode FROM delayjob_node WHERE seen_at > " + dialect.now()
                        + " - ? ORDER BY queue, node")
                .param(withinMillis)
                .query((row, number) -> new NodeRow(row.getString(1), row.getString(2), row.getString(3)))
                .list();
    }

    /** Forgets a node that stops, and those that have not been seen for so many milliseconds. */
    public void forget(String node, long unseenMillis) {
        client.sql("DELETE FROM delayjob_node WHERE node = ? OR seen_at < " + dialect.now() + " - ?")
                .params(node, unseenMillis)
                .update();
    }
}
