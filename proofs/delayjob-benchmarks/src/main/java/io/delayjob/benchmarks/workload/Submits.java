package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Rig.Submitted;
import io.delayjob.benchmarks.driver.Submit;

/** Submits of jobs that are due far from now: one by one from one thread and from 64, and in bulk. */
final class Submits {

    private static final int MANY_THREADS = 64;
    private static final int MORE_BY_MANY = 10;

    private Submits() {}

    static void measure(Trial trial) {
        int singles = trial.size().singles();
        try (Rig rig = trial.rig()) {
            measure(trial, rig, "threads=1", Submit.farSingles("one", singles, 1));
            Submit many = Submit.farSingles("many", singles * MORE_BY_MANY, MANY_THREADS);
            measure(trial, rig, "threads=" + MANY_THREADS, many);
            measure(trial, rig, "bulk", Submit.far("bulk", trial.size().bulk(), 0));
        }
    }

    private static void measure(Trial trial, Rig rig, String variant, Submit submit) {
        Notebook book = trial.notebook(variant, rig);
        int warm = warmUp(trial, rig, submit);
        double longest = 0;
        for (int i = warm;
                i < warm + trial.runs() && longest < trial.size().limit().toMillis();
                i++) {
            Submitted submitted = rig.submitCalls(submit.from(i * submit.count()));
            book.put("perSecond", submit.count() / submitted.millis() * 1000);
            if (submit.mode().equals("single")) {
                book.durations(submitted.durations());
            }
            longest = Math.max(longest, submitted.millis());
        }
        trial.add(book);
    }

    /** Submits such jobs for as long as a burst is warmed up, and returns how often. */
    private static int warmUp(Trial trial, Rig rig, Submit submit) {
        long end = System.nanoTime() + Burst.LONGEST_WARM_UP.toNanos();
        int times = 0;
        do {
            rig.submit(submit.from(times * submit.count()));
            times++;
        } while (times * submit.count() < trial.size().warmUp() && System.nanoTime() < end);
        return times;
    }
}
