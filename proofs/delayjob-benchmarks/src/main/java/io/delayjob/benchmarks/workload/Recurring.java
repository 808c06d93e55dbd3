package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.driver.Meter;
import io.delayjob.benchmarks.driver.Outcome;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;
import java.time.Duration;
import java.util.Map;

/** Schedules: the requests that they cost while none is due, and how late jobs begin when all are due at once. */
final class Recurring {

    /** Shards of the queue whose schedules are all due at once. */
    private static final int SHARDS = 8;

    private static final int SECOND = 1000;
    private static final int WARM_UP_SHARE = 5;
    private static final int GROWTH = 2;
    private static final double ROOM = 1.3;

    private Recurring() {}

    /** The same nodes without schedules, and with many that are not due. */
    static void idle(Trial trial) {
        trial.size().idleNodes().forEach(nodes -> idle(trial, nodes));
    }

    private static void idle(Trial trial, int nodes) {
        int schedules = trial.size().idleSchedules();
        try (Rig rig = trial.rig(nodes, Map.of())) {
            rig.consume(Burst.WORKERS);
            idle(trial, rig, 0, nodes);
            rig.submit(Submit.schedules("far", schedules, System.currentTimeMillis() + Submit.DAY_MILLIS));
            idle(trial, rig, schedules, nodes);
        }
    }

    private static void idle(Trial trial, Rig rig, int schedules, int nodes) {
        int seconds = trial.size().idleSeconds();
        Notebook book = trial.notebook("schedules=%d nodes=%d".formatted(schedules, nodes), rig);
        Idle.settle(seconds);
        Idle.requests(book, rig, nodes, seconds);
        trial.add(book);
    }

    /** All at the same second, which is the worst: as if all of them said "at midnight". */
    static void atOneInstant(Trial trial) {
        int count = trial.size().schedules();
        try (Rig rig = trial.rig(1, Map.of("delayjob.shards", Integer.toString(SHARDS)))) {
            Burst.warm(trial, rig);
            Instants schedules = new Instants(rig, trial.size().limit(), Submit::schedules);
            Instants jobs = new Instants(
                    rig, trial.size().limit(), (prefix, many, instant) -> Submit.bulk(prefix, many, instant, 0));
            Notebook warmUp = trial.notebook("warm", rig);
            schedules.measure("warm", count / WARM_UP_SHARE, warmUp);
            Notebook book = trial.notebook("schedules=%d shards=%d".formatted(count, SHARDS), rig);
            Notebook plain = trial.notebook("jobs=%d shards=%d".formatted(count, SHARDS), rig);
            // Once, because it takes minutes to store them.
            schedules.measure("run", count, book);
            jobs.measure("jobs", count, plain);
            trial.add(book);
            trial.add(plain);
        }
    }

    /** Makes the jobs or schedules that are stored before the instant. */
    @FunctionalInterface
    private interface Stored {

        Submit of(String prefix, int count, long instant);
    }

    /** Stores schedules, or jobs, before their instant, and waits until all have run. */
    private static final class Instants {

        private final Rig rig;
        private final Duration limit;
        private final Stored stored;
        private double putMillis = 1;

        Instants(Rig rig, Duration limit, Stored stored) {
            this.rig = rig;
            this.limit = limit;
            this.stored = stored;
        }

        /** Tries again with more time if the last schedules were stored after the instant, which those then wait a year for. */
        void measure(String prefix, int count, Notebook book) {
            for (int i = 0; !tried(prefix + "x" + i, count, book); i++) {
                putMillis *= GROWTH;
            }
        }

        private boolean tried(String prefix, int count, Notebook book) {
            long soonest = System.currentTimeMillis() + SECOND + (long) (ROOM * count * putMillis);
            long instant = (soonest / SECOND + 1) * SECOND;
            double millis = rig.submit(stored.of(prefix, count, instant));
            Meter before = rig.store().meter();
            double cpuBefore = rig.jvmCpuSeconds();
            long left = instant - System.currentTimeMillis();
            if (left <= 0) {
                return false;
            }
            putMillis = millis / count;
            Outcome outcome = rig.await(prefix, count, limit.plusMillis(left));
            Meter spent = rig.store().meter().since(before);
            book.put("perSecond", outcome.perSecond((double) instant)).put(outcome);
            book.put("storedPerSecond", count / millis * SECOND);
            book.put("storeCpuSecondsPerMillion", spent.cpuSeconds() / count * 1e6);
            book.put("jvmCpuSecondsPerMillion", (outcome.jvmCpuSeconds() - cpuBefore) / count * 1e6);
            book.scripts(rig.store());
            return true;
        }
    }
}
