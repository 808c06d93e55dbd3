package io.delayjob.benchmarks.driver;

import io.delayjob.benchmarks.contender.Histograms;
import java.util.ArrayList;
import java.util.Base64;
import java.util.BitSet;
import java.util.List;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.JsonNode;

/**
 * Result of running the jobs whose ids have one prefix, over all nodes.
 *
 * @param expected how many were to run
 * @param lateness from due to begun, µs
 * @param firstRunMillis when the first began, epoch ms
 * @param lastRunMillis when the last ended, epoch ms
 * @param jvmCpuSeconds processor time of all nodes since they started
 */
public record Outcome(
        long expected,
        long runs,
        long distinct,
        long early,
        Histogram lateness,
        double firstRunMillis,
        double lastRunMillis,
        double jvmCpuSeconds) {

    /** Merges what the nodes report. */
    static Outcome of(long expected, List<JsonNode> reports) {
        Histogram lateness = new Histogram(3_600_000_000L, 3);
        reports.forEach(
                report -> lateness.add(Histograms.of(report.get("lateness").stringValue())));
        return new Outcome(
                expected,
                (long) values(reports, "runs").sum(),
                distinct(reports),
                (long) values(reports, "early").sum(),
                lateness,
                // A node that ran nothing reports 0.
                values(reports, "firstRunMillis")
                        .filter(millis -> millis > 0)
                        .min()
                        .orElse(0),
                values(reports, "lastRunMillis").max().orElse(0),
                values(reports, "cpuMillis").sum() / 1000);
    }

    private static DoubleStream values(List<JsonNode> reports, String field) {
        return reports.stream().mapToDouble(report -> report.get(field).doubleValue());
    }

    private static long distinct(List<JsonNode> reports) {
        if (reports.size() == 1) {
            return reports.get(0).get("distinct").longValue();
        }
        BitSet ids = new BitSet();
        reports.forEach(report -> ids.or(
                BitSet.valueOf(Base64.getDecoder().decode(report.get("ids").stringValue()))));
        return ids.cardinality();
    }

    /** How many did not run. */
    public long missing() {
        return expected - distinct;
    }

    /** How many runs were more than one of a job. */
    public long duplicates() {
        return runs - distinct;
    }

    /** Faults of the delivery; empty if each job ran once, and none before its time. */
    public List<String> faults() {
        List<String> faults = new ArrayList<>();
        add(faults, missing(), "of %d did not run".formatted(expected));
        add(faults, duplicates(), "ran again");
        add(faults, early, "ran early");
        return faults;
    }

    private static void add(List<String> faults, long count, String what) {
        if (count > 0) {
            faults.add(count + " " + what);
        }
    }

    /** Jobs in a second, from the due time of the first to the end of the last. */
    public double perSecond(double firstDueMillis) {
        return distinct == 0 ? 0 : distinct / (lastRunMillis - firstDueMillis) * 1000;
    }

    /** A percentile of the lateness, ms. */
    public double latenessMillis(double percentile) {
        return lateness.getValueAtPercentile(percentile) / 1000.0;
    }
}
