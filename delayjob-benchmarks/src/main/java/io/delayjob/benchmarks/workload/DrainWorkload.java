package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.Meter;
import io.delayjob.benchmarks.driver.Outcome;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;
import java.util.Map;

/** Jobs that all came due while no node was there to run them, and a node that comes back. */
final class DrainWorkload implements Workload {

    private static final String PREFIX = "overdue";
    private static final int LONGER = 3;

    @Override
    public String name() {
        return "drain";
    }

    @Override
    public boolean concerns(ContenderName contender) {
        return contender == ContenderName.DELAYJOB || contender == ContenderName.BULLMQ;
    }

    @Override
    public void measure(Lab lab, ContenderName contender) {
        int count = lab.size().drain();
        try (Rig rig = lab.rig(contender, 1, Map.of())) {
            rig.submit(Submit.bulk(PREFIX, count, System.currentTimeMillis(), 0));
            Notebook book = new Notebook(this, contender, "overdue=" + count, rig);
            Meter before = rig.store().meter();
            rig.consume(BurstWorkload.WORKERS, 0, false);
            Outcome outcome = rig.await(PREFIX, count, lab.size().limit().multipliedBy(LONGER));
            Meter spent = rig.store().meter().since(before);
            book.put("perSecond", outcome.perSecond(outcome.firstRunMillis())).faults(outcome);
            book.put("scriptMicrosPerJob", (double) spent.scriptMicros() / count);
            lab.add(book.scripts(rig.store()).measurement());
        }
    }
}
