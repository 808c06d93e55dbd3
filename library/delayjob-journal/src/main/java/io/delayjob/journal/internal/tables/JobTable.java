package io.delayjob.journal.internal.tables;

import io.delayjob.JobState;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ShardId;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The jobs. Every method is part of the transaction of its thread, if there is one. */
public final class JobTable {

    /** The most ids in one query. */
    static final int MOST_IDS = 1000;

    private static final String INSERTED =
            String.join(", ", JobColumns.PLACE, JobColumns.CONTENT, "created_at", JobColumns.STATUS, JobColumns.MARK);

    private final JdbcTemplate jdbc;
    private final JdbcClient client;
    private final Dialect dialect;
    private final Insert<JobRow> added;
    private final MarkTable marks;

    public JobTable(DataSource database, Dialect dialect) {
        this.jdbc = new JdbcTemplate(database);
        this.client = JdbcClient.create(jdbc);
        this.dialect = dialect;
        this.marks = new MarkTable(jdbc, dialect);
        this.added = Insert.leavingOut(
                jdbc,
                dialect,
                new Insert.Shape<>(
                        "delayjob_job (" + INSERTED + ")",
                        "(" + JobColumns.params(INSERTED) + ")",
                        JobTable::set,
                        JobTable::characters));
    }

    /** The database's clock, milliseconds since 1970. */
    public long now() {
        return dialect.readNow(client);
    }

    /** Submits a finished job once more, as it was, to be relayed. */
    public void submitAgain(JobRow finished, NewJob.Journaled mark) {
        long now = now();
        Status status = new Status(
                false, JobState.DELAYED, 0, finished.status().dueAt(), false, now, null, null, null, now, null);
        JobRow again = new JobRow(0, finished.shard(), finished.id(), finished.content(), now, status, mark);
        add(List.of(again));
    }

    /** Adds whole rows, except where an unfinished job has the id. Answers how many it has added. */
    public int add(List<JobRow> rows) {
        int count = added.add(rows);
        marks.add(rows.stream().map(JobTable::marked).toList(), "created_at");
        return count;
    }

    private static MarkTable.Added marked(JobRow row) {
        return new MarkTable.Added(row.shard().queue(), row.id(), row.createdAt(), row.content());
    }

    private static void set(Values to, JobRow row) throws SQLException {
        JobColumns.place(to, row.shard(), row.id());
        JobColumns.content(to, row.content());
        to.number(row.createdAt());
        JobColumns.status(to, row.status());
        JobColumns.mark(to, row.mark());
    }

