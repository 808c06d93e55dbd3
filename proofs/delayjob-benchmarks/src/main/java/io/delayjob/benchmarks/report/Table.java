package io.delayjob.benchmarks.report;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The measurements of a workload as a table, with their notes below it. */
final class Table {

    private static final int RUNS_SHOWN = 2;

    /** Column heads, by the name of the value. */
    private static final Map<String, String> HEADS = Map.ofEntries(
            Map.entry("perSecond", "jobs/s"),
            Map.entry("percentOfMaximum", "% of the maximum"),
            Map.entry("p50Millis", "p50, ms"),
            Map.entry("p95Millis", "p95, ms"),
            Map.entry("p99Millis", "p99, ms"),
            Map.entry("p999Millis", "p99.9, ms"),
            Map.entry("maxMillis", "max, ms"),
            Map.entry("p50Micros", "p50, µs"),
            Map.entry("p99Micros", "p99, µs"),
            Map.entry("p999Micros", "p99.9, µs"),
            Map.entry("scriptsPerSecond", "scripts/s"),
            Map.entry("scriptMicrosPerJob", "in scripts, µs/job"),
            Map.entry("p99ScriptMillis", "script p99, ms"),
            Map.entry("slowestScriptMillis", "longest script, ms"),
            Map.entry("p50CpuMillis", "p50, CPU ms"),
            Map.entry("p99CpuMillis", "p99, CPU ms"),
            Map.entry("maxCpuMillis", "max, CPU ms"),
            Map.entry("storeCpuSecondsPerMillion", "store, CPU s per million"),
            Map.entry("jvmCpuSecondsPerMillion", "JVMs, CPU s per million"),
            Map.entry("requestsPerSecondPerNode", "requests/s and node"),
            Map.entry("bytesPerJob", "bytes/job"),
            Map.entry("fileBytesPerJob", "bytes of the file/job"),
            Map.entry("singlesPerSecond", "single submits/s"),
            Map.entry("heapMebibytes", "heap after a collection, MiB"),
            Map.entry("residentMebibytes", "resident, MiB"),
            Map.entry("threads", "threads"),
            Map.entry("cpuPercent", "CPU, % of a processor"),
            Map.entry("commandsPerSecond", "commands of Redis/s"),
            Map.entry("changesPerSecond", "changes/s and tab"),
            Map.entry("requests", "requests"),
            Map.entry("pageKibibytes", "KiB"),
            Map.entry("paintMillis", "first content after, ms"),
            Map.entry("shownMillis", "jobs shown after, ms"),
            Map.entry("answersSeconds", "answers after, s"),
            Map.entry("timesEmpty", "of the empty one's, ×"),
            Map.entry("noticedSeconds", "noticed after, s"),
            Map.entry("rebuiltSeconds", "all restored after, s"),
            Map.entry("redisKibibytes", "Redis' memory, KiB"),
            Map.entry("relayedPerSecond", "brought to Redis/s"),
            Map.entry("comparedPerSecond", "compared/s"),
            Map.entry("restoredPerSecond", "restored/s"),
            Map.entry("submittedPerSecond", "submitted/s, in bulk"),
            Map.entry("storedPerSecond", "stored/s"));

    private Table() {}

    /**
     * Renders a table as Markdown.
     *
     * @param what the workload and the values to show, of which those that were not measured are left out
     */
    static String of(Results results, String what) {
        List<String> words = Arrays.asList(what.split(" "));
        List<Measurement> rows = results.of(words.get(0));
        List<String> shown = words.stream()
                .skip(1)
                .filter(value -> rows.stream().anyMatch(row -> row.runs(value) > 0))
                .toList();
        return Template.fill(
                "table.md",
                Map.of(
                        "heads", shown.stream().map(HEADS::get).toList(),
                        "rows", rows.stream().map(row -> row(row, shown)).toList(),
                        "notes", notes(results, words.get(0)).toList()));
    }

    private static Stream<String> notes(Results results, String workload) {
        Stream<String> earlier =
                Stream.ofNullable(results.earlier().get(workload)).map(when -> "measured in an earlier run: " + when);
        return Stream.concat(
                earlier, results.of(workload).stream().flatMap(Table::notes).distinct());
    }

    private static Map<String, Object> row(Measurement row, List<String> shown) {
        return Map.of(
                "contender", row.contender(),
                "variant", row.variant(),
                "cells", shown.stream().map(value -> cell(row, value)).toList(),
                "delivery", delivery(row));
    }

    /** The median, and the smallest and largest if there were several runs. */
    private static String cell(Measurement row, String value) {
        int runs = row.runs(value);
        String median = runs == 0 ? "" : number(row.median(value));
        return runs < RUNS_SHOWN
                ? median
                : "%s (%s–%s)".formatted(median, number(row.min(value)), number(row.max(value)));
    }

    /** Cell of the delivery column: the faults, if any. Measurements of delayjob that have faults are marked as invalid. */
    private static String delivery(Measurement row) {
        if (row.faults().isEmpty()) {
            return row.runs("ran") == 0 ? "" : "exact";
        }
        return (row.contender().equals("delayjob") ? "**INVALID**: " : "") + String.join("; ", row.faults());
    }

    private static Stream<String> notes(Measurement row) {
        return row.notes().stream().map(note -> "%s %s: %s".formatted(row.contender(), row.variant(), note));
    }

    /** A number with two decimals if it is below 10, one if it is below 100, and none otherwise. */
    static String number(double number) {
        double size = Math.abs(number);
        int digits = size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%,." + digits + "f", number);
    }
}
