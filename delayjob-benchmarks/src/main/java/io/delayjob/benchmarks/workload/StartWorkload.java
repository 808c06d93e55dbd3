package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The first burst of a node that has just started, and one of the same node when it is warm. Another node submits, which is warm from
 * the beginning.
 */
final class StartWorkload implements Workload {

    @Override
    public String name() {
        return "start";
    }

    @Override
    public boolean concerns(ContenderName contender) {
        return contender == ContenderName.DELAYJOB || contender == ContenderName.DELAYED_QUEUE;
    }

    @Override
    public void measure(Lab lab, ContenderName contender) {
        List<Notebook> books = new ArrayList<>();
        boolean inTime = true;
        for (int i = 0; i < lab.runs(contender) && inTime; i++) {
            try (Rig rig = lab.rig(contender, 1, Map.of())) {
                Burst burst = Burst.warm(lab, rig, BurstWorkload.WORKERS, 0, false);
                rig.replaceWorkers(BurstWorkload.WORKERS);
                // So that the node that submits is connected again.
                rig.submit(Submit.single(
                        "far",
                        1,
                        System.currentTimeMillis() + Duration.ofDays(1).toMillis(),
                        1));
                if (books.isEmpty()) {
                    books.add(new Notebook(this, contender, "burst=first", rig));
                    books.add(new Notebook(this, contender, "burst=warm", rig));
                }
                inTime = measure(lab.size(), burst, books.get(0), books.get(1));
            }
        }
        books.forEach(book -> lab.add(book.measurement()));
    }

    private static boolean measure(Size size, Burst burst, Notebook first, Notebook warm) {
        if (!burst.runOnce(first, size.burst())) {
            return false;
        }
        burst.warmUp(size);
        return burst.run(warm, size.burst());
    }
}
