package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.driver.JobServer;
import io.delayjob.benchmarks.driver.OpenTabs;
import io.delayjob.benchmarks.driver.RedisStore;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Waits;
import java.util.Map;
import java.util.stream.IntStream;

/** Browsers that watch the console of one server: what do they cost, and does Redis notice how many there are? */
final class Tabs {

    private static final int QUEUES = 10;

    private Tabs() {}

    static void measure(Trial trial) {
        try (RedisStore redis = RedisStore.single();
                JobServer server = JobServer.start(redis, trial.log())) {
            IntStream.range(0, QUEUES).mapToObj(number -> "watched-" + number).forEach(server::submitFar);
            // The code that renders a page is loaded and compiled before anything counts.
            measure(trial, server, redis, trial.size().tabs().get(0));
            for (int tabs : trial.size().tabs()) {
                trial.add(measure(trial, server, redis, tabs));
            }
        }
    }

    private static Notebook measure(Trial trial, JobServer server, RedisStore redis, int count) {
        Notebook book = new Notebook(trial.workload(), trial.contender(), "tabs=" + count, Map.of());
        try (OpenTabs tabs = OpenTabs.open(server.url(), count)) {
            // Until the first of them makes the server look every second, and all have been told something.
            Idle.settle(trial.size().idleSeconds());
            long changes = tabs.changes();
            long commands = commands(redis);
            double cpu = server.cpuSeconds();
            long start = System.nanoTime();
            Rig.sleep(trial.size().idleSeconds() * 1000L);
            Waits.until("a change is told", () -> tabs.changes() > changes);
            double seconds = (System.nanoTime() - start) / 1e9;
            book.put("commandsPerSecond", (commands(redis) - commands) / seconds);
            book.put("changesPerSecond", (double) (tabs.changes() - changes) / count / seconds);
            book.put("cpuPercent", (server.cpuSeconds() - cpu) / seconds * 100);
            if (tabs.ended() > 0) {
                book.fault("%d of %d tabs were closed".formatted(tabs.ended(), count));
            }
        }
        return book;
    }

    /** Number of commands that Redis ran, including those that scripts send. */
    private static long commands(RedisStore redis) {
        return redis.calls().values().stream().mapToLong(Long::longValue).sum();
    }
}
