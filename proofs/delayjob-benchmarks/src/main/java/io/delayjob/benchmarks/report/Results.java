package io.delayjob.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * All that a run of the suite showed.
 *
 * @param environment machine, versions, command and date, as they are printed
 * @param earlier date and processor of workloads that were measured in an earlier run
 */
public record Results(Map<String, String> environment, Map<String, String> earlier, List<Measurement> measurements) {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /** The results of one run. */
    public Results(Map<String, String> environment, List<Measurement> measurements) {
        this(environment, Map.of(), measurements);
    }

    /** Reads what {@link #write} wrote. */
    public static Results read(Path file) throws IOException {
        return JSON.readValue(Files.readString(file), Results.class);
    }

    /** Writes everything, raw values included. */
    public void write(Path file) throws IOException {
        Files.writeString(file, JSON.writeValueAsString(this) + "\n");
    }

    /** These results, with all of a later run in place of those of the same workloads. */
    public Results with(Results later) {
        Set<String> replaced =
                later.measurements.stream().map(Measurement::workload).collect(Collectors.toSet());
        List<Measurement> kept = measurements.stream()
                .filter(one -> !replaced.contains(one.workload()))
                .toList();
        Map<String, String> before = new TreeMap<>();
        kept.forEach(one -> before.put(one.workload(), earlier.getOrDefault(one.workload(), dateAndProcessor())));
        before.values().removeIf(later.dateAndProcessor()::equals);
        return new Results(
                later.environment,
                before,
                Stream.concat(kept.stream(), later.measurements.stream()).toList());
    }

    private String dateAndProcessor() {
        return environment.get("date") + ", " + environment.get("processor");
    }

    /** The measurements of a workload, in the order of the run. */
    public List<Measurement> of(String workload) {
        return measurements.stream()
                .filter(one -> one.workload().equals(workload))
                .toList();
    }

    /**
     * The median of a value; NaN if there is none.
     *
     * @param variant empty for the first one
     */
    double median(String workload, String contender, String variant, String value) {
        return of(workload).stream()
                .filter(one -> one.contender().equals(contender))
                .filter(one -> variant.isEmpty() || one.variant().equals(variant))
                .mapToDouble(one -> one.median(value))
                .findFirst()
                .orElse(Double.NaN);
    }
}
