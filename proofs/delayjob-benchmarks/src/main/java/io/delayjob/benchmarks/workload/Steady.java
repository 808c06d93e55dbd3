package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.Meter;
import io.delayjob.benchmarks.driver.Outcome;
import io.delayjob.benchmarks.driver.Rig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A fixed number of submits a second, with delays of up to five seconds: how late are the jobs? */
final class Steady {

    private static final int THREADS = 8;

    /** Up to this many submits a second, the load lasts twice as long, so that there are enough jobs to judge. */
    private static final int QUIET = 200;

    /** The submits a second with which every contender is measured. */
    private static final int COMMON = 1000;

    /** The submits a second with which bare RDelayedQueue is measured. */
    private static final Set<Integer> OF_DELAYED_QUEUE = Set.of(50, QUIET, COMMON, 5000);

    private Steady() {}

    static void measure(Trial trial) {
        measure(trial, 1, rates(trial));
        if (trial.contender() == ContenderName.DELAYJOB) {
            measure(trial, trial.size().fleet(), trial.size().ratesOfFleet());
        }
    }

    private static List<Integer> rates(Trial trial) {
        return trial.size().rates().stream()
                .filter(rate -> switch (trial.contender()) {
                    case DELAYJOB -> true;
                    case DELAYED_QUEUE -> OF_DELAYED_QUEUE.contains(rate);
                    default -> rate == COMMON;
                })
                .toList();
    }

    private static void measure(Trial trial, int nodes, List<Integer> rates) {
        try (Rig rig = trial.rig(nodes, Map.of())) {
            Burst.warm(trial, rig);
            for (int rate : rates) {
                Notebook book = trial.notebook("perSecond=%d nodes=%d".formatted(rate, nodes), rig);
                boolean inTime = measure(trial.size(), rig, rate, book);
                trial.add(book);
                if (!inTime) {
                    return;
                }
            }
        }
    }

    /** One load; false if not all jobs ran in time. */
    static boolean measure(Size size, Rig rig, int rate, Notebook book) {
        int seconds = size.steadySeconds() * (rate <= QUIET ? 2 : 1);
        String prefix = "flow" + rate;
        Meter before = rig.store().meter();
        long start = System.nanoTime();
        long behind = rig.flow(prefix, rate, seconds, size.maxDelayMillis(), THREADS);
        Meter spent = rig.store().meter().since(before);
        double took = (System.nanoTime() - start) / 1e9;
        Duration limit = size.limit().plusMillis(size.maxDelayMillis());
        Outcome outcome = rig.await(prefix, (long) rate * seconds, limit);
        book.put(outcome);
        book.put("scriptsPerSecond", spent.scripts() / took);
        if (behind > 0) {
            book.note("%d of %d submits began more than 5 ms late".formatted(behind, rate * seconds));
        }
        return outcome.missing() == 0;
    }
}
