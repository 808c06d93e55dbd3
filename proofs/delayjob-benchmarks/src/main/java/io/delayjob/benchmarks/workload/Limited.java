package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.delayjob.DelayJobContender;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Jobs with keys, limits or priorities. */
final class Limited {

    static final int SOME_KEYS = 10_000;
    static final int MANY_KEYS = 100_000;
    private static final int KEYS_OF_TURNS = 10;
    private static final long WORK_MILLIS = 20;
    private static final int WARM_UPS = 3;
    private static final Duration WARM_UP = Duration.ofSeconds(30);

    private static final Map<String, String> ONE_AN_HOUR_OF_A_KEY = oneAnHour("default.limits.per-key");
    private static final Map<String, String> ONE_AN_HOUR_OF_A_QUEUE = oneAnHour(DelayJobContender.RATED + ".limits");

    private Limited() {}

    /** One job begins in an hour, so all others wait. */
    private static Map<String, String> oneAnHour(String limits) {
        return Map.of(
                "delayjob.queues." + limits + ".rate.permits", "1", "delayjob.queues." + limits + ".rate.per", "1h");
    }

    /** A node with a burst of its own, and what is measured of it. */
    private record Runner(Burst burst, Notebook book) {

        static Runner of(Trial trial, Rig rig, String variant) {
            return new Runner(Burst.warm(trial, rig), trial.notebook(variant, rig));
        }
    }

    /** Bursts of jobs with keys or priorities, and of jobs beside others that a limit holds back; in turns with bursts of plain jobs. */
    static void bursts(Trial trial) {
        try (Rig plain = trial.rig();
                Rig held = trial.rig(1, ONE_AN_HOUR_OF_A_KEY);
                Rig rated = trial.rig(1, ONE_AN_HOUR_OF_A_QUEUE);
                Rig some = trial.rig(1, keys(SOME_KEYS));
                Rig many = trial.rig(1, keys(MANY_KEYS));
                Rig prioritized = trial.rig(1, Map.of("priorities", "true"))) {
            List<Runner> runners = new ArrayList<>();
            runners.add(Runner.of(trial, plain, "plain"));
            int others = trial.size().burst();
            runners.add(Runner.of(trial, held, "plain held=" + others));
            held.submit(Submit.bulk(DelayJobContender.HELD, others, System.currentTimeMillis(), 0));
            runners.add(Runner.of(trial, rated, "plain rated=" + others));
            rated.submit(Submit.bulk(DelayJobContender.RATED, others, System.currentTimeMillis(), 0));
            runners.add(Runner.of(trial, some, "keys=" + SOME_KEYS));
            runners.add(Runner.of(trial, many, "keys=" + MANY_KEYS));
            runners.add(Runner.of(trial, prioritized, "priorities=10"));
            // The first burst of a node that has waited while others were warmed up is slower than those that follow.
            runners.forEach(runner -> runner.burst().run(trial.notebook("first", plain)));
            for (int round = 0; round < trial.runs(); round++) {
                runners.forEach(runner -> runner.burst().run(runner.book()));
            }
            runners.forEach(runner -> trial.add(runner.book()));
        }
    }

    /** Jobs of 20 ms, of keys that run one at a time, with workers to spare: how long after the end of one does the next of its key begin? */
    static void permits(Trial trial) {
        Map<String, String> options = Map.of(
                "keys",
                Integer.toString(KEYS_OF_TURNS),
                "turns",
                "true",
                "delayjob.queues.default.limits.per-key.concurrency",
                "1");
        try (Rig rig = trial.rig(1, options)) {
            Burst burst = Burst.warm(trial, rig);
            rig.consume(Burst.WORKERS, WORK_MILLIS, 0);
            burst.warmUp(WARM_UPS * trial.size().turns(), WARM_UP);
            Notebook book = trial.notebook("keys=%d work=%dms".formatted(KEYS_OF_TURNS, WORK_MILLIS), rig);
            burst.of(trial.size().turns()).runs(book, trial.runs());
            trial.add(book);
        }
    }

    private static Map<String, String> keys(int count) {
        return Map.of("keys", Integer.toString(count));
    }
}
