package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.Rig;
import java.util.Map;

/** A burst of jobs that all fail at their first attempt and are tried again after a millisecond. */
final class RetriesWorkload implements Workload {

    private static final Map<String, String> BACKOFF = Map.of("delayjob.backoff.initial", "1ms", "backoffMillis", "1");

    @Override
    public String name() {
        return "retries";
    }

    @Override
    public boolean concerns(ContenderName contender) {
        return contender.isNearest();
    }

    @Override
    public void measure(Lab lab, ContenderName contender) {
        try (Rig rig = lab.rig(contender, 1, BACKOFF)) {
            Burst burst = Burst.warm(lab, rig, BurstWorkload.WORKERS, 0, true);
            Notebook book = new Notebook(this, contender, "", rig);
            burst.runs(book, lab.size().burst(), lab.runs(contender));
            lab.add(book.measurement());
        }
    }
}