    private static int characters(JobRow row) {
        return row.content().record().length()
                + length(row.status().error())
                + length(row.status().result());
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    /** Writes the status of rows that are there, and when they were submitted, by their numbers; not of those that were cancelled meanwhile. */
    public void save(List<JobRow> rows) {
        if (!rows.isEmpty()) {
            jdbc.batchUpdate(
                    "UPDATE delayjob_job SET " + JobColumns.assigned(JobColumns.STATUS + ", created_at")
                            + " WHERE seq = ? AND finished_at IS NULL",
                    rows,
                    rows.size(),
                    (statement, row) -> {
                        Values to = new Values(statement);
                        JobColumns.status(to, row.status());
                        to.number(row.createdAt()).number(row.seq());
                    });
        }
    }

    /** Writes the content of rows that are there, by their numbers. */
    public void saveContent(List<JobRow> rows) {
        if (!rows.isEmpty()) {
            jdbc.batchUpdate(
                    "UPDATE delayjob_job SET " + JobColumns.assigned(JobColumns.CONTENT) + " WHERE seq = ?",
                    rows,
                    rows.size(),
                    (statement, row) -> {
                        Values to = new Values(statement);
                        JobColumns.content(to, row.content());
                        to.number(row.seq());
                    });
            marks.addTo(rows);
        }
    }

    /** Takes their ids from the jobs of rows, by their numbers, which keep all else. */
    public void takeIds(List<Long> seqs) {
        if (!seqs.isEmpty()) {
            client.sql("UPDATE delayjob_job SET live = NULL WHERE seq IN (:seqs) AND live = 1")
                    .param("seqs", seqs)
                    .update();
        }
    }

    /** Removes rows by their numbers: submits that stored nothing. */
    public void remove(List<Long> seqs) {
        if (!seqs.isEmpty()) {
            client.sql("DELETE FROM delayjob_job WHERE seq IN (:seqs)")
                    .param("seqs", seqs)
                    .update();
        }
    }

    /** The rows of these ids whose jobs have not ended, as far as is known here; an id may have several that are not yet live. */
    public List<JobRow> unfinished(String queue, Collection<String> ids) {
        return ids.isEmpty()
                ? List.of()
                : client.sql("SELECT " + JobColumns.ALL + " FROM delayjob_job WHERE queue = :queue AND id IN (:ids)"
                                + " AND finished_at IS NULL ORDER BY seq")
                        .param("queue", queue)
                        .param("ids", ids)
                        .query(JobColumns::row)
                        .list();
    }

    /** Of those of these ids that have ended: when, by when they were submitted; the first by Redis' clock, the second as in their records. */
    public Map<String, Map<Long, Long>> ended(String queue, Collection<String> ids) {
        Map<String, Map<Long, Long>> ended = new HashMap<>();
        Parts.each(
                List.copyOf(ids),
                MOST_IDS,
                some -> client.sql("SELECT id, created_at, finished_at FROM delayjob_job WHERE queue = :queue AND id IN"
                                + " (:ids) AND finished_at IS NOT NULL")
                        .param("queue", queue)
                        .param("ids", some)
                        .query(row -> {
                            ended.computeIfAbsent(row.getString(1), id -> new HashMap<>())
                                    .put(row.getLong(2), row.getLong(3));
                        }));
        return ended;
    }

    /** The last job of an id, unfinished or finished. */
    public Optional<JobRow> find(String queue, String id) {
        return client.sql("SELECT " + JobColumns.ALL
                        + " FROM delayjob_job WHERE queue = ? AND id = ? ORDER BY seq DESC LIMIT 1")
                .params(queue, id)
                .query(JobColumns::row)
                .optional();
    }

    /** The live jobs of a shard after a row, by number, without their content. */
    public List<LiveJob> liveIds(ShardId shard, long afterSeq, int limit) {
        return client.sql(LiveJob.SELECT + " WHERE queue = ? AND shard = ? AND live = 1"
                        + " AND seq > ? ORDER BY queue, shard, live, seq LIMIT ?")
                .params(shard.queue(), shard.number(), afterSeq, limit)
                .query(LiveJob::of)
                .list();
    }

    /** The live job of an id, if it is in this shard, without its content. */
    public List<LiveJob> liveIds(ShardId shard, String id) {
        return client.sql(LiveJob.SELECT + " WHERE queue = ? AND id = ? AND live = 1" + " AND shard = ?")
                .params(shard.queue(), id, shard.number())
                .query(LiveJob::of)
                .list();
    }

    /** The jobs of these rows that are live. */
    public List<JobRow> live(Collection<Long> seqs) {
        return seqs.isEmpty()
                ? List.of()
                : client.sql("SELECT " + JobColumns.ALL
                                + " FROM delayjob_job WHERE seq IN (:seqs) AND live = 1 ORDER BY seq")
                        .param("seqs", seqs)
                        .query(JobColumns::row)
                        .list();
    }

    /** Picks the queues in which a job has or had an id. */
    public List<String> queuesOf(String id, Collection<String> queues) {
        return queues.isEmpty()
                ? List.of()
                : client.sql("SELECT DISTINCT queue FROM delayjob_job WHERE queue IN (:queues) AND id = :id")
                        .param("queues", queues)
                        .param("id", id)
                        .query(String.class)
                        .list();
    }

    /**
     * Removes rows of jobs that finished before a time, about {@code limit} of them, by the index of their ends. Answers how many.
     */
    public int removeFinished(long beforeMillis, int limit) {
        return Bounded.delete(client, "delayjob_job", "finished_at", beforeMillis, limit);
    }

    /** Cancels the jobs of these rows that are live and that Redis had. Answers how many. */
    public int cancelLost(List<Long> seqs) {
        return seqs.isEmpty()
                ? 0
                : client.sql(dialect.cancel() + " WHERE seq IN (:seqs) AND live = 1 AND relay_at IS NULL")
                        .param("seqs", seqs)
                        .update();
    }
}
