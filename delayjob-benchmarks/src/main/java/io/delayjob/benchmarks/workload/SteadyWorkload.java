package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.Meter;
import io.delayjob.benchmarks.driver.Outcome;
import io.delayjob.benchmarks.driver.Rig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** So many jobs a second, whatever becomes of them, with delays of up to five seconds: how late are they? */
final class SteadyWorkload implements Workload {

    private static final int THREADS = 8;
    private static final int QUIET = 200;
    private static final int OF_ALL = 1000;
    private static final Set<Integer> BESIDE_BARE = Set.of(50, QUIET, OF_ALL, 5000);

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
        measure(lab, contender, 1, rates(lab, contender));
        if (contender == ContenderName.DELAYJOB) {
            measure(lab, contender, lab.size().fleet(), lab.size().ratesOfFleet());
        }
    }

    private static List<Integer> rates(Lab lab, ContenderName contender) {
        return lab.size().rates().stream()
                .filter(rate -> switch (contender) {
                    case DELAYJOB -> true;
                    case DELAYED_QUEUE -> BESIDE_BARE.contains(rate);
                    default -> rate == OF_ALL;
                })
                .toList();
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
        int seconds = lab.size().steadySeconds() * (rate <= QUIET ? 2 : 1);
        long maxDelayMillis = lab.size().maxDelayMillis();
        String prefix = "flow" + rate;
        Meter before = rig.store().meter();
        long start = System.nanoTime();
        long behind = rig.flow(prefix, rate, seconds, maxDelayMillis, THREADS);
        Meter spent = rig.store().meter().since(before);
        double took = (System.nanoTime() - start) / 1e9;
        Outcome outcome = rig.await(
                prefix,
                (long) rate * seconds,
                Duration.ofMillis(maxDelayMillis).plus(lab.size().limit()));
        book.put(outcome);
        book.put("scriptsPerSecond", spent.scripts() / took);
        if (behind > 0) {
            book.note("%d of %d submits began more than 5 ms late".formatted(behind, rate * seconds));
        }
        return outcome.missing() == 0;
    }
}
