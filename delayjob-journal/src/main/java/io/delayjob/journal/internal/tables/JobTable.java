package io.delayjob.journal.internal.tables;

import io.delayjob.Dedupe;
import io.delayjob.JobState;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.Submission.Result;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The jobs. Every method is part of the transaction of its thread, if there is one. */
public final class JobTable {

    static final String COLUMNS =
            "seq, queue, shard, id, live, body, lease_ms, dedupe_key, dedupe_scope, dedupe_mode, dedupe_window, state, attempt, due_at,"
                    + " from_now, relay_at, node, error, result, created_at, changed_at, finished_at, tag, term";

    /** How long a job is left to the node that submitted it, in milliseconds. */
    public static final long OWN_NODE_MILLIS = 700;

    /** The most ids in one query. */
    private static final int MOST_IDS = 1000;

    /** The most rows that are sent at once. */
    private static final int MOST_ROWS = 1000;

    private final JdbcTemplate jdbc;
    private final JdbcClient client;
    private final Dialect dialect;
    private final String submit;
    private final String add;

    public JobTable(DataSource database, Dialect dialect) {
        this.jdbc = new JdbcTemplate(database);
        this.client = JdbcClient.create(jdbc);
        this.dialect = dialect;
        String now = dialect.now();
        this.submit = dialect.leavingOut("INSERT INTO delayjob_job (queue, shard, id, body, lease_ms, dedupe_key,"
                + " dedupe_scope, dedupe_mode, dedupe_window, state, attempt, tag, term, live, from_now, due_at, relay_at, created_at, changed_at)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'DELAYED', 0, ?, ?, ?, ?, ? + ? * " + now + ", ? + ? * " + now
                + ", "
                + now + ", " + now + ")");
        this.add = dialect.leavingOut("INSERT INTO delayjob_job (queue, shard, id, body, lease_ms, dedupe_key,"
                + " dedupe_scope, dedupe_mode, dedupe_window, created_at, live, state, attempt, due_at, from_now, relay_at, node,"
                + " error, result, changed_at, finished_at, tag, term)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    }

    /** The database's clock, milliseconds since 1970. */
    public long now() {
        return dialect.readNow(client);
    }

    /** Where the job is that has an id; the first of these counts. */
    private enum Holder {
        /** It waits here until it is nearly due. */
        FAR,
        /** It is about to be brought to Redis, or is there already. */
        COMING,
        /** It was in Redis when its flow log was written last. */
        REDIS
    }

    /** Adds jobs that are submitted, in order, in a transaction of the journal's own; answers what became of each. */
    public List<Result> submit(List<Submission> jobs) {
        return submit(jobs, true);
    }

    /**
     * Adds jobs that are submitted, in order, in a transaction of the application's; answers what became of each. It may stay open for long, so a
     * far job does not take its id there: who writes a job of that id would wait for the commit.
     */
    public List<Result> submitInside(List<Submission> jobs) {
        return submit(jobs, false);
    }

    private List<Result> submit(List<Submission> jobs, boolean takesIds) {
        Map<String, Holder> holders = holders(jobs);
        List<Result> results = new ArrayList<>(jobs.size());
        List<Submission> plain = new ArrayList<>();
        List<Submission> taking = new ArrayList<>();
        for (Submission job : jobs) {
            Holder holder = holders.get(key(job));
            results.add(result(job, holder));
            if (holder != Holder.FAR) {
                (job.isFar() && takesIds && holder == null ? taking : plain).add(job);
            }
            if (job.isFar() && job.mayMeet()) {
                holders.put(key(job), Holder.FAR);
            }
        }
        batch(submit, plain, (to, job) -> set(to, job, false));
        Set<Submission> refused = refused(taking);
        return IntStream.range(0, jobs.size())
                .mapToObj(i -> refused.contains(jobs.get(i)) ? Result.TAKEN : results.get(i))
                .toList();
    }

    private static Result result(Submission job, @Nullable Holder holder) {
        if (holder == Holder.FAR) {
            return Result.TAKEN;
        }
        return job.isFar() || holder == Holder.COMING ? Result.WAITS : Result.ADDED;
    }

    /** Adds far jobs that take their ids here; answers those that another far job was quicker than. */
    private Set<Submission> refused(List<Submission> jobs) {
        Set<Submission> refused = new HashSet<>();
        for (Submission job : leftOut(jobs)) {
            if (holders(List.of(job)).get(key(job)) == Holder.FAR) {
                refused.add(job);
            } else {
                batch(submit, List.of(job), (to, one) -> set(to, one, false));
            }
        }
        return refused;
    }

    /** Adds jobs that take their ids here, except where an id has been taken meanwhile; answers those. */
    private List<Submission> leftOut(List<Submission> jobs) {
        if (isEachInserted(jobs)) {
            return List.of();
        }
        Set<Long> inserted = new HashSet<>();
        Parts.each(jobs, MOST_IDS, some -> inserted.addAll(tags(some)));
        return jobs.stream().filter(job -> !inserted.contains(job.mark().tag())).toList();
    }

    private boolean isEachInserted(List<Submission> jobs) {
        try {
            // Not all drivers say which rows of a batch were left out.
            return Arrays.stream(batch(submit, jobs, (to, job) -> set(to, job, true)))
                    .flatMapToInt(Arrays::stream)
                    .allMatch(rows -> rows == 1);
        } catch (DuplicateKeyException e) {
            // H2 has inserted the others.
            return false;
        }
    }

    private List<Long> tags(List<Submission> jobs) {
        return client.sql(
                        "SELECT tag FROM delayjob_job WHERE tag IN (:tags) AND id IN (:ids) AND queue IN (:queues) AND live = 1")
                .param("tags", jobs.stream().map(job -> job.mark().tag()).toList())
                .param("ids", jobs.stream().map(job -> job.job().id()).toList())
                .param("queues", jobs.stream().map(job -> job.shard().queue()).collect(Collectors.toSet()))
                .query(Long.class)
                .list();
    }

    /** Those of the far jobs whose ids are, as far as is known here, those of jobs in Redis. */
    public List<Submission> doubtful(List<Submission> jobs) {
        List<Submission> far = jobs.stream().filter(Submission::isFar).toList();
        Map<String, Holder> holders = holders(far);
        return far.stream().filter(job -> holders.get(key(job)) == Holder.REDIS).toList();
    }

    private static String key(Submission job) {
        return job.shard().queue() + ' ' + job.job().id();
    }

    private Map<String, Holder> holders(List<Submission> jobs) {
        Map<String, List<String>> ids = jobs.stream()
                .filter(Submission::mayMeet)
                .collect(Collectors.groupingBy(
                        job -> job.shard().queue(),
                        Collectors.mapping(job -> job.job().id(), Collectors.toList())));
        Map<String, Holder> holders = new HashMap<>();
        ids.forEach((queue, its) -> Parts.each(its, MOST_IDS, some -> addHolders(queue, some, holders)));
        return holders;
    }

    private void addHolders(String queue, List<String> ids, Map<String, Holder> to) {
        client.sql("SELECT id, live, relay_at, " + dialect.now() + " AS clock FROM delayjob_job"
                        + " WHERE queue = :queue AND id IN (:ids) AND finished_at IS NULL")
                .param("queue", queue)
                .param("ids", ids)
                .query(row -> {
                    Holder holder = holder(row);
                    if (holder != null) {
                        to.merge(queue + ' ' + row.getString("id"), holder, JobTable::first);
                    }
                });
    }

    /** The job of a row that has its id, far by {@link Dialect#isFar}; null of a job that was submitted and may not come to have its id. */
    private static @Nullable Holder holder(ResultSet row) throws SQLException {
        boolean live = row.getInt("live") == 1;
        Long relayAt = number(row, "relay_at");
        if (relayAt == null) {
            return live ? Holder.REDIS : null;
        }
        boolean isFar = relayAt > row.getLong("clock") + (live ? 0 : OWN_NODE_MILLIS);
        return isFar ? Holder.FAR : live ? Holder.COMING : null;
    }

    private static Holder first(Holder one, Holder other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** Submits a finished job once more, as it was, to be relayed. */
    public void submitAgain(JobRow finished, NewJob.Journaled mark) {
        long now = now();
        Status status = new Status(
                false, JobState.DELAYED, 0, finished.status().dueAt(), false, now, null, null, null, now, null);
        JobRow again = new JobRow(0, finished.shard(), finished.id(), finished.content(), now, status, mark);
        add(List.of(again));
    }

    /** Adds whole rows, except where an unfinished job has the id. */
    public void add(List<JobRow> rows) {
        if (dialect.survivesDuplicates()) {
            rows.forEach(row -> isInserted(add, row, JobTable::set));
        } else {
            batch(add, rows, JobTable::set);
        }
    }

    @FunctionalInterface
    private interface Setter<T> {
        void set(PreparedStatement to, T values) throws SQLException;
    }

    private <T> int[][] batch(String sql, List<T> rows, Setter<T> setter) {
        return rows.isEmpty() ? new int[0][] : jdbc.batchUpdate(sql, rows, MOST_ROWS, setter::set);
    }

    private <T> boolean isInserted(String sql, T row, Setter<T> setter) {
        try {
            return jdbc.update(sql, statement -> setter.set(statement, row)) == 1;
        } catch (DuplicateKeyException e) {
            return false;
        }
    }

    private static void set(PreparedStatement to, Submission submission, boolean live) throws SQLException {
        NewJob job = submission.job();
        int at = content(to, submission.shard(), job.id(), Content.of(job));
        NewJob.Due due = job.due();
        int byClock = due.fromNow() ? 1 : 0;
        Long ahead = submission.aheadMillis();
        mark(to, at, submission.mark());
        number(to, at + 2, live ? 1L : null);
        to.setInt(at + 3, byClock);
        to.setLong(at + 4, due.millis());
        to.setInt(at + 5, byClock);
        to.setLong(at + 6, ahead == null ? OWN_NODE_MILLIS : due.millis() - ahead);
        to.setInt(at + 7, ahead == null ? 1 : byClock);
    }

    /** Sets two. */
    private static void mark(PreparedStatement to, int from, NewJob.@Nullable Journaled mark) throws SQLException {
        number(to, from, mark == null ? null : mark.tag());
        text(to, from + 1, mark == null || mark.permit().isEmpty() ? null : mark.permit());
    }

    private static void set(PreparedStatement to, JobRow row) throws SQLException {
        int at = content(to, row.shard(), row.id(), row.content());
        to.setLong(at, row.createdAt());
        status(to, at + 1, row.status());
        mark(to, at + 12, row.mark());
    }

    /** Sets the first nine; answers the position after them. */
    private static int content(PreparedStatement to, ShardId shard, String id, Content content) throws SQLException {
        to.setString(1, shard.queue());
        to.setInt(2, shard.number());
        to.setString(3, id);
        return content(to, 4, content);
    }

    private static int content(PreparedStatement to, int from, Content content) throws SQLException {
        Dedupe dedupe = content.dedupe();
        to.setString(from, content.body());
        number(to, from + 1, content.leaseMillis());
        text(to, from + 2, dedupe == null ? null : dedupe.key());
        text(to, from + 3, dedupe == null ? null : dedupe.scope().name());
        text(to, from + 4, dedupe == null ? null : dedupe.mode().name());
        number(
                to,
                from + 5,
                dedupe == null || dedupe.window() == null
                        ? null
                        : dedupe.window().toMillis());
        return from + 6;
    }

    /** Sets eleven: live, and the status. */
    private static void status(PreparedStatement to, int from, Status status) throws SQLException {
        number(to, from, status.live() ? 1L : null);
        to.setString(from + 1, status.state().name());
        to.setInt(from + 2, status.attempt());
        to.setLong(from + 3, status.dueAt());
        to.setInt(from + 4, status.fromNow() ? 1 : 0);
        number(to, from + 5, status.relayAt());
        text(to, from + 6, status.node());
        text(to, from + 7, Texts.storable(status.error()));
        text(to, from + 8, Texts.storable(status.result()));
        to.setLong(from + 9, status.changedAt());
        number(to, from + 10, status.finishedAt());
    }

    private static void number(PreparedStatement to, int at, @Nullable Long value) throws SQLException {
        if (value == null) {
            to.setNull(at, Types.BIGINT);
        } else {
            to.setLong(at, value);
        }
    }

    private static void text(PreparedStatement to, int at, @Nullable String value) throws SQLException {
        if (value == null) {
            to.setNull(at, Types.VARCHAR);
        } else {
            to.setString(at, value);
        }
    }

    /** Writes the status of rows that are there, and when they were submitted, by their numbers. */
    public void save(List<JobRow> rows) {
        if (!rows.isEmpty()) {
            jdbc.batchUpdate(
                    "UPDATE delayjob_job SET live = ?, state = ?, attempt = ?, due_at = ?, from_now = ?, relay_at = ?, node = ?,"
                            + " error = ?, result = ?, changed_at = ?, finished_at = ?, created_at = ? WHERE seq = ?",
                    rows,
                    rows.size(),
                    (statement, row) -> {
                        status(statement, 1, row.status());
                        statement.setLong(12, row.createdAt());
                        statement.setLong(13, row.seq());
                    });
        }
    }

    /** Writes the content of rows that are there, by their numbers. */
    public void saveContent(List<JobRow> rows) {
        if (!rows.isEmpty()) {
            jdbc.batchUpdate(
                    "UPDATE delayjob_job SET body = ?, lease_ms = ?, dedupe_key = ?, dedupe_scope = ?, dedupe_mode = ?,"
                            + " dedupe_window = ? WHERE seq = ?",
                    rows,
                    rows.size(),
                    (statement, row) -> statement.setLong(content(statement, 1, row.content()), row.seq()));
        }
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
        int cancelled = 0;
        List<Long> some = dueSeqs(shard, Long.MAX_VALUE);
        while (!some.isEmpty()) {
            cancelled += client.sql(dialect.cancel() + " WHERE seq IN (:seqs) AND relay_at IS NOT NULL")
                    .param("seqs", some)
                    .update();
            some = dueSeqs(shard, Long.MAX_VALUE);
        }
        return cancelled;
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
                : client.sql("SELECT " + COLUMNS + " FROM delayjob_job WHERE queue = :queue AND id IN (:ids)"
                                + " AND finished_at IS NULL ORDER BY seq")
                        .param("queue", queue)
                        .param("ids", ids)
                        .query(JobTable::row)
                        .list();
    }

    /** When those of these ids were submitted, by the times of their records, that have ended. */
    public Map<String, Set<Long>> ended(String queue, Collection<String> ids) {
        Map<String, Set<Long>> ended = new HashMap<>();
        Parts.each(
                List.copyOf(ids),
                MOST_IDS,
                some -> client.sql(
                                "SELECT id, created_at FROM delayjob_job WHERE queue = :queue AND id IN (:ids) AND finished_at IS NOT NULL")
                        .param("queue", queue)
                        .param("ids", some)
                        .query(row -> {
                            ended.computeIfAbsent(row.getString(1), id -> new HashSet<>())
                                    .add(row.getLong(2));
                        }));
        return ended;
    }

    /** The last job of an id, unfinished or finished. */
    public Optional<JobRow> find(String queue, String id) {
        return client.sql(
                        "SELECT " + COLUMNS + " FROM delayjob_job WHERE queue = ? AND id = ? ORDER BY seq DESC LIMIT 1")
                .params(queue, id)
                .query(JobTable::row)
                .optional();
    }

    /** The live jobs of a shard after a row, by number, without their content. */
    public List<LiveJob> liveIds(ShardId shard, long afterSeq, int limit) {
        return client.sql(LiveJob.SELECT + " WHERE queue = ? AND shard = ? AND live = 1"
                        + " AND seq > ? ORDER BY seq LIMIT ?")
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
                : client.sql("SELECT " + COLUMNS + " FROM delayjob_job WHERE seq IN (:seqs) AND live = 1 ORDER BY seq")
                        .param("seqs", seqs)
                        .query(JobTable::row)
                        .list();
    }

    /** The jobs of these rows that Redis is not known to have, in the order in which they are brought there. */
    public List<JobRow> unrelayed(Collection<Long> seqs) {
        return seqs.isEmpty()
                ? List.of()
                : client.sql(
                                "SELECT " + COLUMNS
                                        + " FROM delayjob_job WHERE seq IN (:seqs) AND relay_at IS NOT NULL ORDER BY relay_at, seq")
                        .param("seqs", seqs)
                        .query(JobTable::row)
                        .list();
    }

    /** How many jobs of a shard wait here without having their ids: they were submitted in transactions, or behind others. */
    public long waitingWithoutId(ShardId shard) {
        return client.sql("SELECT COUNT(*) FROM delayjob_job WHERE queue = ? AND shard = ? AND live IS NULL"
                        + " AND relay_at > ? AND relay_at < ?")
                .params(shard.queue(), shard.number(), now() + OWN_NODE_MILLIS, Status.HELD_MILLIS)
                .query(Long.class)
                .single();
    }

    /** The jobs of a shard that are to be brought to Redis by a time of the database's clock; the first ones first. */
    public List<DueRow> due(ShardId shard, long untilMillis, int limit) {
        return client.sql("SELECT seq, relay_at, term FROM delayjob_job WHERE queue = ? AND shard = ? AND relay_at <= ?"
                        + " ORDER BY relay_at, seq LIMIT ?")
                .params(shard.queue(), shard.number(), untilMillis, limit)
                .query((row, number) -> new DueRow(row.getLong(1), row.getLong(2), row.getString(3)))
                .list();
    }

    private List<Long> dueSeqs(ShardId shard, long untilMillis) {
        return due(shard, untilMillis, MOST_IDS).stream().map(DueRow::seq).toList();
    }

    /**
     * Holds the jobs of a shard that Redis is not known to have: they are not relayed until they are {@linkplain #release released}. Must be in
     * a transaction.
     */
    public void hold(ShardId shard) {
        List<Long> some = dueSeqs(shard, Status.HELD_MILLIS - 1);
        while (!some.isEmpty()) {
            client.sql("UPDATE delayjob_job SET relay_at = relay_at + :millis WHERE seq IN (:seqs)")
                    .param("millis", Status.HELD_MILLIS)
                    .param("seqs", some)
                    .update();
            some = dueSeqs(shard, Status.HELD_MILLIS - 1);
        }
    }

    /** The jobs of a shard that are held, in the order in which they would be brought to Redis, after one of them. */
    public List<LiveJob> held(ShardId shard, @Nullable LiveJob after, int limit) {
        long relayAt = after == null || after.relayAt() == null ? Status.HELD_MILLIS : after.relayAt();
        long seq = after == null ? 0 : after.seq();
        return client.sql(
                        LiveJob.SELECT
                                + " WHERE queue = ? AND shard = ? AND relay_at >= ? AND (relay_at > ? OR seq > ?) ORDER BY relay_at, seq LIMIT ?")
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

    /** Those of the queues in which a job has or had an id. */
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

    private static Content content(ResultSet from) throws SQLException {
        String key = from.getString("dedupe_key");
        Long window = number(from, "dedupe_window");
        Dedupe dedupe = key == null
                ? null
                : new Dedupe(
                        key,
                        Dedupe.Scope.valueOf(from.getString("dedupe_scope")),
                        Dedupe.Mode.valueOf(from.getString("dedupe_mode")),
                        window == null ? null : Duration.ofMillis(window));
        return new Content(from.getString("body"), number(from, "lease_ms"), dedupe);
    }

    private static Status status(ResultSet from) throws SQLException {
        return new Status(
                from.getInt("live") == 1,
                JobState.valueOf(from.getString("state")),
                from.getInt("attempt"),
                from.getLong("due_at"),
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
