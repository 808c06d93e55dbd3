package io.delayjob.benchmarks.workload;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.delayjob.benchmarks.driver.JobServer;
import io.delayjob.benchmarks.driver.RedisStore;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;
import java.net.URLEncoder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;

/** How long the console takes to show what a search has found among many jobs, with and without a journal. */
final class Searches {

    private static final int WARM_UP = 20;
    private static final int ENDED_EVERY_MILLIS = 100;

    /** The payload of each job is its id, and the queue has an index of it. */
    private static final Map<String, String> NAMED = Map.of("named", "true");

    private static final String INDEX = "delayjob.queues.default.index";
    private static final String INDEXED = "payload,order";
    private static final long LONGEST_MICROS = 60_000_000;

    /** The mark of an order in the index, by its number. */
    private static final String MARK =
            "left(translate(encode(sha256(CAST('order:' || n AS BYTEA)), 'base64'), '+/', '-_'), 11)";

    private Searches() {}

    static void measure(Trial trial) {
        try (RedisStore redis = RedisStore.single();
                Rig rig = trial.rig(redis, List.of(with(NAMED, INDEX, INDEXED)))) {
            rig.submit(Submit.far("order", trial.size().searched(), Submit.DAY_MILLIS));
            measure(trial, redis, "none", Map.of(INDEX, INDEXED), asked(trial));
        }
        try (JournalDatabase database = new JournalDatabase();
                RedisStore redis = RedisStore.single();
                Rig rig = trial.rig(redis, List.of(with(journal(database), "named", "true")))) {
            rig.submit(Submit.far("order", trial.size().searched(), Submit.DAY_MILLIS));
            database.awaitRelayed(trial.size().searched());
            end(database, trial.size().ended());
            Map<String, IntFunction<String>> asked = asked(trial);
            asked.putAll(askedOfEnded(trial));
            measure(trial, redis, "always", journal(database), asked);
        }
    }

    private static Map<String, String> journal(JournalDatabase database) {
        return database.options("delayjob.journal.mode", "always", INDEX, INDEXED);
    }

    private static Map<String, String> with(Map<String, String> options, String name, String value) {
        Map<String, String> more = new HashMap<>(options);
        more.put(name, value);
        return more;
    }

    /** Adds jobs that have ended, one each tenth of a second until now, with the marks of their order. */
    private static void end(JournalDatabase database, int jobs) {
        database.client()
                .sql(
                        "INSERT INTO delayjob_job (queue, shard, id, body, state, attempt, due_at, from_now, created_at, changed_at,"
                                + " finished_at, node) SELECT 'default', 0, 'ended-' || n, '\"job\":\"close-order\",\"param\":{\"order\":'"
                                + " || n || '},\"index\":\"' || " + MARK
                                + " || '\"}', 'COMPLETED', 1, t, 0, t, t, t, 'node-1' FROM (SELECT n, CAST(? AS BIGINT) - n * "
                                + ENDED_EVERY_MILLIS + " AS t FROM generate_series(0, ?) n) numbers")
                .params(System.currentTimeMillis(), jobs - 1)
                .update();
        database.client()
                .sql(
                        "INSERT INTO delayjob_mark (seq, queue, mark) SELECT seq, queue, left(right(body, 13), 11) FROM delayjob_job"
                                + " WHERE id LIKE 'ended-%'")
                .update();
        database.client().sql("ANALYZE delayjob_mark").update();
        database.client().sql("ANALYZE delayjob_job").update();
    }

    private static void measure(
            Trial trial,
            RedisStore redis,
            String journal,
            Map<String, String> properties,
            Map<String, IntFunction<String>> searches) {
        int dead = trial.size().dead();
        try (JobServer server = JobServer.start(redis, trial.log(), properties)) {
            server.bury("mail", dead, number -> "java.io.IOException: mail host %d timed out".formatted(number));
            for (Map.Entry<String, IntFunction<String>> asked : searches.entrySet()) {
                Notebook book = new Notebook(
                        trial.workload(),
                        trial.contender(),
                        "journal=%s asked=%s".formatted(journal, asked.getKey()),
                        properties);
                measure(book, server, trial.size().searches(), asked.getValue());
                trial.add(book);
            }
        }
    }

    /** Search queries, by the name of their kind; each depends on the round. */
    private static Map<String, IntFunction<String>> asked(Trial trial) {
        int dead = trial.size().dead();
        int all = trial.size().searched();
        Map<String, IntFunction<String>> asked = new LinkedHashMap<>();
        asked.put("id", round -> "order-" + (round * 7919L + all / 2) % all);
        // Of no job, so that it is looked for as far as an answer goes.
        asked.put("beginning of an id", round -> "queue:default order-%d-".formatted(round));
        asked.put("dead by error", round -> "state:dead error:\"host %d timed\"".formatted((round * 31) % dead));
        asked.put("field of a param", round -> "dueMillis:" + round);
        Instant due = Instant.now().plusMillis(Submit.DAY_MILLIS * 3 / 2);
        asked.put("field in the index", round -> "payload:order-" + (round * 7919L + all / 2) % all);
        asked.put("due range", round -> "queue:default due:" + seconds(due, round));
        return asked;
    }

    /** The same of jobs that have ended, which the journal has. */
    private static Map<String, IntFunction<String>> askedOfEnded(Trial trial) {
        int all = trial.size().ended();
        Instant middle = Instant.now().minusMillis((long) all / 2 * ENDED_EVERY_MILLIS);
        Map<String, IntFunction<String>> asked = new LinkedHashMap<>();
        asked.put("id, ended", round -> "ended-" + (round * 7919L + all / 2) % all);
        asked.put("beginning of an id, ended", round -> "state:completed ended-%d-".formatted(round));
        asked.put("field of a param, ended", round -> "state:completed other:order-" + round);
        asked.put("field in the index, ended", round -> "order:" + (round * 7919L + all / 2) % all);
        asked.put("time of the end", round -> "queue:default ended:" + seconds(middle, round));
        return asked;
    }

    private static String seconds(Instant begin, int round) {
        Instant from = begin.truncatedTo(ChronoUnit.SECONDS).plusSeconds(round * 10L);
        return from + ".." + from.plusSeconds(4);
    }

    private static void measure(Notebook book, JobServer server, int searches, IntFunction<String> asked) {
        Histogram micros = new Histogram(LONGEST_MICROS, 3);
        for (int round = -Math.min(WARM_UP, searches); round < searches; round++) {
            String query = URLEncoder.encode(asked.apply(Math.abs(round)), UTF_8);
            long start = System.nanoTime();
            server.page("/search?q=" + query);
            if (round >= 0) {
                micros.recordValue((System.nanoTime() - start) / 1000);
            }
        }
        book.put("p50Millis", micros.getValueAtPercentile(50) / 1000.0)
                .put("p95Millis", micros.getValueAtPercentile(95) / 1000.0)
                .put("maxMillis", micros.getMaxValue() / 1000.0);
    }
}
