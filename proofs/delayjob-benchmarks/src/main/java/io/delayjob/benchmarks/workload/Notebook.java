package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName;
import io.delayjob.benchmarks.contender.Histograms;
import io.delayjob.benchmarks.driver.Outcome;
import io.delayjob.benchmarks.driver.RedisStore;
import io.delayjob.benchmarks.driver.RunningStore;
import io.delayjob.benchmarks.report.Measurement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** Collects the runs of one measurement. */
final class Notebook {

    private final String workload;
    private final ContenderName contender;
    private final String variant;
    private final Map<String, String> settings;
    private final Map<String, List<Double>> values = new LinkedHashMap<>();
    private final List<String> faults = new ArrayList<>();
    private final Set<String> notes = new LinkedHashSet<>();
    private final Histogram lateness = new Histogram(3_600_000_000L, 3);

    Notebook(String workload, ContenderName contender, String variant, Map<String, String> settings) {
        this.workload = workload;
        this.contender = contender;
        this.variant = variant;
        this.settings = new LinkedHashMap<>(settings);
    }

    Notebook put(String name, double value) {
        values.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
        return this;
    }

    /** How late jobs were, and what was wrong. */
    Notebook put(Outcome outcome) {
        faults(outcome);
        lateness.add(outcome.lateness());
        put("p50Millis", outcome.latenessMillis(50));
        put("p99Millis", outcome.latenessMillis(99));
        put("p999Millis", outcome.latenessMillis(99.9));
        return put("maxMillis", outcome.latenessMillis(100));
    }

    /** How long calls took that are counted in ns. */
    Notebook durations(Histogram nanos) {
        put("p50Micros", nanos.getValueAtPercentile(50) / 1000.0);
        put("p99Micros", nanos.getValueAtPercentile(99) / 1000.0);
        return put("p999Micros", nanos.getValueAtPercentile(99.9) / 1000.0);
    }

    /** Only what was wrong, for workloads in which lateness means nothing. */
    Notebook faults(Outcome outcome) {
        put("ran", (double) outcome.distinct());
        faults.addAll(outcome.faults());
        return this;
    }

    /** Adds another value as a percentage of its maximum. */
    Notebook share(String name, String of, double most) {
        values.getOrDefault(of, List.of()).forEach(value -> put(name, value / most * 100));
        return this;
    }

    /** How long calls of scripts took, if the server is a Redis; resets its statistics. */
    Notebook scripts(RunningStore store) {
        if (store instanceof RedisStore redis) {
            redis.scriptMicros99().ifPresent(micros -> put("p99ScriptMillis", micros / 1000));
            put("slowestScriptMillis", redis.slowestScriptMicros() / 1000.0);
            redis.resetDurations();
        }
        return this;
    }

    /** Something that was wrong. */
    Notebook fault(String text) {
        faults.add(text);
        return this;
    }

    Notebook note(String text) {
        notes.add(text);
        return this;
    }

    Measurement measurement() {
        return new Measurement(
                workload,
                contender.toString(),
                variant,
                settings,
                values,
                List.copyOf(faults),
                List.copyOf(notes),
                lateness.getTotalCount() == 0 ? null : Histograms.text(lateness));
    }
}
