package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.driver.Meter;
import io.delayjob.benchmarks.driver.Outcome;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;

/** Jobs that all came due while no node was there to run them, and a node that comes back. */
final class Drain {

    private static final String PREFIX = "overdue";
    private static final int LONGER = 3;

    private Drain() {}

    static void measure(Trial trial) {
        int count = trial.size().drain();
        try (Rig rig = trial.rig()) {
            rig.submit(Submit.bulk(PREFIX, count, System.currentTimeMillis(), 0));
            Notebook book = trial.notebook("overdue=" + count, rig);
            Meter before = rig.store().meter();
            rig.consume(Burst.WORKERS);
            Outcome outcome = rig.await(PREFIX, count, trial.size().limit().multipliedBy(LONGER));
            Meter spent = rig.store().meter().since(before);
            book.put("perSecond", outcome.perSecond(outcome.firstRunMillis())).faults(outcome);
            book.put("scriptMicrosPerJob", (double) spent.scriptMicros() / count);
            trial.add(book.scripts(rig.store()));
        }
    }
}
