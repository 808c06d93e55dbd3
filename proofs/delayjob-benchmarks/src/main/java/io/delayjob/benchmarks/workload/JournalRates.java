package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.driver.JobServer;
import io.delayjob.benchmarks.driver.RedisStore;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;
import io.delayjob.benchmarks.driver.Waits;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** How fast a journal in a PostgreSQL takes far jobs and brings them to Redis, and how fast it compares and restores all that Redis has. */
final class JournalRates {

    private static final long HORIZON_MILLIS = TimeUnit.HOURS.toMillis(1);
    private static final String WAITING = "delayjob:{default:0}:waiting";

    /** Far jobs are submitted faster than that, but for a standstill, so that all are there when the first one comes to Redis. */
    private static final int SLOWEST_SUBMITS_PER_SECOND = 5000;

    private static final int STANDSTILL_SECONDS = 15;

    private JournalRates() {}

    /** Far jobs of one shard, which all come to Redis within one second. */
    static void ofFarJobs(Trial trial) {
        int jobs = trial.size().relayed();
        try (JournalDatabase database = new JournalDatabase();
                RedisStore redis = RedisStore.single();
                Rig rig = trial.rig(redis, List.of(database.options("delayjob.journal.horizon", "1h")))) {
            Notebook book = trial.notebook("jobs=" + jobs, rig);
            // The first one warms up.
            farJobs(trial.notebook("", rig), rig, redis, jobs, 0);
            for (int run = 1; run <= trial.runs(); run++) {
                database.await("SELECT NOT EXISTS (SELECT 1 FROM delayjob_job WHERE relay_at IS NOT NULL)");
                farJobs(book, rig, redis, jobs, run);
            }
            trial.add(book);
        }
    }

    private static void farJobs(Notebook book, Rig rig, RedisStore redis, int jobs, int run) {
        long leadMillis = TimeUnit.SECONDS.toMillis(STANDSTILL_SECONDS + jobs / SLOWEST_SUBMITS_PER_SECOND);
        long comeAt = System.currentTimeMillis() + leadMillis;
        double millis = rig.submit(
                Submit.bulk("far", jobs, comeAt + HORIZON_MILLIS, 1000).from(run * jobs));
        book.put("submittedPerSecond", jobs / millis * 1000);
        if (redis.members(WAITING) > (long) run * jobs) {
            book.fault("the first jobs came to Redis before all were submitted");
        }
        Waits.until("all jobs are in Redis", () -> redis.members(WAITING) >= (run + 1L) * jobs);
        book.put("relayedPerSecond", jobs / ((System.currentTimeMillis() - comeAt) / 1000.0));
    }

    /** A server compares each job of Redis with its row; Redis is emptied, and the server restores all when it is asked to. */
    static void ofComparing(Trial trial) {
        int jobs = trial.size().compared();
        try (JournalDatabase database = new JournalDatabase();
                RedisStore redis = RedisStore.single();
                Rig rig = trial.rig(redis, List.of(database.options("delayjob.journal.mode", "always")))) {
            rig.submit(Submit.far("far", jobs, Submit.DAY_MILLIS));
            database.awaitRelayed(jobs);
            Notebook book = trial.notebook("jobs=" + jobs, rig);
            try (JobServer server =
                    JobServer.start(redis, trial.log(), database.options("delayjob.journal.mode", "always"))) {
                server.journalDiffers();
                for (int run = 0; run < trial.runs(); run++) {
                    compare(book, server, database, redis, jobs);
                }
            }
            trial.add(book);
        }
    }

    private static void compare(Notebook book, JobServer server, JournalDatabase database, RedisStore redis, int jobs) {
        long start = System.nanoTime();
        if (server.journalDiffers()) {
            book.fault("the journal and Redis differ");
        }
        book.put("comparedPerSecond", jobs / seconds(start));
        redis.empty();
        database.await("SELECT EXISTS (SELECT 1 FROM delayjob_shard WHERE loss IS NOT NULL AND adopted = 1)");
        start = System.nanoTime();
        long restored = server.restoreJournal();
        book.put("restoredPerSecond", jobs / seconds(start));
        if (restored != jobs || redis.members(WAITING) != jobs) {
            book.fault("%d of %d jobs were restored".formatted(restored, jobs));
        }
    }

    private static double seconds(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e9;
    }
}
