package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.redisson.internal.redis.ScriptRounds;
import java.util.List;

/** The scripts of a job's life, each alone on an idle Redis in calls as large as they may be, by Redis' own processor time. */
final class Scripts {

    private Scripts() {}

    static void measure(Trial trial) {
        try (Rig rig = trial.rig(List.of());
                ScriptRounds rounds = new ScriptRounds(rig.store().store().url())) {
            rounds.measure(trial.size().calls())
                    .forEach((variant, micros) -> trial.add(trial.notebook(variant, rig)
                            .put("p50CpuMillis", micros.getValueAtPercentile(50) / 1000.0)
                            .put("p99CpuMillis", micros.getValueAtPercentile(99) / 1000.0)
                            .put("maxCpuMillis", micros.getMaxValue() / 1000.0)));
        }
    }
}
