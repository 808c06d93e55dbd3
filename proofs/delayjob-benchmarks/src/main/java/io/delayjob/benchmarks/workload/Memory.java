package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.driver.Meter;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;

/** What a job that waits takes of Redis' memory. */
final class Memory {

    private Memory() {}

    static void measure(Trial trial) {
        int count = trial.size().waiting();
        try (Rig rig = trial.rig()) {
            rig.submit(Submit.far("first", Submit.BATCH, 0));
            Notebook book = trial.notebook("waiting=" + count, rig);
            Meter before = rig.store().meter();
            rig.submit(Submit.far("waiting", count, Submit.DAY_MILLIS));
            double bytes = rig.store().meter().since(before).memoryBytes();
            trial.add(book.put("bytesPerJob", bytes / count));
        }
    }
}
