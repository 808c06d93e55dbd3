package io.delayjob.benchmarks.report;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/** The targets, held against what was measured. */
final class Targets {

    private static final String OURS = "delayjob";
    private static final String BARE = "delayed-queue";
    private static final String RATE = "perSecond";

    private final Results results;

    Targets(Results results) {
        this.results = results;
    }

    List<Target> all() {
        return List.of(
                Target.atLeast("burst, of bare RDelayedQueue's", 10, " ×", rateOver(BARE, "pending=0")),
                Target.atLeast("the same with 1,000,000 pending", 500, " ×", rateOver(BARE, "pending=1000000")),
                Target.atLeast("burst, of BullMQ's", 2, " ×", rateOver("bullmq", "pending=0")),
                Target.atMost("burst, p99 lateness", 100, " ms", ours("burst", "pending=0", "p99Millis")),
                Target.atLeast("burst with 1,000,000 pending, of that with none", 85, " %", flatness()),
                steady(1000, 1, "p50Millis", 5),
                steady(1000, 1, "p99Millis", 20),
                steady(5000, 1, "p50Millis", 5),
                steady(5000, 1, "p99Millis", 20),
                steady(10, 1, "p99Millis", 25),
                steady(50, 1, "p99Millis", 25),
                steady(10, 3, "p99Millis", 40),
                steady(50, 3, "p99Millis", 40),
                Target.atMost("measurements with a job that was lost, run twice or early", 0, "", inexact()),
                scriptsOfThreeNodes(50),
                scriptsOfThreeNodes(200),
                scriptsBesideBare(50),
                scriptsBesideBare(200),
                Target.atLeast("single submits from 64 threads, of RDelayedQueue.offer's", 1.5, " ×", singles()),
                Target.atLeast("bulk submits", 100_000, "/s", ours("submit", "bulk", RATE)),
                Target.atMost("memory of a waiting job, of RDelayedQueue's", 1, " ×", memory()),
                Target.atMost(
                        "Redis' processor time per job over its life, in bulk",
                        12,
                        " µs",
                        ours("burst", "pending=0", "storeCpuSecondsPerMillion")),
                Target.atLeast("drain of overdue jobs, of the burst's rate", 80, " %", drain()),
                Target.atMost("longest script, of one node", 5, " ms", longestScript(false)),
                Target.atMost("longest script, of several nodes or servers", 5, " ms", longestScript(true)),
                Target.atMost(
                        "requests of an idle node and queue",
                        2,
                        "/s",
                        largest("requestsPerSecondPerNode", one -> true)));
    }

    private OptionalDouble ours(String workload, String variant, String value) {
        return results.median(workload, OURS, variant, value);
    }

    private OptionalDouble rateOver(String other, String variant) {
        return ratio(ours("burst", variant, RATE), results.median("burst", other, variant, RATE));
    }

    private OptionalDouble flatness() {
        return percent(ratio(ours("burst", "pending=1000000", RATE), ours("burst", "pending=0", RATE)));
    }

    private Target steady(int rate, int nodes, String value, double bound) {
        String what = "%d/s on %s, %s lateness"
                .formatted(rate, nodes == 1 ? "one node" : "three nodes", value.replace("Millis", ""));
        return Target.atMost(what, bound, " ms", ours("steady", variant(rate, nodes), value));
    }

    private static String variant(int rate, int nodes) {
        return "perSecond=%d nodes=%d".formatted(rate, nodes);
    }

    private OptionalDouble scripts(int rate, int nodes) {
        return ours("steady", variant(rate, nodes), "scriptsPerSecond");
    }

    private Target scriptsOfThreeNodes(int rate) {
        return Target.atMost(
                "scripts/s at %d jobs/s on three nodes, of those on one".formatted(rate),
                1.5,
                " ×",
                ratio(scripts(rate, 3), scripts(rate, 1)));
    }

    private Target scriptsBesideBare(int rate) {
        return Target.atMost(
                "scripts/s at %d jobs/s on one node, of a bare RDelayedQueue client's".formatted(rate),
                1,
                " ×",
                ratio(scripts(rate, 1), results.median("steady", BARE, variant(rate, 1), "scriptsPerSecond")));
    }

    private OptionalDouble singles() {
        return ratio(ours("submit", "threads=64", RATE), results.median("submit", BARE, "threads=64", RATE));
    }

    private OptionalDouble memory() {
        return ratio(first("memory", OURS, "bytesPerJob"), first("memory", BARE, "bytesPerJob"));
    }

    private OptionalDouble drain() {
        return percent(ratio(first("drain", OURS, RATE), ours("burst", "pending=0", RATE)));
    }

    private OptionalDouble first(String workload, String contender, String value) {
        return results.of(workload).stream()
                .filter(one -> one.contender().equals(contender))
                .map(one -> one.median(value))
                .findFirst()
                .orElse(OptionalDouble.empty());
    }

    /** Where several share the processors, the time of a script is also that of the others that ran meanwhile. */
    private OptionalDouble longestScript(boolean several) {
        return largest(
                "slowestScriptMillis",
                one -> several
                        == (one.workload().equals("cluster") || one.variant().matches(".*nodes=[^1].*")));
    }

    /** The worst of all runs of ours, of some of the measurements. */
    private OptionalDouble largest(String value, Predicate<Measurement> counts) {
        return results.measurements().stream()
                .filter(one -> one.contender().equals(OURS) && one.runs(value) > 0)
                .filter(counts)
                .mapToDouble(one -> one.max(value))
                .max();
    }

    private OptionalDouble inexact() {
        List<Measurement> counted = results.measurements().stream()
                .filter(one -> one.contender().equals(OURS))
                .toList();
        long inexact = counted.stream().filter(one -> !one.faults().isEmpty()).count();
        return counted.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of((double) inexact);
    }

    private static OptionalDouble ratio(OptionalDouble of, OptionalDouble by) {
        return of.isPresent() && by.isPresent() && by.getAsDouble() != 0
                ? OptionalDouble.of(of.getAsDouble() / by.getAsDouble())
                : OptionalDouble.empty();
    }

    private static OptionalDouble percent(OptionalDouble share) {
        return share.isPresent() ? OptionalDouble.of(share.getAsDouble() * 100) : share;
    }
}
