package io.delayjob.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
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
        assertThat(line(results, "burst, of bare RDelayedQueue's")).contains("| 15.0 × | reached |");
        assertThat(line(results, "burst with 1,000,000 pending, of that with none"))
                .contains("| at least 85.0 % | 80.0 % | **missed** by a factor of 1.06 |");
    }

    @Test
    void saysWhatWasNotMeasured() {
        assertThat(new Targets(new Results(Map.of(), List.of())).all())
                .allSatisfy(target -> assertThat(target.line()).contains("| not measured |  |"))
                .noneMatch(Target::isReached);
    }

    @Test
    void takesTheWorstOfAllRunsForTheLongestScript() {
        Results results = new Results(
                Map.of(),
                List.of(
                        measurement("delayjob", "burst", "pending=0", Map.of("slowestScriptMillis", List.of(1.0, 7.5))),
                        measurement("delayjob", "drain", "overdue=9", Map.of("slowestScriptMillis", List.of(3.0))),
                        measurement(
                                "delayjob",
                                "scaling",
                                "nodes=3 shards=1",
                                Map.of("slowestScriptMillis", List.of(20.0))),
                        measurement("delayjob", "cluster", "shards=6", Map.of("slowestScriptMillis", List.of(9.0))),
                        measurement("other", "drain", "overdue=9", Map.of("slowestScriptMillis", List.of(99.0)))));
        assertThat(line(results, "longest script, of one node"))
                .contains("| 7.50 ms | **missed** by a factor of 1.50 |");
        assertThat(line(results, "longest script, of several"))
                .contains("| 20.0 ms | **missed** by a factor of 4.00 |");
    }

    @Test
    void missesExactDeliveryByASingleFault() {
        Measurement lost = new Measurement(
                "burst", "delayjob", "pending=0", Map.of(), Map.of(), List.of("1 of 9 did not run"), List.of(), null);
        assertThat(line(new Results(Map.of(), List.of(lost)), "measurements with a job"))
                .contains("| 1.00 | **missed** by 1.00 |");
    }

    @Test
    void isReachedAtItsBound() {
        assertThat(Target.atMost("a", 5, " ms", OptionalDouble.of(5)).isReached())
                .isTrue();
        assertThat(Target.atMost("a", 5, " ms", OptionalDouble.of(5.01)).isReached())
                .isFalse();
        assertThat(Target.atLeast("a", 5, " ms", OptionalDouble.of(5)).isReached())
                .isTrue();
        assertThat(Target.atLeast("a", 5, " ms", OptionalDouble.of(4.99)).isReached())
                .isFalse();
    }

    private static String line(Results results, String what) {
        return new Targets(results)
                .all().stream()
                        .map(Target::line)
                        .filter(line -> line.startsWith("| " + what))
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
