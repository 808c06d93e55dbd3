package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.driver.Meter;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The cost of the index of a queue: bursts, and jobs that wait, of a queue without and with one; in turns. */
final class Indexed {

    private static final Map<String, String> WITHOUT = Map.of("named", "true");
    private static final Map<String, String> ONE_FIELD =
            Map.of("named", "true", "delayjob.queues.default.index", "payload");

    private Indexed() {}

    /** A node, its bursts, and what is measured of it. */
    private record Runner(Rig rig, Burst burst, Notebook book) {

        static Runner of(Trial trial, Rig rig, String variant) {
            return new Runner(rig, Burst.warm(trial, rig), trial.notebook(variant, rig));
        }

        void fill(int count) {
            Meter before = rig.store().meter();
            rig.submit(Submit.far("waiting", count, Submit.DAY_MILLIS));
            book.put("bytesPerJob", rig.store().meter().since(before).memoryBytes() / count);
        }
    }

    static void measure(Trial trial) {
        try (Rig without = trial.rig(1, WITHOUT);
                Rig with = trial.rig(1, ONE_FIELD)) {
            List<Runner> runners = new ArrayList<>();
            runners.add(Runner.of(trial, without, "index=none"));
            runners.add(Runner.of(trial, with, "index=one field"));
            for (int round = 0; round < trial.runs(); round++) {
                runners.forEach(runner -> runner.burst().run(runner.book()));
            }
            runners.forEach(runner -> runner.fill(trial.size().waiting()));
            runners.forEach(runner -> trial.add(runner.book()));
        }
    }
}
