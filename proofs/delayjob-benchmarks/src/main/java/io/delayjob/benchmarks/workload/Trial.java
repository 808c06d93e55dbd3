package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.RunningStore;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** One workload measured with one contender: starts servers and nodes for it, and takes the results. */
record Trial(Lab lab, String workload, ContenderName contender) {

    Size size() {
        return lab.size();
    }

    /** How often noisy values are measured. */
    int runs() {
        return contender.isNearest() ? size().runs() : 1;
    }

    /** Jobs of a burst. */
    int burst() {
        return contender.isSlow() ? size().burstOfSlow() : size().burst();
    }

    /** One node without options, on a server with default settings. */
    Rig rig() {
        return rig(1, Map.of());
    }

    /** Nodes of the same options, on a server with default settings. */
    Rig rig(int nodes, Map<String, String> options) {
        return rig(Collections.nCopies(nodes, options));
    }

    /** A node for each of these options, on a server with default settings. */
    Rig rig(List<Map<String, String>> options) {
        return rig(RunningStore.start(contender.storeKind()), options);
    }

    /** A node for each of these options, on a server that was started for them. */
    Rig rig(RunningStore store, List<Map<String, String>> options) {
        return Rig.start(store, contender, options, lab.nodes());
    }

    /** Where what programs print goes. */
    Path log() {
        return lab.nodes().log();
    }

    Notebook notebook(String variant, Rig rig) {
        return new Notebook(workload, contender, variant, rig.settings());
    }

    void add(Notebook book) {
        lab.add(book.measurement());
    }
}
