package io.delayjob.benchmarks.report;

import static io.delayjob.benchmarks.report.Target.atLeast;
import static io.delayjob.benchmarks.report.Target.atMost;

import java.util.List;
import java.util.stream.Stream;

/** The targets compared with what was measured; NaN stands for what was not. */
final class Targets {

    private static final String OURS = "delayjob";
    private static final String BARE = "delayed-queue";
    private static final String RATE = "perSecond";

    private final Results results;

    Targets(Results results) {
        this.results = results;
    }

    List<Target> all() {
        return Stream.of(
                        bursts(),
                        lateness(),
                        calls(),
                        costs(),
                        recurring(),
                        limited(),
                        overHttp(),
                        delivered(),
                        console(),
                        startups(),
                        journaled())
                .flatMap(List::stream)
                .toList();
    }

    private List<Target> bursts() {
        double burst = ours("burst", "pending=0", RATE);
        double amongMany = ours("burst", "pending=1000000", RATE);
        return List.of(
                atLeast("burst, of bare RDelayedQueue's", 10, " ×", burst / bare("burst", "pending=0", RATE)),
                atLeast(
                        "the same with 1,000,000 pending",
                        500,
                        " ×",
                        amongMany / bare("burst", "pending=1000000", RATE)),
                atLeast("burst, of BullMQ's", 2, " ×", burst / results.median("burst", "bullmq", "pending=0", RATE)),
                atMost("burst, p99 lateness", 100, " ms", ours("burst", "pending=0", "p99Millis")),
                atLeast("burst with 1,000,000 pending, of that with none", 90, " %", amongMany / burst * 100),
                atLeast(
                        "first burst of a node that has just started, of the same when it is warm",
                        50,
                        " %",
                        ours("start", "burst=first", RATE) / ours("start", "burst=warm", RATE) * 100),
                atLeast(
                        "burst with an append-only file, of that without",
                        80,
                        " %",
                        ours("persistence", "appendonly=everysec", RATE)
                                / ours("persistence", "appendonly=off", RATE)
                                * 100),
                atLeast("drain of overdue jobs, of the burst's rate", 90, " %", ours("drain", "", RATE) / burst * 100));
    }

    private List<Target> lateness() {
        return List.of(
                steady(10, 1, "p50Millis", 1.5),
                steady(10, 1, "p99Millis", 3),
                steady(50, 1, "p50Millis", 1.5),
                steady(50, 1, "p99Millis", 3),
                steady(200, 1, "p50Millis", 1.5),
                steady(200, 1, "p99Millis", 5),
                steady(1000, 1, "p50Millis", 1.5),
                steady(1000, 1, "p99Millis", 5),
                steady(5000, 1, "p50Millis", 5),
                steady(5000, 1, "p99Millis", 20),
                steady(10, 3, "p99Millis", 8),
                steady(50, 3, "p99Millis", 8),
                steady(200, 3, "p99Millis", 10),
                atMost("measurements with a job that was lost, run twice or early", 0, "", inexact()));
    }

    private List<Target> calls() {
        return List.of(
                scriptsOfThreeNodes(50),
                scriptsOfThreeNodes(200),
                scriptsBesideBare(50),
                scriptsBesideBare(200),
                submits("one thread", "threads=1", 0.85),
                atLeast(
                        "single submits from one thread, of BullMQ's",
                        1,
                        " ×",
                        ours("submit", "threads=1", RATE) / results.median("submit", "bullmq", "threads=1", RATE)),
                atMost(
                        "single submits from one thread, p99 of RDelayedQueue.offer's",
                        1.5,
                        " ×",
                        ours("submit", "threads=1", "p99Micros") / bare("submit", "threads=1", "p99Micros")),
                submits("64 threads", "threads=64", 1.5),
                atLeast("bulk submits", 100_000, "/s", ours("submit", "bulk", RATE)));
    }

    private List<Target> costs() {
        return List.of(
                atMost(
                        "memory of a waiting job, of RDelayedQueue's",
                        1,
                        " ×",
                        ours("memory", "", "bytesPerJob") / bare("memory", "", "bytesPerJob")),
                atMost(
                        "Redis' processor time per job over its life, in bulk",
                        8,
                        " µs",
                        ours("burst", "pending=0", "storeCpuSecondsPerMillion")),
                atMost("longest script, in Redis' processor time", 5, " ms", largest("scripts", "maxCpuMillis")),
                atMost("requests of an idle node and queue", 2, "/s", largest("idle", "requestsPerSecondPerNode")));
    }

