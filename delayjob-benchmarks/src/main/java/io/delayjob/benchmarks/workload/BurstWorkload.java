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
        try (Rig rig = lab.rig(contender, 1, Map.of())) {
            Burst burst = Burst.warm(lab, rig, WORKERS, 0, false);
            int waiting = 0;
            boolean inTime = true;
            for (int pending : lab.size().pending()) {
                if (!inTime || (pending > 0 && !isMeasuredWithPending(contender))) {
                    return;
                }
                wait(rig, pending - waiting, pending);
                waiting = pending;
                inTime = measure(lab, contender, rig, burst, pending);
            }
        }
    }

    // What falls with the number of waiting jobs is known of one; the others would take the page's time for little.
    private static boolean isMeasuredWithPending(ContenderName contender) {
        return contender == ContenderName.DELAYJOB
                || contender == ContenderName.DELAYED_QUEUE
                || contender == ContenderName.BULLMQ;
    }

    private static void wait(Rig rig, int count, int pending) {
        if (count > 0) {
            long due = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
            rig.submit(
                    Submit.bulk("far" + pending, count, due, Duration.ofDays(1).toMillis()));
        }
    }

    private boolean measure(Lab lab, ContenderName contender, Rig rig, Burst burst, int pending) {
        Notebook book = new Notebook(this, contender, "pending=" + pending, rig);
        boolean inTime = burst.runs(book, lab.size().burst(), lab.size().runs());
        lab.add(book.measurement());
        return inTime;
    }
}
