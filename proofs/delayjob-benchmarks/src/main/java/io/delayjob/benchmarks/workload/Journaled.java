package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.Outcome;
import io.delayjob.benchmarks.driver.RedisStore;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;
import io.delayjob.benchmarks.driver.Waits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** With a journal in a PostgreSQL: what it costs, and what it does for its price. */
final class Journaled {

    private static final int MANY_THREADS = 64;
    private static final int MORE_BY_MANY = 5;
    private static final int COMMITS_PER_SECOND = 1000;
    private static final int COMMITTING_THREADS = 32;
    private static final int RUNS = 3;
    private static final double KIB = 1024;
    private static final String MODE = "delayjob.journal.mode";
    private static final String COPIED =
            "queue, shard, live, body, lease_ms, state, attempt, from_now, created_at, changed_at";

    private Journaled() {}

    /** Submits in transactions, each with a row of the application's own. */
    static void submits(Trial trial) {
        if (trial.contender() != ContenderName.DELAYJOB) {
            try (Rig rig = trial.rig(1, Map.of("outbox", "true"))) {
                submits(trial, rig);
            }
            return;
        }
        try (JournalDatabase database = new JournalDatabase();
                Rig rig = trial.rig(RedisStore.single(), List.of(database.options("outbox", "true")))) {
            submits(trial, rig);
        }
    }

    private static void submits(Trial trial, Rig rig) {
        int singles = trial.size().committed();
        submits(trial, rig, "threads=1", Submit.farSingles("one", singles, 1));
        submits(trial, rig, "threads=64", Submit.farSingles("many", singles * MORE_BY_MANY, MANY_THREADS));
    }

    private static void submits(Trial trial, Rig rig, String variant, Submit submit) {
        Notebook book = trial.notebook(variant, rig);
        rig.submit(submit);
        for (int run = 1; run <= RUNS; run++) {
            double millis = rig.submit(submit.from(run * submit.count()));
            book.put("perSecond", submit.count() / millis * 1000);
        }
        trial.add(book);
    }

    /** From the begin of a transaction to the begin of its job. */
    static void commitToRun(Trial trial) {
        int seconds = trial.size().steadySeconds();
        try (JournalDatabase database = new JournalDatabase();
                Rig rig = trial.rig(RedisStore.single(), List.of(database.options("outbox", "true")))) {
            rig.consume(Burst.WORKERS);
            commits(rig, "warm", seconds);
            Notebook book = trial.notebook("perSecond=" + COMMITS_PER_SECOND, rig);
            for (int run = 0; run < trial.runs(); run++) {
                book.put(commits(rig, "commits" + run, seconds));
            }
            database.awaitFinished();
            trial.add(book);
        }
    }

    private static Outcome commits(Rig rig, String prefix, int seconds) {
        rig.flow(prefix, COMMITS_PER_SECOND, seconds, 0, COMMITTING_THREADS);
        return rig.await(prefix, (long) COMMITS_PER_SECOND * seconds, Waits.PATIENCE);
    }

    /** The burst without a database, beside a queue with a journal, and with one: by turns. */
    static void bursts(Trial trial) {
        try (JournalDatabase beside = new JournalDatabase();
                JournalDatabase always = new JournalDatabase();
                Rig none = trial.rig();
                Rig other = trial.rig(
                        RedisStore.single(),
                        List.of(beside.options(MODE, "off", "delayjob.queues.other.journal.mode", "always")));
                Rig all = trial.rig(RedisStore.single(), List.of(always.options(MODE, "always")))) {
            Map<Notebook, Burst> bursts = new LinkedHashMap<>();
            bursts.put(trial.notebook("journal=none", none), Burst.warm(trial, none));
            bursts.put(trial.notebook("journal=of another queue", other), Burst.warm(trial, other));
            bursts.put(trial.notebook("journal=always", all), Burst.warm(trial, all));
            for (int round = 0; round < trial.runs(); round++) {
                bursts.forEach((book, burst) -> {
                    always.awaitFinished();
                    burst.run(book);
                });
            }
            bursts.keySet().forEach(trial::add);
        }
    }

