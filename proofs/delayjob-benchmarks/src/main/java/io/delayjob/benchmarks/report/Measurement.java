package io.delayjob.benchmarks.report;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measured values of one contender under one workload, in one variant.
 *
 * @param variant of the workload, such as {@code pending=1000000}; empty if there is one only
 * @param values by their names, with the unit at the end; one for each run
 * @param faults faults over all runs, such as jobs that did not run
 * @param notes remarks that a reader needs to judge the values
 * @param lateness from due to begun of all runs, µs, as a compressed histogram in base64
 */
public record Measurement(
        String workload,
        String contender,
        String variant,
        Map<String, String> settings,
        Map<String, List<Double>> values,
        List<String> faults,
        List<String> notes,
        @Nullable String lateness) {

    /** The middle one of the runs, or the mean of the two in the middle; NaN if there are none. */
    public double median(String value) {
        double[] sorted = sorted(value);
        return sorted.length == 0 ? Double.NaN : (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** The smallest of the runs. */
    public double min(String value) {
        return sorted(value)[0];
    }

    /** The largest of the runs. */
    public double max(String value) {
        double[] sorted = sorted(value);
        return sorted[sorted.length - 1];
    }

    /** How many runs there were. */
    public int runs(String value) {
        return sorted(value).length;
    }

    private double[] sorted(String value) {
        double[] sorted = values.getOrDefault(value, List.of()).stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
        Arrays.sort(sorted);
        return sorted;
    }
}
