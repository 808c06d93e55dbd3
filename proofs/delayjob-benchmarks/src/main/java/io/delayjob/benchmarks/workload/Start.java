package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.Submit;
import java.util.ArrayList;
import java.util.List;

/**
 * The first burst of a node that has just started, and a later one when it is warm. The node that submits is another one, and warm
 * from the beginning.
 */
final class Start {

    private Start() {}

    static void measure(Trial trial) {
        List<Notebook> books = new ArrayList<>();
        boolean inTime = true;
        for (int i = 0; i < trial.runs() && inTime; i++) {
            try (Rig rig = trial.rig()) {
                Burst burst = Burst.warm(trial, rig);
                rig.replaceWorkers(Burst.WORKERS);
                // Lets the node that submits connect again before anything is measured.
                rig.submit(Submit.farSingles("far", 1, 1));
                if (books.isEmpty()) {
                    books.add(trial.notebook("burst=first", rig));
                    books.add(trial.notebook("burst=warm", rig));
                }
                inTime = measure(burst, books.get(0), books.get(1));
            }
        }
        books.forEach(trial::add);
    }

    private static boolean measure(Burst burst, Notebook first, Notebook warm) {
        if (!burst.runOnce(first)) {
            return false;
        }
        burst.warmUp();
        return burst.run(warm);
    }
}
