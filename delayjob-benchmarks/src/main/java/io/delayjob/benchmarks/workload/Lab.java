package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.report.Measurement;
import java.io.PrintStream;
import java.nio.file.Path;
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
    private final Path log;
    private final PrintStream out;
    private final List<Measurement> measurements = new ArrayList<>();

    /**
     * A lab.
     *
     * @param log file for the output of contenders
     * @param out stream that progress is printed to
     */
    public Lab(Size size, Path log, PrintStream out) {
        this.size = size;
        this.log = log;
        this.out = out;
    }

    Size size() {
        return size;
    }

    /** File for the output of contenders. */
    Path log() {
        return log;
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