    /** From the loss of all that Redis has until it has all jobs again. */
    static void rebuild(Trial trial) {
        int jobs = trial.size().rebuilt();
        try (JournalDatabase database = new JournalDatabase();
                RedisStore redis = RedisStore.single();
                Rig rig = trial.rig(
                        redis,
                        List.of(database.options(MODE, "always", "delayjob.journal.restore-automatically", "true")))) {
            rig.submit(Submit.far("far", jobs, Submit.DAY_MILLIS));
            rig.consume(Burst.WORKERS);
            database.awaitRelayed(jobs);
            Notebook book = trial.notebook("jobs=" + jobs, rig);
            long lost = System.nanoTime();
            redis.empty();
            database.await("SELECT EXISTS (SELECT 1 FROM delayjob_shard WHERE loss IS NOT NULL)");
            book.put("noticedSeconds", (System.nanoTime() - lost) / 1e9);
            database.await("SELECT NOT EXISTS (SELECT 1 FROM delayjob_shard WHERE loss IS NOT NULL)");
            double seconds = (System.nanoTime() - lost) / 1e9;
            long there = redis.members("delayjob:{default:0}:waiting");
            if (there != jobs) {
                book.fault("%d of %d jobs are in Redis".formatted(there, jobs));
            }
            trial.add(book.put("rebuiltSeconds", seconds).put("perSecond", jobs / seconds));
        }
    }

    /** Measures how much of Redis' memory far jobs take, and whether due jobs run on time beside them. */
    static void farJobs(Trial trial) {
        int jobs = trial.size().far();
        int byApi = Math.min(jobs, trial.size().waiting());
        try (JournalDatabase database = new JournalDatabase();
                RedisStore redis = RedisStore.single();
                Rig rig = trial.rig(redis, List.of(database.options("delayjob.journal.horizon", "1h")))) {
            rig.consume(Burst.WORKERS);
            rig.submit(Submit.bulk("first", Submit.BATCH, System.currentTimeMillis(), 0));
            rig.await("first", Submit.BATCH, Waits.PATIENCE);
            database.awaitFinished();
            Notebook book = trial.notebook("jobs=" + jobs, rig);
            long before = redis.meter().memoryBytes();
            rig.submit(Submit.far("far", byApi, Submit.DAY_MILLIS));
            copy(database, byApi, jobs);
            book.put("redisKibibytes", (redis.meter().memoryBytes() - before) / KIB);
            book.note("%d were submitted, the others are copies of their rows, due within the day after"
                    .formatted(byApi));
            long due = System.currentTimeMillis() + 1000;
            rig.submit(Submit.bulk("due", Submit.BATCH, due, 1000));
            trial.add(book.put(rig.await("due", Submit.BATCH, Waits.PATIENCE)));
        }
    }

    /** Adds copies of the rows that were submitted last, until there are so many. */
    private static void copy(JournalDatabase database, int submitted, int jobs) {
        long last = database.client()
                .sql("SELECT MAX(seq) FROM delayjob_job")
                .query(Long.class)
                .single();
        for (int there = submitted; there < jobs; there += submitted) {
            database.client()
                    .sql(
                            "INSERT INTO delayjob_job (%1$s, id, due_at, relay_at) SELECT %1$s, id || ?, due_at + ?, relay_at + ?"
                                            .formatted(COPIED)
                                    + " FROM delayjob_job WHERE seq > ? AND seq <= ? LIMIT ?")
                    .params("-copy-" + there, Submit.DAY_MILLIS, Submit.DAY_MILLIS)
                    .params(last - submitted, last, Math.min(submitted, jobs - there))
                    .update();
        }
        long far = database.client()
                .sql("SELECT COUNT(*) FROM delayjob_job WHERE live = 1 AND relay_at IS NOT NULL")
                .query(Long.class)
                .single();
        if (far != jobs) {
            throw new IllegalStateException("there are " + far + " far jobs, not " + jobs);
        }
    }
}
