package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.driver.JobServer;
import io.delayjob.benchmarks.driver.JobServer.Usage;
import io.delayjob.benchmarks.driver.Meter;
import io.delayjob.benchmarks.driver.ParkedPolls;
import io.delayjob.benchmarks.driver.RedisStore;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Waits;
import java.util.Map;
import java.util.stream.IntStream;

/** Claims that wait at a server for jobs that do not come: what do they cost? */
final class Parked {

    private static final double MIB = 1024.0 * 1024;

    private Parked() {}

    static void measure(Trial trial) {
        int polls = trial.size().polls();
        measure(trial, 0, 1);
        measure(trial, polls, 1);
        measure(trial, polls, trial.size().pollsQueues());
    }

    private static void measure(Trial trial, int polls, int queues) {
        try (RedisStore redis = RedisStore.single();
                JobServer server = JobServer.start(redis, trial.log())) {
            IntStream.range(0, queues).mapToObj(ParkedPolls::queue).forEach(server::submitFar);
            // The code of a poll is loaded and compiled before anything counts.
            ParkedPolls.open(server.url(), Math.max(1, polls / 10), 1).close();
            try (ParkedPolls parked = ParkedPolls.open(server.url(), polls, queues)) {
                Waits.until(polls + " polls wait", () -> server.waitingClaims() == polls);
                String variant = polls == 0 ? "polls=0" : "polls=%d queues=%d".formatted(polls, queues);
                Notebook book = new Notebook(trial.workload(), trial.contender(), variant, Map.of());
                usage(book, server, redis, trial.size().idleSeconds());
                if (parked.answered() > 0) {
                    book.fault(parked.answered() + " polls were answered or cut");
                }
                trial.add(book);
            }
        }
    }

    private static void usage(Notebook book, JobServer server, RedisStore redis, int seconds) {
        Usage usage = server.usage();
        book.put("heapMebibytes", usage.heapBytes() / MIB);
        book.put("residentMebibytes", usage.residentBytes() / MIB);
        book.put("threads", usage.threads());
        Meter before = redis.meter();
        double cpuBefore = server.cpuSeconds();
        Rig.sleep(seconds * 1000L);
        book.put("cpuPercent", (server.cpuSeconds() - cpuBefore) / seconds * 100);
        book.put("scriptsPerSecond", (double) redis.meter().since(before).scripts() / seconds);
    }
}
