package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.Outcome;
import io.delayjob.benchmarks.driver.Rig;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** How much later are jobs where one of four nodes alone has their bean, than where all four have it? */
final class MixedFleetWorkload implements Workload {

    private static final int NODES = 4;
    private static final int PER_SECOND = 20;
    private static final int THREADS = 2;
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Map<String, String> WITH_HANDLER = Map.of("delayjob.no-handler-timeout", "30s");
    private static final Map<String, String> WITHOUT_HANDLER =
            Map.of("delayjob.no-handler-timeout", "30s", "without", "CloseOrderJob");

    @Override
    public String name() {
        return "mixed";
    }

    @Override
    public boolean concerns(ContenderName contender) {
        return contender == ContenderName.DELAYJOB;
    }

    @Override
    public void measure(Lab lab, ContenderName contender) {
        try (Rig uniform = lab.rig(contender, List.of(WITH_HANDLER, WITH_HANDLER, WITH_HANDLER, WITH_HANDLER));
                Rig mixed =
                        lab.rig(contender, List.of(WITH_HANDLER, WITHOUT_HANDLER, WITHOUT_HANDLER, WITHOUT_HANDLER))) {
            Notebook first = new Notebook(this, contender, "able=%d nodes=%d".formatted(NODES, NODES), uniform);
            Notebook second = new Notebook(this, contender, "able=1 nodes=%d".formatted(NODES), mixed);
            uniform.consume(BurstWorkload.WORKERS, 0, false);
            mixed.consume(BurstWorkload.WORKERS, 0, false);
            flow(lab, uniform, "warm");
            flow(lab, mixed, "warm");
            for (int round = 0; round < lab.runs(contender); round++) {
                first.put(flow(lab, uniform, "flow" + round));
                second.put(flow(lab, mixed, "flow" + round));
            }
            lab.add(first.measurement());
            lab.add(second.measurement());
        }
    }

    private static Outcome flow(Lab lab, Rig rig, String prefix) {
        int seconds = lab.size().steadySeconds();
        rig.flow(prefix, PER_SECOND, seconds, lab.size().maxDelayMillis(), THREADS);
        return rig.await(prefix, (long) PER_SECOND * seconds, LIMIT);
    }
}
