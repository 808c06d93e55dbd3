package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.driver.RedisStore;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;
import java.util.List;
import java.util.Map;

/** Many jobs due within a second, under different circumstances: each of these is a workload. */
final class Bursts {

    private static final int SHORT_JOB_WORKERS = 64;
    private static final long SHORT_JOB_MILLIS = 1;
    private static final int CLUSTER_SHARDS = 6;
    private static final int LARGER_PARAM = 10_000;
    private static final int SUBMITTERS = 64;
    private static final int SINGLES_OF_A_SUBMITTER = 100;

    private Bursts() {}

    /** While none or many other jobs wait for a time far away. */
    static void whileOthersWait(Trial trial) {
        // The others are slow with many waiting jobs; one of them is enough to show it.
        trial.size().pending().stream()
                .filter(pending -> pending == 0 || trial.contender().isNearest())
                .forEach(pending -> whileOthersWait(trial, pending));
    }

    private static void whileOthersWait(Trial trial, int pending) {
        try (Rig rig = trial.rig()) {
            Burst burst = Burst.warm(trial, rig);
            if (pending > 0) {
                rig.submit(Submit.far("far", pending, Submit.DAY_MILLIS));
            }
            Notebook book = measured(trial, rig, burst, "pending=" + pending);
            if (trial.burst() < trial.size().burst()) {
                book.note("of %,d jobs".formatted(trial.burst()));
            }
            trial.add(book);
        }
    }

    /** Of jobs that take a millisecond, on 64 workers: how much of what the workers could do is done? */
    static void ofShortJobs(Trial trial) {
        try (Rig rig = trial.rig()) {
            Burst burst = Burst.warm(trial, rig, SHORT_JOB_WORKERS, SHORT_JOB_MILLIS, 0);
            String variant = "workers=%d millis=%d".formatted(SHORT_JOB_WORKERS, SHORT_JOB_MILLIS);
            double most = SHORT_JOB_WORKERS * 1000.0 / SHORT_JOB_MILLIS;
            trial.add(measured(trial, rig, burst, variant).share("percentOfMaximum", "perSecond", most));
        }
    }

    /** Of jobs that fail at their first attempt and are tried again after a millisecond: all, or a tenth of them. */
    static void ofJobsThatFailOnce(Trial trial) {
        for (int every : List.of(1, 10)) {
            try (Rig rig = trial.rig(1, Map.of("delayjob.backoff.initial", "1ms"))) {
                Burst burst = Burst.warm(trial, rig, Burst.WORKERS, 0, every);
                trial.add(measured(trial, rig, burst, "failing=1 of " + every));
            }
        }
    }

    /** Of fewer jobs with params of 10,000 characters. */
    static void ofLargerParams(Trial trial) {
        try (Rig rig = trial.rig()) {
            Burst burst = Burst.warm(trial, rig).of(trial.size().burstOfLargerParams());
            trial.add(measured(trial, rig, burst.carrying(LARGER_PARAM), "characters=" + LARGER_PARAM));
        }
    }

    /** On one queue whose shards are on three masters, with a replica each. */
    static void onACluster(Trial trial) {
        try (Rig rig = trial.rig(RedisStore.cluster(), List.of(shards(CLUSTER_SHARDS)))) {
            trial.add(measured(trial, rig, Burst.warm(trial, rig), "masters=3 shards=" + CLUSTER_SHARDS));
        }
    }

    private static Notebook measured(Trial trial, Rig rig, Burst burst, String variant) {
        Notebook book = trial.notebook(variant, rig);
        burst.runs(book, trial.runs());
        return book;
    }

    /** On one to three nodes and one to four shards. */
    static void onNodesAndShards(Trial trial) {
        for (int shards : trial.size().shards()) {
            for (int nodes : trial.size().nodes()) {
                onNodesAndShards(trial, nodes, shards);
            }
        }
    }

    private static void onNodesAndShards(Trial trial, int nodes, int shards) {
        try (Rig rig = trial.rig(nodes, shards(shards))) {
            Burst burst = Burst.warm(trial, rig);
            Notebook book = trial.notebook("nodes=%d shards=%d".formatted(nodes, shards), rig);
            burst.run(book);
            trial.add(book);
        }
    }

    private static Map<String, String> shards(int count) {
        return Map.of("delayjob.shards", Integer.toString(count));
    }

    /** On a Redis that keeps an append-only file or none; single submits to it; and the bytes that a job adds to the file over its life. */
    static void onAnAppendOnlyFile(Trial trial) {
        trial.size().fsyncs().forEach(fsync -> onAnAppendOnlyFile(trial, fsync));
    }

    private static void onAnAppendOnlyFile(Trial trial, String fsync) {
        boolean hasFile = !fsync.equals("off");
        RedisStore redis =
                hasFile ? RedisStore.single("--appendfsync", fsync) : RedisStore.single("--appendonly", "no");
        try (Rig rig = trial.rig(redis, List.of(Map.of()))) {
            Burst burst = Burst.warm(trial, rig);
            Notebook book = trial.notebook("appendonly=" + fsync, rig);
            if (burst.run(book)) {
                int count = Math.min(trial.size().burst(), SUBMITTERS * SINGLES_OF_A_SUBMITTER);
                double millis = rig.submit(Submit.farSingles("single", count, SUBMITTERS));
                book.put("singlesPerSecond", count / millis * 1000);
                if (hasFile) {
                    book.put("fileBytesPerJob", fileBytesPerJob(trial, rig, burst, redis));
                }
            }
            trial.add(book);
        }
    }

    private static double fileBytesPerJob(Trial trial, Rig rig, Burst burst, RedisStore redis) {
        redis.keepWholeFile();
        long before = redis.fileBytes();
        // Another burst, whose other numbers do not count.
        burst.run(trial.notebook("", rig));
        return (redis.fileBytes() - before) / (double) trial.burst();
    }
}
