package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.Rig;
import java.util.List;
import java.util.Map;

/** A burst on one to three nodes and one to four shards. */
final class ScalingWorkload implements Workload {

    private static final List<Integer> NODES = List.of(1, 2, 3);
    private static final List<Integer> SHARDS = List.of(1, 2, 4);

    @Override
    public String name() {
        return "scaling";
    }

    @Override
    public boolean concerns(ContenderName contender) {
        return contender == ContenderName.DELAYJOB;
    }

    @Override
    public void measure(Lab lab, ContenderName contender) {
        SHARDS.forEach(shards -> NODES.forEach(nodes -> measure(lab, contender, nodes, shards)));
    }

    private void measure(Lab lab, ContenderName contender, int nodes, int shards) {
        Map<String, String> options = Map.of("delayjob.shards", Integer.toString(shards));
        try (Rig rig = lab.rig(contender, nodes, options)) {
            Burst burst = Burst.warm(lab, rig, BurstWorkload.WORKERS, 0, false);
            Notebook book = new Notebook(this, contender, "nodes=%d shards=%d".formatted(nodes, shards), rig);
            burst.runs(book, lab.sizes().burst(), 1);
            lab.add(book.measurement());
        }
    }
}
