package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.Meter;
import io.delayjob.benchmarks.driver.Outcome;
import io.delayjob.benchmarks.driver.Rig;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** So many jobs a second, whatever becomes of them, with delays of up to five seconds: how late are they? */
final class SteadyWorkload implements Workload {

    private static final long MAX_DELAY_MILLIS = 5000;
    private static final int THREADS = 8;
    private static final int QUIET = 200;
    private static final List<Integer> RATES = List.of(10, 50, 100, 200, 1000, 5000);
    private static final List<Integer> RATES_OF_THREE_NODES = List.of(10, 50, 200);

    @Override
    public String name() {
        return "steady";
    }

    @Override
    public boolean concerns(ContenderName contender) {
        return true;
    }

    @Override
    public void measure(Lab lab, ContenderName contender) {
        measure(lab, contender, 1, rates(contender));
        if (contender == ContenderName.DELAYJOB) {
            measure(lab, contender, 3, RATES_OF_THREE_NODES);
        }
    }

    private static List<Integer> rates(ContenderName contender) {
        return switch (contender) {
            case DELAYJOB -> RATES;
            case DELAYED_QUEUE -> List.of(50, 200, 1000, 5000);
            default -> List.of(1000);
        };
    }

    private void measure(Lab lab, ContenderName contender, int nodes, List<Integer> rates) {
        try (Rig rig = lab.rig(contender, nodes, Map.of())) {
            Burst.warm(lab, rig, BurstWorkload.WORKERS, 0, false);
            for (int rate : rates) {
                Notebook book = new Notebook(this, contender, "perSecond=%d nodes=%d".formatted(rate, nodes), rig);
                boolean inTime = measure(lab, rig, rate, book);
                lab.add(book.measurement());
                if (!inTime) {
                    return;
                }
            }
        }
    }

    private static boolean measure(Lab lab, Rig rig, int rate, Notebook book) {
        int seconds = lab.sizes().steadySeconds() * (rate <= QUIET ? 2 : 1);
        String prefix = "flow" + rate;
        Meter before = rig.store().meter();
        long start = System.nanoTime();
        long behind = rig.flow(prefix, rate, seconds, MAX_DELAY_MILLIS, THREADS);
        Meter spent = rig.store().meter().since(before);
        double took = (System.nanoTime() - start) / 1e9;
        Outcome outcome = rig.await(
                prefix,
                (long) rate * seconds,
                Duration.ofMillis(MAX_DELAY_MILLIS).plus(lab.sizes().limit()));
        book.put(outcome);
        book.put("scriptsPerSecond", spent.scripts() / took);
        if (behind > 0) {
            book.note("%d of %d submits began more than 5 ms late".formatted(behind, rate * seconds));
        }
        return outcome.missing() == 0;
    }
}
