package io.delayjob.journal.internal.tables;

import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.Submission.Result;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The jobs that are submitted. Every method is part of the transaction of its thread, if there is one. */
public final class SubmitTable {

    private final JdbcClient client;
    private final Dialect dialect;
    private final boolean takesIds;
    private final Insert<Submission> waiting;
    private final Insert<Submission> taking;
    private final MarkTable marks;

    private SubmitTable(DataSource database, Dialect dialect, boolean takesIds) {
        JdbcTemplate jdbc = new JdbcTemplate(database);
        this.client = JdbcClient.create(jdbc);
        this.dialect = dialect;
        this.takesIds = takesIds;
        this.waiting = insert(jdbc, dialect, null);
        this.taking = insert(jdbc, dialect, 1L);
        this.marks = new MarkTable(jdbc, dialect);
    }

    /** In transactions of the journal's own. */
    public static SubmitTable own(DataSource database, Dialect dialect) {
        return new SubmitTable(database, dialect, true);
    }

    /**
     * In transactions of the application's. One may stay open for long, so a far job does not take its id there: who writes a job of that id would
     * wait for the commit.
     */
    public static SubmitTable inside(DataSource database, Dialect dialect) {
        return new SubmitTable(database, dialect, false);
    }

    private static Insert<Submission> insert(JdbcTemplate jdbc, Dialect dialect, @Nullable Long live) {
        String given = String.join(", ", JobColumns.PLACE, JobColumns.CONTENT, JobColumns.MARK, "live");
        String now = dialect.now();
        return Insert.leavingOut(
                jdbc,
                dialect,
                new Insert.Shape<>(
                        "delayjob_job (" + given
                                + ", state, attempt, from_now, due_at, relay_at, created_at, changed_at)",
                        "(" + JobColumns.params(given) + ", 'DELAYED', 0, ?, ? + ? * " + now + ", ? + ? * " + now + ", "
                                + now + ", " + now + ")",
                        (to, job) -> set(to, job, live),
                        job -> job.job().content().record().length()));
    }

    private static void set(Values to, Submission submission, @Nullable Long live) throws SQLException {
        NewJob job = submission.job();
        NewJob.Due due = job.due();
        Long ahead = submission.aheadMillis();
        JobColumns.place(to, submission.shard(), job.id());
        JobColumns.content(to, job.content());
        JobColumns.mark(to, submission.mark());
        to.number(live).flag(due.fromNow()).number(due.millis()).flag(due.fromNow());
        to.number(ahead == null ? Submission.OWN_NODE_MILLIS : due.millis() - ahead);
        to.flag(ahead == null || due.fromNow());
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

    /**
     * The job that has an id.
     *
     * @param shard its shard
     */
    private record Held(Holder holder, ShardId shard) {

        static Held first(Held one, Held other) {
            return one.holder().compareTo(other.holder()) < 0 ? one : other;
        }
    }

    /** Adds jobs, in order; answers what became of each. */
    public List<Result> add(List<Submission> jobs) {
        Map<String, Held> holders = holders(jobs);
        List<Result> results = new ArrayList<>(jobs.size());
        List<Submission> plain = new ArrayList<>();
        List<Submission> far = new ArrayList<>();
        for (Submission job : jobs) {
            Holder holder = holder(holders.get(key(job)));
            results.add(result(job, holder));
            if (holder != Holder.FAR) {
                (job.isFar() && takesIds && holder == null ? far : plain).add(job);
            }
            if (job.isFar() && job.mayMeet()) {
                holders.put(key(job), new Held(Holder.FAR, job.shard()));
            }
        }
        waiting.add(plain);
        Set<Submission> refused = refused(far);
        marks.add(
                Stream.concat(plain.stream(), far.stream())
                        .map(SubmitTable::marked)
                        .toList(),
                "tag");
        return IntStream.range(0, jobs.size())
                .mapToObj(i -> refused.contains(jobs.get(i)) ? Result.TAKEN : results.get(i))
                .toList();
    }

    private static MarkTable.Added marked(Submission submission) {
        NewJob job = submission.job();
        return new MarkTable.Added(
                submission.shard().queue(), job.id(), submission.mark().tag(), job.content());
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
            if (holder(holders(List.of(job)).get(key(job))) == Holder.FAR) {
                refused.add(job);
            } else {
                waiting.add(List.of(job));
            }
        }
        return refused;
    }

