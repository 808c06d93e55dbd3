package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.Rig;
import java.util.Map;

/** Jobs that take a millisecond, on 64 workers: how much of what the workers could do is done? */
final class ShortJobsWorkload implements Workload {

    private static final int WORKERS = 64;
    private static final long WORK_MILLIS = 1;
    private static final double MOST_PER_SECOND = WORKERS * 1000.0 / WORK_MILLIS;

    @Override
    public String name() {
        return "short";
    }

    @Override
    public boolean concerns(ContenderName contender) {
        return contender.isNearest();
    }

    @Override
    public void measure(Lab lab, ContenderName contender) {
        try (Rig rig = lab.rig(contender, 1, Map.of())) {
            Burst burst = Burst.warm(lab, rig, WORKERS, WORK_MILLIS, false);
            Notebook book = new Notebook(this, contender, "workers=%d millis=%d".formatted(WORKERS, WORK_MILLIS), rig);
            burst.runs(book, lab.size().burst(), lab.runs(contender));
            book.share("percentOfMaximum", "perSecond", MOST_PER_SECOND);
            lab.add(book.measurement());
        }
    }
}
