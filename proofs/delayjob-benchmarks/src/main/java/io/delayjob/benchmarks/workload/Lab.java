package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.driver.Nodes;
import io.delayjob.benchmarks.report.Measurement;
import java.io.PrintStream;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** State that all workloads of a run share: their size, the progress that is printed, and the measurements so far. */
public final class Lab {

    private final Size size;
    private final Nodes nodes;
    private final PrintStream out;
    private final List<Measurement> measurements = new ArrayList<>();

    /**
     * A lab.
     *
     * @param nodes where contenders run
     * @param out stream that progress is printed to
     */
    public Lab(Size size, Nodes nodes, PrintStream out) {
        this.size = size;
        this.nodes = nodes;
        this.out = out;
    }

    Size size() {
        return size;
    }

    /** Where contenders run. */
    Nodes nodes() {
        return nodes;
    }

    /** Prints a line of progress. */
    public void say(String text) {
        out.println(LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS) + " " + text);
    }

    void add(Measurement measurement) {
        measurements.add(measurement);
        String medians = measurement.values().keySet().stream()
                .map(name -> " %s %.4g".formatted(name, measurement.median(name)))
                .collect(Collectors.joining());
        String faults = measurement.faults().isEmpty() ? "" : " FAULTS " + measurement.faults();
        say("  %s %s %s:%s%s"
                .formatted(measurement.workload(), measurement.contender(), measurement.variant(), medians, faults));
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

    /** Measurements so far. */
    public List<Measurement> measurements() {
        return List.copyOf(measurements);
    }
}