    /** Adds jobs that take their ids here, except where an id has been taken meanwhile; answers those. */
    private List<Submission> leftOut(List<Submission> jobs) {
        if (taking.add(jobs) == jobs.size()) {
            return List.of();
        }
        Set<Long> inserted = new HashSet<>();
        Parts.each(jobs, JobTable.MOST_IDS, some -> inserted.addAll(tags(some)));
        return jobs.stream().filter(job -> !inserted.contains(job.mark().tag())).toList();
    }

    private List<Long> tags(List<Submission> jobs) {
        return client.sql(
                        "SELECT tag FROM delayjob_job WHERE tag IN (:tags) AND id IN (:ids) AND queue IN (:queues) AND"
                                + " live = 1")
                .param("tags", jobs.stream().map(job -> job.mark().tag()).toList())
                .param("ids", jobs.stream().map(job -> job.job().id()).toList())
                .param("queues", jobs.stream().map(job -> job.shard().queue()).collect(Collectors.toSet()))
                .query(Long.class)
                .list();
    }

    /** The far jobs whose ids, as far as is known here, belong to jobs in Redis, with the shards of those. */
    public Map<Submission, ShardId> doubtful(List<Submission> jobs) {
        List<Submission> far = jobs.stream().filter(Submission::isFar).toList();
        Map<String, Held> holders = holders(far);
        Map<Submission, ShardId> doubtful = new IdentityHashMap<>();
        far.forEach(job -> {
            Held held = holders.get(key(job));
            if (held != null && held.holder() == Holder.REDIS) {
                doubtful.put(job, held.shard());
            }
        });
        return doubtful;
    }

    private static @Nullable Holder holder(@Nullable Held held) {
        return held == null ? null : held.holder();
    }

    private static String key(Submission job) {
        return job.shard().queue() + ' ' + job.job().id();
    }

    private Map<String, Held> holders(List<Submission> jobs) {
        Map<String, List<String>> ids = jobs.stream()
                .filter(Submission::mayMeet)
                .collect(Collectors.groupingBy(
                        job -> job.shard().queue(),
                        Collectors.mapping(job -> job.job().id(), Collectors.toList())));
        Map<String, Held> holders = new HashMap<>();
        ids.forEach((queue, its) -> Parts.each(its, JobTable.MOST_IDS, some -> addHolders(queue, some, holders)));
        return holders;
    }

    private void addHolders(String queue, List<String> ids, Map<String, Held> to) {
        client.sql("SELECT id, shard, live, relay_at, " + dialect.now() + " AS clock FROM delayjob_job"
                        + " WHERE queue = :queue AND id IN (:ids) AND finished_at IS NULL")
                .param("queue", queue)
                .param("ids", ids)
                .query(row -> {
                    Holder holder = holder(row);
                    if (holder != null) {
                        Held held = new Held(holder, new ShardId(queue, row.getInt("shard")));
                        to.merge(queue + ' ' + row.getString("id"), held, Held::first);
                    }
                });
    }

    /** The job of a row that has its id, far by {@link Dialect#isFar}; null of a job that was submitted and may not come to have its id. */
    private static @Nullable Holder holder(ResultSet row) throws SQLException {
        boolean live = row.getInt("live") == 1;
        Long relayAt = JobColumns.number(row, "relay_at");
        if (relayAt == null) {
            return live ? Holder.REDIS : null;
        }
        boolean isFar = relayAt > row.getLong("clock") + (live ? 0 : Submission.OWN_NODE_MILLIS);
        return isFar ? Holder.FAR : live ? Holder.COMING : null;
    }
}
