package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.RedisStore;
import io.delayjob.benchmarks.driver.Rig;
import java.util.Map;

/** A burst on one queue whose shards are on three masters, with a replica each. */
final class ClusterWorkload implements Workload {

    private static final int SHARDS = 6;

    @Override
    public String name() {
        return "cluster";
    }

    @Override
    public boolean concerns(ContenderName contender) {
        return contender == ContenderName.DELAYJOB;
    }

    @Override
    public void measure(Lab lab, ContenderName contender) {
        Map<String, String> shards = Map.of("delayjob.shards", Integer.toString(SHARDS));
        try (Rig rig = lab.rig(RedisStore.cluster(), contender, 1, shards)) {
            Burst burst = Burst.warm(lab, rig, BurstWorkload.WORKERS, 0, false);
            Notebook book = new Notebook(this, contender, "masters=3 shards=" + SHARDS, rig);
            burst.runs(book, lab.size().burst(), lab.runs(contender));
            lab.add(book.measurement());
        }
    }
}
