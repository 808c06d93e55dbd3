package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.driver.Rig;
import java.util.Map;

/** The same jobs in one queue, and in many queues that both of two nodes run. */
final class ManyQueues {

    private static final int NODES = 2;

    private ManyQueues() {}

    static void measure(Trial trial) {
        measure(trial, 1);
        measure(trial, trial.size().queues());
    }

    private static void measure(Trial trial, int queues) {
        try (Rig rig = trial.rig(NODES, Map.of("queues", Integer.toString(queues)))) {
            Burst burst = Burst.warm(trial, rig);
            Notebook book = trial.notebook("queues=%d nodes=%d".formatted(queues, NODES), rig);
            burst.runs(book, trial.runs());
            Idle.requests(book, rig, NODES, trial.size().idleSeconds());
            trial.add(book);
        }
    }
}
