package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;
import java.time.Duration;
import java.util.Map;

/** Many jobs due within a second, while none or many others wait for a time far away. */
final class BurstWorkload implements Workload {

    static final int WORKERS = 16;

    @Override
    public String name() {
        return "burst";
    }

    @Override
    public boolean concerns(ContenderName contender) {
        return true;
    }

    @Override
    public void measure(Lab lab, ContenderName contender) {
        // What falls with the number of waiting jobs is known of one; the others would take the page's time for little.
        lab.size().pending().stream()
                .filter(pending -> pending == 0 || contender.isNearest())
                .forEach(pending -> measure(lab, contender, pending));
    }

    private void measure(Lab lab, ContenderName contender, int pending) {
        try (Rig rig = lab.rig(contender, 1, Map.of())) {
            Burst burst = Burst.warm(lab, rig, WORKERS, 0, false);
            submitFar(rig, pending);
            Notebook book = new Notebook(this, contender, "pending=" + pending, rig);
            burst.runs(book, lab.size().burst(), lab.runs(contender));
            lab.add(book.measurement());
        }
    }

    private static void submitFar(Rig rig, int count) {
        if (count > 0) {
            long due = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
            rig.submit(Submit.bulk("far", count, due, Duration.ofDays(1).toMillis()));
        }
    }
}
