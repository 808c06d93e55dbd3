package io.delayjob.benchmarks.workload;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.delayjob.benchmarks.driver.JobServer;
import io.delayjob.benchmarks.driver.RedisStore;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;

/** How long the console takes to show what a search has found among many jobs, with and without a journal. */
final class Searches {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int WARM_UP = 20;
    private static final long LONGEST_MICROS = 60_000_000;

    private Searches() {}

    static void measure(Trial trial) {
        try (RedisStore redis = RedisStore.single();
                Rig rig = trial.rig(redis, List.of(Map.of()))) {
            rig.submit(Submit.far("order", trial.size().searched(), Submit.DAY_MILLIS));
            measure(trial, redis, "none", Map.of());
        }
        try (JournalDatabase database = new JournalDatabase();
                RedisStore redis = RedisStore.single();
                Rig rig = trial.rig(redis, List.of(database.options("delayjob.journal.mode", "always")))) {
            rig.submit(Submit.far("order", trial.size().searched(), Submit.DAY_MILLIS));
            database.awaitRelayed(trial.size().searched(), PATIENCE);
            measure(trial, redis, "always", database.options("delayjob.journal.mode", "always"));
        }
    }

    private static void measure(Trial trial, RedisStore redis, String journal, Map<String, String> properties) {
        int dead = trial.size().dead();
        try (JobServer server = JobServer.start(redis, trial.log(), properties)) {
            server.bury("mail", dead, number -> "java.io.IOException: mail host %d timed out".formatted(number));
            for (Map.Entry<String, IntFunction<String>> asked : asked(trial).entrySet()) {
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

    /** What is searched for, by what it is. */
    private static Map<String, IntFunction<String>> asked(Trial trial) {
        int dead = trial.size().dead();
        int all = trial.size().searched();
        Map<String, IntFunction<String>> asked = new LinkedHashMap<>();
        asked.put("id", round -> "order-" + (round * 7919L + all / 2) % all);
        asked.put("beginning of an id", round -> "queue:default order-" + (all / 100 + round));
        asked.put("dead by error", round -> "state:dead error:\"host %d timed\"".formatted((round * 31) % dead));
        asked.put("field of a param", round -> "dueMillis:" + round);
        return asked;
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
