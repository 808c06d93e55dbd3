package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.delayjob.DelayJobContender;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Bursts of jobs with keys or priorities, and of jobs beside others that a limit holds back; in turns with bursts of plain jobs. */
final class Limited {

    private static final int SOME_KEYS = 10_000;
    private static final int MANY_KEYS = 100_000;

    /** One begins in an hour, so all others of the key wait. */
    private static final Map<String, String> ONE_AN_HOUR = Map.of(
            "delayjob.queues.default.limits.per-key.rate.permits",
            "1",
            "delayjob.queues.default.limits.per-key.rate.per",
            "1h");

    private Limited() {}

    /** A node with a burst of its own, and what is measured of it. */
    private record Runner(Burst burst, Notebook book) {

        static Runner of(Trial trial, Rig rig, String variant) {
            return new Runner(Burst.warm(trial, rig), trial.notebook(variant, rig));
        }
    }

    static void measure(Trial trial) {
        try (Rig plain = trial.rig();
                Rig held = trial.rig(1, ONE_AN_HOUR);
                Rig some = trial.rig(1, keys(SOME_KEYS));
                Rig many = trial.rig(1, keys(MANY_KEYS));
                Rig prioritized = trial.rig(1, Map.of("priorities", "true"))) {
            List<Runner> runners = new ArrayList<>();
            runners.add(Runner.of(trial, plain, "plain"));
            int others = trial.size().burst();
            runners.add(Runner.of(trial, held, "plain held=" + others));
            held.submit(Submit.bulk(DelayJobContender.HELD, others, System.currentTimeMillis(), 0));
            runners.add(Runner.of(trial, some, "keys=" + SOME_KEYS));
            runners.add(Runner.of(trial, many, "keys=" + MANY_KEYS));
            runners.add(Runner.of(trial, prioritized, "priorities=10"));
            for (int round = 0; round < trial.runs(); round++) {
                runners.forEach(runner -> runner.burst().run(runner.book()));
            }
            runners.forEach(runner -> trial.add(runner.book()));
        }
    }

    private static Map<String, String> keys(int count) {
        return Map.of("keys", Integer.toString(count));
    }
}
