package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.RedisStore;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.redisson.internal.redis.ScriptRounds;
import java.util.Map;

/** The scripts of a job's life, each alone on an idle Redis with as many jobs as a call may have, by Redis' own processor time. */
final class ScriptsWorkload implements Workload {

    @Override
    public String name() {
        return "scripts";
    }

    @Override
    public boolean concerns(ContenderName contender) {
        return contender == ContenderName.DELAYJOB;
    }

    @Override
    public void measure(Lab lab, ContenderName contender) {
        try (Rig rig = lab.rig(RedisStore.single(), contender, 0, Map.of());
                ScriptRounds rounds = new ScriptRounds(rig.store().store().url())) {
            rounds.measure(lab.size().calls()).forEach((script, micros) -> {
                String variant = "script=%s jobs=%d".formatted(script, ScriptRounds.JOBS);
                lab.add(new Notebook(this, contender, variant, rig)
                        .put("p50CpuMillis", micros.getValueAtPercentile(50) / 1000.0)
                        .put("p99CpuMillis", micros.getValueAtPercentile(99) / 1000.0)
                        .put("maxCpuMillis", micros.getMaxValue() / 1000.0)
                        .measurement());
            });
        }
    }
}