    private List<Target> recurring() {
        String requests = "requestsPerSecondPerNode";
        return List.of(
                atMost(
                        "requests of an idle node and queue with 10,000 schedules, beyond those without",
                        2,
                        "/s",
                        ours("idle-schedules", "schedules=10000 nodes=1", requests)
                                - ours("idle-schedules", "schedules=0 nodes=1", requests)),
                atMost(
                        "100,000 schedules with the same instant, p99 from the instant to the begin of the run",
                        1000,
                        " ms",
                        ours("instant", "schedules=100000 shards=8", "p99Millis")));
    }

    private List<Target> limited() {
        double plain = ours("limited", "plain", RATE);
        return List.of(
                atLeast(
                        "burst beside 100,000 jobs that a limit holds back, of one without them",
                        90,
                        " %",
                        ours("limited", "plain held=100000", RATE) / plain * 100),
                atLeast(
                        "burst of jobs with 10,000 keys, of one without keys",
                        60,
                        " %",
                        ours("limited", "keys=10000", RATE) / plain * 100),
                atLeast(
                        "burst of jobs with 100,000 keys, of one without keys",
                        60,
                        " %",
                        ours("limited", "keys=100000", RATE) / plain * 100),
                atMost(
                        "from the end of a job of a key that runs one at a time to the begin of the next, p99",
                        5,
                        " ms",
                        ours("permits", "keys=10 work=20ms", "p99Millis")));
    }

    private List<Target> overHttp() {
        return List.of(
                atLeast(
                        "burst over HTTP in batches of 100, of a node's",
                        60,
                        " %",
                        ours("http", "workers=http batch=100", RATE) / ours("http", "workers=process", RATE) * 100),
                atLeast(
                        "burst over HTTP, one job in each request",
                        10_000,
                        "/s",
                        ours("http", "workers=http batch=1", RATE)),
                laterOverHttp(10),
                laterOverHttp(50),
                laterOverHttp(200));
    }

    private List<Target> console() {
        return List.of(
                watched(20),
                watched(200),
                found("whole id", "id"),
                found("beginning of an id", "beginning of an id"),
                found("error of a dead job", "dead by error"),
                found("due range", "due range"),
                found("field of a param", "field of a param"),
                found("field in the index", "field in the index"),
                foundEnded("whole id", "id, ended"),
                foundEnded("beginning of an id", "beginning of an id, ended"),
                foundEnded("time of the end", "time of the end"),
                foundEnded("field of a param", "field of a param, ended"),
                foundEnded("field in the index", "field in the index, ended"));
    }

    private List<Target> startups() {
        return List.of(started("demo", 2.5), started("server", 2));
    }

    private Target started(String program, double bound) {
        return atMost(
                "start of the %s, of that of an empty Spring Boot web application".formatted(program),
                bound,
                " ×",
                ours("startup", "program=" + program, "timesEmpty"));
    }

    private Target watched(int tabs) {
        return atMost(
                "Redis' commands/s with %d open tabs of the console, of those with one".formatted(tabs),
                110,
                " %",
                ours("tabs", "tabs=" + tabs, "commandsPerSecond") / ours("tabs", "tabs=1", "commandsPerSecond") * 100);
    }

    private Target found(String what, String asked) {
        double without = ours("search", "journal=none asked=" + asked, "p95Millis");
        double with = ours("search", "journal=always asked=" + asked, "p95Millis");
        return atMost(
                "search among 1,000,000 jobs by %s, p95, with or without a journal".formatted(what),
                200,
                " ms",
                Math.max(without, with));
    }

    private Target foundEnded(String what, String asked) {
        return atMost(
                "search among 5,000,000 jobs that have ended by %s, p95".formatted(what),
                200,
                " ms",
                ours("search", "journal=always asked=" + asked, "p95Millis"));
    }

    private List<Target> delivered() {
        return List.of(
                besideADeadOne("refuses connections", "refuses"), besideADeadOne("never answers", "never answers"));
    }

