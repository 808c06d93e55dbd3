package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.driver.Outcome;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Waits;
import java.util.List;
import java.util.Map;

/** How much later are jobs where one of four nodes alone has their bean, than where all four have it? */
final class MixedFleet {

    private static final int NODES = 4;
    private static final int PER_SECOND = 20;
    private static final int THREADS = 2;
    private static final Map<String, String> WITH_HANDLER = Map.of("delayjob.no-handler-timeout", "30s");
    private static final Map<String, String> WITHOUT_HANDLER =
            Map.of("delayjob.no-handler-timeout", "30s", "without", "CloseOrderJob");

    private MixedFleet() {}

    static void measure(Trial trial) {
        try (Rig uniform = trial.rig(NODES, WITH_HANDLER);
                Rig mixed = trial.rig(List.of(WITH_HANDLER, WITHOUT_HANDLER, WITHOUT_HANDLER, WITHOUT_HANDLER))) {
            Notebook first = trial.notebook("able=%d nodes=%d".formatted(NODES, NODES), uniform);
            Notebook second = trial.notebook("able=1 nodes=%d".formatted(NODES), mixed);
            uniform.consume(Burst.WORKERS);
            mixed.consume(Burst.WORKERS);
            flow(trial.size(), uniform, "warm");
            flow(trial.size(), mixed, "warm");
            for (int round = 0; round < trial.runs(); round++) {
                first.put(flow(trial.size(), uniform, "flow" + round));
                second.put(flow(trial.size(), mixed, "flow" + round));
            }
            trial.add(first);
            trial.add(second);
        }
    }

    private static Outcome flow(Size size, Rig rig, String prefix) {
        int seconds = size.steadySeconds();
        rig.flow(prefix, PER_SECOND, seconds, size.maxDelayMillis(), THREADS);
        return rig.await(prefix, (long) PER_SECOND * seconds, Waits.PATIENCE);
    }
}
