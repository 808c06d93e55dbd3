package io.delayjob.journal.internal.tables;

import io.delayjob.JobState;
import io.delayjob.engine.ledger.FlowPosition;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The steps of the jobs. Every method is part of the transaction of its thread, if there is one. */
public final class FlowTable {

    private static final String COLUMNS =
            "queue, id, entry_ms, entry_no, item, kind, at, state, attempt, due_at, node, detail";

    private final JdbcClient client;
    private final Insert<FlowRow> added;

    public FlowTable(DataSource database) {
        JdbcTemplate jdbc = new JdbcTemplate(database);
        this.client = JdbcClient.create(jdbc);
        this.added = Insert.of(
                jdbc,
                new Insert.Shape<>(
                        "delayjob_flow (" + COLUMNS + ")",
                        "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        FlowTable::set,
                        FlowTable::characters));
    }

    /**
     * Adds steps.
     *
     * @throws org.springframework.dao.DuplicateKeyException if one is there already
     */
    public void add(List<FlowRow> steps) {
        added.add(steps);
    }

    private static void set(Values to, FlowRow step) throws SQLException {
        to.text(step.queue()).text(step.id());
        to.number(step.position().ms()).number(step.position().no()).number(step.item());
        to.text(step.kind()).number(step.at()).name(step.state()).number(step.attempt());
        to.number(step.dueAt()).text(step.node()).text(Texts.storable(step.detail()));
    }

    private static int characters(FlowRow step) {
        return step.detail() == null ? 0 : step.detail().length();
    }

    /** The steps of an id from the first to the last position, both included. */
    public List<FlowRow> between(String queue, String id, FlowPosition first, FlowPosition last) {
        return client
                .sql("SELECT " + COLUMNS
                        + " FROM delayjob_flow WHERE queue = ? AND id = ? AND entry_ms BETWEEN ? AND ?")
                .params(queue, id, first.ms(), last.ms())
                .query(FlowTable::row)
                .list()
                .stream()
                .filter(step ->
                        first.compareTo(step.position()) <= 0 && step.position().compareTo(last) <= 0)
                .toList();
    }

    /** The last steps of an id, in their order. */
    public List<FlowRow> history(String queue, String id, int limit) {
        List<FlowRow> latest = client.sql("SELECT " + COLUMNS
                        + " FROM delayjob_flow WHERE queue = ? AND id = ? ORDER BY entry_ms DESC, entry_no DESC, item"
                        + " DESC LIMIT ?")
                .params(queue, id, limit)
                .query(FlowTable::row)
                .list();
        List<FlowRow> inOrder = new ArrayList<>(latest);
        Collections.reverse(inOrder);
        return inOrder;
    }

    /** Removes steps from before a time, about {@code limit} of them, by the index of their times. Answers how many. */
    public int removeOld(long beforeMillis, int limit) {
        return Bounded.delete(client, "delayjob_flow", "at", beforeMillis, limit);
    }

    private static @Nullable JobState state(@Nullable String name) {
        return name == null ? null : JobState.valueOf(name);
    }

    private static FlowRow row(ResultSet from, int number) throws SQLException {
        long due = from.getLong("due_at");
        Long dueAt = from.wasNull() ? null : due;
        return new FlowRow(
                from.getString("queue"),
                from.getString("id"),
                new FlowPosition(from.getLong("entry_ms"), from.getLong("entry_no")),
                from.getInt("item"),
                from.getString("kind"),
                from.getLong("at"),
                state(from.getString("state")),
                from.getInt("attempt"),
                dueAt,
                from.getString("node"),
                from.getString("detail"));
    }
}