    private Target besideADeadOne(String what, String dead) {
        double alone = ours("dead-target", "dead=none", "p99Millis");
        return atMost(
                "500 calls/s to 50 targets beside one that %s, p99 lateness, of that without it".formatted(what),
                120,
                " %",
                ours("dead-target", "dead=" + dead, "p99Millis") / alone * 100);
    }

    private List<Target> journaled() {
        double plain = ours("journal", "journal=none", RATE);
        return List.of(
                atLeast(
                        "commits from 64 threads, of db-scheduler's",
                        1,
                        " ×",
                        ours("outbox", "threads=64", RATE)
                                / results.median("outbox", "db-scheduler", "threads=64", RATE)),
                atMost(
                        "1,000 commits/s, p99 from the begin of a transaction to its job's",
                        25,
                        " ms",
                        ours("commit", "", "p99Millis")),
                atLeast(
                        "burst with every submit in a journal, of that without",
                        40,
                        " %",
                        ours("journal", "journal=always", RATE) / plain * 100),
                atLeast(
                        "burst of a queue beside one with a journal, of that without",
                        95,
                        " %",
                        ours("journal", "journal=of another queue", RATE) / plain * 100),
                atMost(
                        "1,000,000 jobs restored to a Redis that was emptied",
                        90,
                        " s",
                        ours("rebuild", "jobs=1000000", "rebuiltSeconds")),
                atMost(
                        "Redis' memory for 10,000,000 far jobs",
                        1024,
                        " KiB",
                        ours("far", "jobs=10000000", "redisKibibytes")),
                atLeast("far jobs submitted in bulk", 20_000, "/s", farJobs("submittedPerSecond")),
                atLeast("far jobs of a shard brought to Redis", 5000, "/s", farJobs("relayedPerSecond")));
    }

    private double farJobs(String value) {
        return ours("relay", "jobs=100000", value);
    }

    private Target laterOverHttp(int rate) {
        String what = "%d/s, p99 lateness of a poll that waits, beyond a worker's".formatted(rate);
        return atMost(what, 10, " ms", polls("workers=http batch=1", rate) - polls("workers=process", rate));
    }

    private double polls(String workers, int rate) {
        return ours("polls", "%s perSecond=%d".formatted(workers, rate), "p99Millis");
    }

    private double ours(String workload, String variant, String value) {
        return results.median(workload, OURS, variant, value);
    }

    private double bare(String workload, String variant, String value) {
        return results.median(workload, BARE, variant, value);
    }

    private static String variant(int rate, int nodes) {
        return "perSecond=%d nodes=%d".formatted(rate, nodes);
    }

    private Target steady(int rate, int nodes, String value, double bound) {
        String what = "%d/s on %s, %s lateness"
                .formatted(rate, nodes == 1 ? "one node" : "three nodes", value.replace("Millis", ""));
        return atMost(what, bound, " ms", ours("steady", variant(rate, nodes), value));
    }

    private double scripts(int rate, int nodes) {
        return ours("steady", variant(rate, nodes), "scriptsPerSecond");
    }

    private Target scriptsOfThreeNodes(int rate) {
        String what = "scripts/s at %d jobs/s on three nodes, of those on one".formatted(rate);
        return atMost(what, 1.5, " ×", scripts(rate, 3) / scripts(rate, 1));
    }

    private Target scriptsBesideBare(int rate) {
        String what = "scripts/s at %d jobs/s on one node, of a bare RDelayedQueue client's".formatted(rate);
        return atMost(what, 1, " ×", scripts(rate, 1) / bare("steady", variant(rate, 1), "scriptsPerSecond"));
    }

    private Target submits(String who, String variant, double bound) {
        String what = "single submits from %s, of RDelayedQueue.offer's".formatted(who);
        return atLeast(what, bound, " ×", ours("submit", variant, RATE) / bare("submit", variant, RATE));
    }

    /** The worst of all runs of ours. */
    private double largest(String workload, String value) {
        return ofOurs().filter(one -> one.workload().equals(workload) && one.runs(value) > 0)
                .mapToDouble(one -> one.max(value))
                .max()
                .orElse(Double.NaN);
    }

    private double inexact() {
        return ofOurs().findAny().isEmpty()
                ? Double.NaN
                : ofOurs().filter(one -> !one.faults().isEmpty()).count();
    }

    private Stream<Measurement> ofOurs() {
        return results.measurements().stream().filter(one -> one.contender().equals(OURS));
    }
}
