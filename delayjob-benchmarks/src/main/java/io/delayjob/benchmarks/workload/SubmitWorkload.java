package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;
import java.time.Duration;
import java.util.Map;

/** Submits of jobs that are due far from now: one by one from one thread and from 64, and in bulk. */
final class SubmitWorkload implements Workload {

    private static final int MANY_THREADS = 64;
    private static final int MORE_BY_MANY = 10;

    @Override
    public String name() {
        return "submit";
    }

    @Override
    public boolean concerns(ContenderName contender) {
        return true;
    }

    @Override
    public void measure(Lab lab, ContenderName contender) {
        try (Rig rig = lab.rig(contender, 1, Map.of())) {
            int singles = lab.size().singles();
            measure(lab, contender, rig, "threads=1", Submit.single("one", singles, due(), 1));
            measure(
                    lab,
                    contender,
                    rig,
                    "threads=" + MANY_THREADS,
                    Submit.single("many", singles * MORE_BY_MANY, due(), MANY_THREADS));
            measure(lab, contender, rig, "bulk", Submit.bulk("bulk", lab.size().bulk(), due(), 0));
        }
    }

    private static long due() {
        return System.currentTimeMillis() + Duration.ofDays(1).toMillis();
    }

    private void measure(Lab lab, ContenderName contender, Rig rig, String variant, Submit submit) {
        Notebook book = new Notebook(this, contender, variant, rig);
        // The first one warms up.
        double longest = rig.submit(submit);
        for (int i = 1; i <= lab.runs(contender) && longest < lab.size().limit().toMillis(); i++) {
            double millis = rig.submit(submit.from(i * submit.count()));
            book.put("perSecond", submit.count() / millis * 1000);
            longest = Math.max(longest, millis);
        }
        lab.add(book.measurement());
    }
}
