package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.Rig;
import java.util.Map;

/** A burst on one to three nodes and one to four shards. */
final class ScalingWorkload implements Workload {

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
        lab.size()
                .shards()
                .forEach(shards -> lab.size().nodes().forEach(nodes -> measure(lab, contender, nodes, shards)));
    }

    private void measure(Lab lab, ContenderName contender, int nodes, int shards) {
        Map<String, String> options = Map.of("delayjob.shards", Integer.toString(shards));
        try (Rig rig = lab.rig(contender, nodes, options)) {
            Burst burst = Burst.warm(lab, rig, BurstWorkload.WORKERS, 0, false);
            Notebook book = new Notebook(this, contender, "nodes=%d shards=%d".formatted(nodes, shards), rig);
            burst.runs(book, lab.size().burst(), 1);
            lab.add(book.measurement());
        }
    }
}
