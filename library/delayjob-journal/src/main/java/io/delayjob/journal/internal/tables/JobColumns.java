package io.delayjob.journal.internal.tables;

import io.delayjob.Dedupe;
import io.delayjob.JobOptions;
import io.delayjob.JobState;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ShardId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The columns of the jobs: which value is in which, and in which order they are written. */
final class JobColumns {

    static final String PLACE = "queue, shard, id";
    static final String CONTENT = "body, lease_ms, priority, dedupe_key, dedupe_scope, dedupe_mode, dedupe_window";
    static final String MARK = "tag, term";
    static final String STATUS =
            "live, state, attempt, due_at, place_at, from_now, relay_at, node, error, result, changed_at, finished_at";
    static final String ALL = "seq, " + PLACE + ", created_at, " + CONTENT + ", " + STATUS + ", " + MARK;

    private JobColumns() {}

    /** A parameter for each of these columns: {@code ?, ?}. */
    static String params(String columns) {
        return columns.replaceAll("\\w+", "?");
    }

    /** Sets each of these columns: {@code a = ?, b = ?}. */
    static String assigned(String columns) {
        return columns.replaceAll("\\w+", "$0 = ?");
    }

    /** Of {@link #PLACE}. */
    static void place(Values to, ShardId shard, String id) throws SQLException {
        to.text(shard.queue()).number(shard.number()).text(id);
    }

    /** Of {@link #CONTENT}. */
    static void content(Values to, JobContent content) throws SQLException {
        Dedupe dedupe = content.dedupe();
        to.text(content.record()).number(content.leaseMillis());
        to.number(content.priority() == JobOptions.USUAL_PRIORITY ? null : (Long) (long) content.priority());
        to.text(dedupe == null ? null : dedupe.key());
        to.name(dedupe == null ? null : dedupe.scope());
        to.name(dedupe == null ? null : dedupe.mode());
        Duration window = dedupe == null ? null : dedupe.window();
        to.number(window == null ? null : (Long) window.toMillis());
    }

    /** Of {@link #MARK}. */
    static void mark(Values to, NewJob.@Nullable Journaled mark) throws SQLException {
        to.number(mark == null ? null : (Long) mark.tag());
        to.text(mark == null || mark.permit().isEmpty() ? null : mark.permit());
    }

    /** Of {@link #STATUS}. */
    static void status(Values to, Status status) throws SQLException {
        to.number(status.live() ? (Long) 1L : null).name(status.state()).number(status.attempt());
        to.number(status.dueAt())
                .number(status.placeAt())
                .flag(status.fromNow())
                .number(status.relayAt())
                .text(status.node());
        to.text(Texts.storable(status.error())).text(Texts.storable(status.result()));
        to.number(status.changedAt()).number(status.finishedAt());
    }

    /** Of a row that has {@link #ALL}. */
    static JobRow row(ResultSet from, int number) throws SQLException {
        return new JobRow(
                from.getLong("seq"),
                new ShardId(from.getString("queue"), from.getInt("shard")),
                from.getString("id"),
                content(from),
                from.getLong("created_at"),
                status(from),
                mark(from));
    }

    private static NewJob.@Nullable Journaled mark(ResultSet from) throws SQLException {
        Long tag = number(from, "tag");
        String term = from.getString("term");
        return tag == null ? null : new NewJob.Journaled(term == null ? "" : term, tag);
    }

    private static JobContent content(ResultSet from) throws SQLException {
        String key = from.getString("dedupe_key");
        Long window = number(from, "dedupe_window");
        Dedupe dedupe = key == null
                ? null
                : new Dedupe(
                        key,
                        Dedupe.Scope.valueOf(from.getString("dedupe_scope")),
                        Dedupe.Mode.valueOf(from.getString("dedupe_mode")),
                        window == null ? null : Duration.ofMillis(window));
        Long priority = number(from, "priority");
        return new JobContent(
                from.getString("body"),
                number(from, "lease_ms"),
                priority == null ? JobOptions.USUAL_PRIORITY : priority.intValue(),
                dedupe);
    }

    private static Status status(ResultSet from) throws SQLException {
        return new Status(
                from.getInt("live") == 1,
                JobState.valueOf(from.getString("state")),
                from.getInt("attempt"),
                from.getLong("due_at"),
                number(from, "place_at"),
                from.getInt("from_now") == 1,
                number(from, "relay_at"),
                from.getString("node"),
                from.getString("error"),
                from.getString("result"),
                from.getLong("changed_at"),
                number(from, "finished_at"));
    }

    static @Nullable Long number(ResultSet from, String column) throws SQLException {
        long value = from.getLong(column);
        return from.wasNull() ? null : value;
    }
}
