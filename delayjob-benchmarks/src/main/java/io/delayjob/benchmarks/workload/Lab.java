package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.Rig;
import io.delayjob.benchmarks.driver.RunningStore;
import io.delayjob.benchmarks.report.Measurement;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Where workloads find rigs, and leave what they measured. */
public final class Lab {

    private final Size size;
    private final Path log;
    private final PrintStream out;
    private final List<Measurement> measurements = new ArrayList<>();

    /**
     * A lab.
     *
     * @param log what contenders print goes there
     * @param out progress goes there
     */
    public Lab(Size size, Path log, PrintStream out) {
        this.size = size;
        this.log = log;
        this.out = out;
    }

    Size size() {
        return size;
    }

    /** How often what is noisy is measured. */
    int runs(ContenderName contender) {
        return contender.isNearest() ? size.runs() : 1;
    }

    /** Nodes on a server as it comes. */
    Rig rig(ContenderName contender, int nodes, Map<String, String> options) {
        return rig(RunningStore.start(contender.storeKind()), contender, nodes, options);
    }

    /** Nodes of different options, on a server as it comes. */
    Rig rig(ContenderName contender, List<Map<String, String>> options) {
        return Rig.start(RunningStore.start(contender.storeKind()), contender, options, log);
    }

    /** Nodes on a server that was started for them. */
    Rig rig(RunningStore store, ContenderName contender, int nodes, Map<String, String> options) {
        return Rig.start(store, contender, nodes, options, log);
    }

    /** Prints a line of progress. */
    public void say(String text) {
        out.println(LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS) + " " + text);
    }

    void add(Measurement measurement) {
        measurements.add(measurement);
        StringBuilder line = new StringBuilder("  ");
        line.append(measurement.workload()).append(' ').append(measurement.contender());
        line.append(' ').append(measurement.variant()).append(':');
        measurement
                .values()
                .keySet()
                .forEach(name -> line.append(" %s %.4g".formatted(name, measurement.median(name))));
        if (!measurement.faults().isEmpty()) {
            line.append(" FAULTS ").append(measurement.faults());
        }
        say(line.toString());
    }

    /** Adds that a contender could not be measured. */
    public void fail(Workload workload, ContenderName contender, Exception why) {
        why.printStackTrace(out);
        add(new Measurement(
                workload.name(),
                contender.toString(),
                "failed",
                Map.of(),
                Map.of(),
                List.of("could not be measured: " + why.getMessage()),
                List.of(),
                null));
    }

    /** What was measured so far. */
    public List<Measurement> measurements() {
        return List.copyOf(measurements);
    }
}
