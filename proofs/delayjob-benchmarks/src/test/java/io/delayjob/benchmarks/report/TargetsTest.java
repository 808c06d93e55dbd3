package io.delayjob.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TargetsTest {

    @Test
    void comparesMediansOfOneRun() {
        Results results = new Results(
                Map.of(),
                List.of(
                        burst("delayjob", "pending=0", 90_000, 60_000, 100_000),
                        burst("delayjob", "pending=1000000", 72_000),
                        burst("delayed-queue", "pending=0", 6000)));
        assertThat(line(results, "burst, of bare RDelayedQueue's")).endsWith("| 15.0 × | reached");
        assertThat(line(results, "burst with 1,000,000 pending, of that with none"))
                .endsWith("| at least 90.0 % | 80.0 % | **missed** by a factor of 1.13");
    }

    @Test
    void saysWhatWasNotMeasured() {
        assertThat(new Targets(new Results(Map.of(), List.of())).all())
                .allSatisfy(
                        target -> assertThat(target.shown() + target.verdict()).isEqualTo("not measured"))
                .noneMatch(Target::isReached);
    }

    @Test
    void takesTheWorstOfAllScriptsForTheLongest() {
        Results results = new Results(
                Map.of(),
                List.of(
                        measurement("delayjob", "scripts", "script=claim", Map.of("maxCpuMillis", List.of(1.0))),
                        measurement("delayjob", "scripts", "script=retry", Map.of("maxCpuMillis", List.of(4.0, 7.5))),
                        measurement("other", "scripts", "script=claim", Map.of("maxCpuMillis", List.of(99.0)))));
        assertThat(line(results, "longest script"))
                .endsWith("| at most 5.00 ms | 7.50 ms | **missed** by a factor of 1.50");
    }

    @Test
    void comparesTheBurstWithAJournalWithThatWithout() {
        Results results = new Results(
                Map.of(),
                List.of(
                        measurement("delayjob", "journal", "journal=none", Map.of("perSecond", List.of(80_000.0))),
                        measurement("delayjob", "journal", "journal=always", Map.of("perSecond", List.of(40_000.0)))));
        assertThat(line(results, "burst with every submit in a journal"))
                .endsWith("| at least 40.0 % | 50.0 % | reached");
    }

    @Test
    void comparesTheFirstBurstOfANodeWithAWarmOne() {
        Results results = new Results(
                Map.of(),
                List.of(
                        measurement("delayjob", "start", "burst=first", Map.of("perSecond", List.of(60_000.0))),
                        measurement("delayjob", "start", "burst=warm", Map.of("perSecond", List.of(80_000.0)))));
        assertThat(line(results, "first burst of a node")).endsWith("| at least 50.0 % | 75.0 % | reached");
    }

    @Test
    void comparesSubmitsWithThoseOfBareRDelayedQueueFromAsManyThreads() {
        Results results = new Results(
                Map.of(),
                List.of(
                        measurement(
                                "delayjob",
                                "submit",
                                "threads=1",
                                Map.of("perSecond", List.of(600.0), "p99Micros", List.of(280.0))),
                        measurement("delayjob", "submit", "threads=64", Map.of("perSecond", List.of(9000.0))),
                        measurement(
                                "delayed-queue",
                                "submit",
                                "threads=1",
                                Map.of("perSecond", List.of(1000.0), "p99Micros", List.of(200.0)))));
        assertThat(line(results, "single submits from one thread, of RDelayedQueue"))
                .endsWith("| at least 0.85 × | 0.60 × | **missed** by a factor of 1.42");
        assertThat(line(results, "single submits from one thread, p99"))
                .endsWith("| at most 1.50 × | 1.40 × | reached");
        assertThat(line(results, "single submits from 64 threads")).endsWith("| not measured | ");
    }

    @Test
    void comparesWorkersOverHttpWithThoseOfANode() {
        Results results = new Results(
                Map.of(),
                List.of(
                        measurement("delayjob", "http", "workers=process", Map.of("perSecond", List.of(60_000.0))),
                        measurement(
                                "delayjob", "http", "workers=http batch=100", Map.of("perSecond", List.of(24_000.0))),
                        measurement(
                                "delayjob", "polls", "workers=process perSecond=50", Map.of("p99Millis", List.of(5.0))),
                        measurement(
                                "delayjob",
                                "polls",
                                "workers=http batch=1 perSecond=50",
                                Map.of("p99Millis", List.of(17.0)))));
        assertThat(line(results, "burst over HTTP in batches"))
                .endsWith("| at least 60.0 % | 40.0 % | **missed** by a factor of 1.50");
        assertThat(line(results, "50/s, p99 lateness of a poll"))
                .endsWith("| at most 10.0 ms | 12.0 ms | **missed** by a factor of 1.20");
    }

    @Test
    void comparesCallsBesideADeadTargetWithThoseWithoutIt() {
        Results results = new Results(
                Map.of(),
                List.of(
                        measurement("delayjob", "dead-target", "dead=none", Map.of("p99Millis", List.of(10.0))),
                        measurement("delayjob", "dead-target", "dead=refuses", Map.of("p99Millis", List.of(11.0))),
                        measurement(
                                "delayjob", "dead-target", "dead=never answers", Map.of("p99Millis", List.of(15.0)))));
        assertThat(line(results, "500 calls/s to 50 targets beside one that refuses"))
                .endsWith("| at most 120 % | 110 % | reached");
        assertThat(line(results, "500 calls/s to 50 targets beside one that never answers"))
                .endsWith("| at most 120 % | 150 % | **missed** by a factor of 1.25");
    }

    @Test
    void comparesAnIdleNodeWithSchedulesWithOneWithout() {
        Results results = new Results(
                Map.of(),
                List.of(
                        idle("schedules=0 nodes=1", 1.5),
                        idle("schedules=10000 nodes=1", 4),
                        measurement(
                                "delayjob",
                                "instant",
                                "schedules=100000 shards=8",
                                Map.of("p99Millis", List.of(500.0)))));
        assertThat(line(results, "requests of an idle node and queue with 10,000 schedules"))
                .endsWith("| at most 2.00/s | 2.50/s | **missed** by a factor of 1.25");
        assertThat(line(results, "100,000 schedules with the same instant"))
                .endsWith("| at most 1,000 ms | 500 ms | reached");
    }

    private static Measurement idle(String variant, double requests) {
        return measurement(
                "delayjob", "idle-schedules", variant, Map.of("requestsPerSecondPerNode", List.of(requests)));
    }

    @Test
    void missesExactDeliveryByASingleFault() {
        Measurement lost = new Measurement(
                "burst", "delayjob", "pending=0", Map.of(), Map.of(), List.of("1 of 9 did not run"), List.of(), null);
        assertThat(line(new Results(Map.of(), List.of(lost)), "measurements with a job"))
                .endsWith("| 1.00 | **missed** by 1.00");
    }

    @Test
    void isReachedAtItsBound() {
        assertThat(Target.atMost("a", 5, " ms", 5).isReached()).isTrue();
        assertThat(Target.atMost("a", 5, " ms", 5.01).isReached()).isFalse();
        assertThat(Target.atLeast("a", 5, " ms", 5).isReached()).isTrue();
        assertThat(Target.atLeast("a", 5, " ms", 4.99).isReached()).isFalse();
    }

    private static String line(Results results, String what) {
        return new Targets(results)
                .all().stream()
                        .filter(target -> target.what().startsWith(what))
                        .map(target -> String.join(" | ", target.wanted(), target.shown(), target.verdict()))
                        .map(line -> "| " + line)
                        .findFirst()
                        .orElseThrow();
    }

    static Measurement burst(String contender, String variant, double... perSecond) {
        List<Double> rates = java.util.stream.DoubleStream.of(perSecond).boxed().toList();
        return measurement(contender, "burst", variant, Map.of("perSecond", rates, "ran", rates));
    }

    private static Measurement measurement(
            String contender, String workload, String variant, Map<String, List<Double>> values) {
        @Nullable String lateness = null;
        return new Measurement(
                workload, contender, variant, Map.of(), new TreeMap<>(values), List.of(), List.of(), lateness);
    }
}
