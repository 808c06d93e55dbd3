package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.driver.Outcome;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Waits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** How much later are jobs where one of several nodes alone has their bean, than where all have it? */
final class MixedFleet {

    private static final int PER_SECOND = 20;
    private static final int THREADS = 2;
    private static final Map<String, String> WITH_HANDLER = Map.of("delayjob.no-handler-timeout", "30s");
    private static final Map<String, String> WITHOUT_HANDLER =
            Map.of("delayjob.no-handler-timeout", "30s", "without", "CloseOrderJob");

    private MixedFleet() {}

    static void measure(Trial trial) {
        int nodes = trial.size().mixedFleet();
        List<Map<String, String>> oneIsAble = new ArrayList<>(Collections.nCopies(nodes, WITHOUT_HANDLER));
        oneIsAble.set(0, WITH_HANDLER);
        try (Rig uniform = trial.rig(nodes, WITH_HANDLER);
                Rig mixed = trial.rig(oneIsAble)) {
            Notebook first = trial.notebook("able=%d nodes=%d".formatted(nodes, nodes), uniform);
            Notebook second = trial.notebook("able=1 nodes=%d".formatted(nodes), mixed);
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
