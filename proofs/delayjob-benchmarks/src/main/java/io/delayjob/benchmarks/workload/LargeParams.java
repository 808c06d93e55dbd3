package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.driver.Outcome;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;
import java.util.Map;

/** Overdue jobs whose params are as large as they may be, and a node that has less memory than ten claims of them take. */
final class LargeParams {

    private static final String PREFIX = "large";
    private static final String HEAP = "128m";
    private static final int CHARACTERS = 256_000;
    private static final int THREADS = 2;
    private static final int BATCH = 4;

    private LargeParams() {}

    static void measure(Trial trial) {
        int count = trial.size().large();
        try (Rig rig = trial.rig(1, Map.of("heap", HEAP))) {
            long now = System.currentTimeMillis();
            rig.submit(new Submit(PREFIX, 0, count, now, 0, "bulk", THREADS, BATCH, CHARACTERS));
            Notebook book = trial.notebook("heap=%s characters=%d".formatted(HEAP, CHARACTERS), rig);
            rig.consume(Burst.WORKERS);
            Outcome outcome = rig.await(PREFIX, count, trial.size().limit().multipliedBy(4));
            book.put("perSecond", outcome.perSecond(outcome.firstRunMillis())).faults(outcome);
            trial.add(book.scripts(rig.store()));
        }
    }
}
