package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.driver.Meter;
import io.delayjob.benchmarks.driver.Outcome;
import io.delayjob.benchmarks.driver.RedisStore;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;
import java.time.Duration;

/** Jobs that become due within a short time, all submitted before the first is due. */
final class Burst {

    static final long SPREAD_MILLIS = 1000;

    private static final int FIRST_WARM_UP = 2000;
    private static final long WARM_MILLIS = 1500;
    private static final int TRIES = 3;

    private final Rig rig;
    private final Duration limit;
    private double submitPerMilli;
    private int number;

    private Burst(Rig rig, Duration limit) {
        this.rig = rig;
        this.limit = limit;
    }

    /** Starts workers and runs jobs that do not count. A contender that is slow with few of them is spared the others. */
    static Burst warm(Lab lab, Rig rig, int workers, long workMillis, boolean failFirst) {
        rig.consume(workers, workMillis, failFirst);
        Burst burst = new Burst(rig, lab.size().limit());
        burst.submitPerMilli = 1;
        int first = Math.min(FIRST_WARM_UP, lab.size().warmUp());
        long start = System.nanoTime();
        burst.warmUp(first);
        if (System.nanoTime() - start < WARM_MILLIS * 1_000_000 + SPREAD_MILLIS * 1_000_000) {
            burst.warmUp(lab.size().warmUp());
        }
        return burst;
    }

    private void warmUp(int count) {
        String prefix = "warm" + number++;
        double millis = rig.submit(Submit.bulk(prefix, count, System.currentTimeMillis(), SPREAD_MILLIS));
        submitPerMilli = count / millis;
        rig.await(prefix, count, limit);
    }

    /** So many runs, fewer if one does not end in time; false if so. */
    boolean runs(Notebook book, int count, int times) {
        boolean inTime = true;
        for (int i = 0; i < times && inTime; i++) {
            inTime = run(book, count);
        }
        return inTime;
    }

    /** One run; false if it did not end in time, so that the rig is of no further use. */
    boolean run(Notebook book, int count) {
        long lead = lead(count);
        for (int i = 1; ; i++) {
            String prefix = "burst" + number++;
            Meter before = rig.store().meter();
            double cpuBefore = rig.jvmCpuSeconds();
            long due = System.currentTimeMillis() + lead;
            double millis = rig.submit(Submit.bulk(prefix, count, due, SPREAD_MILLIS));
            boolean inTime = System.currentTimeMillis() < due;
            Outcome outcome = rig.await(
                    prefix,
                    count,
                    Duration.ofMillis(Math.max(0, due - System.currentTimeMillis()))
                            .plus(limit));
            if (inTime || i == TRIES || outcome.missing() > 0) {
                if (!inTime) {
                    book.note("jobs were still being submitted when the first were due");
                }
                put(book, outcome, due);
                book.put("submittedPerSecond", count / millis * 1000);
                cost(book, count, rig.store().meter().since(before), outcome.jvmCpuSeconds() - cpuBefore);
                return outcome.missing() == 0;
            }
            lead = Math.max(2 * lead, (long) (1.5 * millis) + 1000);
        }
    }

    private long lead(int count) {
        return 1000 + (long) (1.5 * count / submitPerMilli);
    }

    private void put(Notebook book, Outcome outcome, long due) {
        book.put("perSecond", outcome.perSecond((double) due));
        book.put(outcome);
        if (outcome.missing() > 0) {
            book.note("stopped after %d s; the numbers are of what ran until then".formatted(limit.toSeconds()));
        }
    }

    private void cost(Notebook book, int count, Meter spent, double jvmCpuSeconds) {
        book.put("storeCpuSecondsPerMillion", spent.cpuSeconds() / count * 1e6);
        book.put("jvmCpuSecondsPerMillion", jvmCpuSeconds / count * 1e6);
        book.put("scriptMicrosPerJob", (double) spent.scriptMicros() / count);
        if (rig.store() instanceof RedisStore redis) {
            book.put("slowestScriptMillis", redis.slowestScriptMicros() / 1000.0);
            redis.resetSlowest();
        }
    }
}
