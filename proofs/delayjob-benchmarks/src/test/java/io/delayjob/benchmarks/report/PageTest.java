package io.delayjob.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PageTest {

    @Test
    void showsTheMedianWithTheSmallestAndTheLargest() throws IOException {
        assertThat(page(TargetsTest.burst("delayjob", "pending=0", 90_000, 61_234, 100_000)))
                .contains("| delayjob | pending=0 | 90,000 (61,234–100,000) | exact |");
    }

    @Test
    void marksAMeasurementOfOursThatWasNotExactAsInvalid() throws IOException {
        assertThat(page(inexact("delayjob"))).contains("| **INVALID**: 3 ran early |");
    }

    @Test
    void saysOfOthersWhatTheirDeliveryWas() throws IOException {
        assertThat(page(inexact("delayed-queue"))).contains("| 3 ran early |").doesNotContain("INVALID**");
    }

    @Test
    void leavesOutWhatWasNotMeasured() throws IOException {
        assertThat(page(TargetsTest.burst("delayjob", "pending=0", 1)))
                .contains("## A burst", "## How it is measured")
                .doesNotContain("## Memory", "p99, ms");
    }

    @Test
    void hasMachineAndCommand() throws IOException {
        assertThat(page()).contains("| processor | 2 × fast |", "`the command` repeats it");
    }

    @Test
    void saysWhenAWorkloadWasMeasuredThatALaterRunLeftOut() throws IOException {
        Results first = new Results(
                Map.of("date", "2026-01-01", "processor", "2 × slow"),
                List.of(TargetsTest.burst("delayjob", "pending=0", 1), of("memory", 7), of("drain", 8)));
        Results second = new Results(
                Map.of("date", "2026-01-02", "processor", "2 × slow"),
                List.of(TargetsTest.burst("delayjob", "pending=0", 2), of("memory", 9)));
        Results third = new Results(Map.of("date", "2026-01-03", "processor", "2 × fast"), List.of(of("memory", 5)));
        Results merged = first.with(second).with(third);
        assertThat(merged.earlier())
                .containsOnly(Map.entry("burst", "2026-01-02, 2 × slow"), Map.entry("drain", "2026-01-01, 2 × slow"));
        assertThat(merged.environment()).containsEntry("date", "2026-01-03");
        assertThat(merged.median("burst", "delayjob", "", "perSecond")).isEqualTo(2);
        assertThat(merged.of("memory")).containsExactly(of("memory", 5));
        assertThat(Page.render(merged)).contains("- measured in an earlier run: 2026-01-02, 2 × slow");
    }

    private static Measurement of(String workload, double perSecond) {
        return new Measurement(
                workload,
                "delayjob",
                "",
                Map.of(),
                Map.of("perSecond", List.of(perSecond)),
                List.of(),
                List.of(),
                null);
    }

    @Test
    void givesNumbersTheDigitsThatSaySomething() {
        assertThat(List.of(0.0, 0.123, 9.876, 12.34, 123.4, 1234567.8))
                .extracting(Table::number)
                .containsExactly("0", "0.12", "9.88", "12.3", "123", "1,234,568");
    }

    @Test
    void labelsTheAxisOfAPictureWithRoundNumbers() {
        Results results = new Results(Map.of(), List.of(TargetsTest.burst("delayjob", "pending=0", 61_234)));
        assertThat(Pictures.of(results).get("burst.svg")).contains(">1<", ">10<", ">100<", ">1,000<", ">10,000<");
    }

    @Test
    void takesTheMeanOfTheTwoInTheMiddleForTheMedian() {
        assertThat(TargetsTest.burst("a", "b", 4, 1, 3, 2).median("perSecond")).isEqualTo(2.5);
        assertThat(TargetsTest.burst("a", "b").median("perSecond")).isNaN();
    }

    private static Measurement inexact(String contender) {
        return new Measurement(
                "burst",
                contender,
                "pending=0",
                Map.of(),
                Map.of("perSecond", List.of(1.0)),
                List.of("3 ran early"),
                List.of(),
                null);
    }

    private static String page(Measurement... measurements) throws IOException {
        return Page.render(
                new Results(Map.of("processor", "2 × fast", "command", "the command"), List.of(measurements)));
    }
}
