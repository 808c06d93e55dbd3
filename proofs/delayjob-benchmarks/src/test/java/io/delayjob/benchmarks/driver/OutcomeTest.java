package io.delayjob.benchmarks.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class OutcomeTest {

    @Test
    void findsNothingWrongIfEachJobRanOnceOnSomeNode() {
        Outcome outcome = Outcome.of(4, List.of(report(10, 0, 2), report(20, 1, 3)));
        assertThat(outcome.faults()).isEmpty();
        assertThat(outcome.perSecond(1000)).isCloseTo(4, within(0.001));
        assertThat(outcome.latenessMillis(100)).isCloseTo(20, within(0.1));
        assertThat(outcome.jvmCpuSeconds()).isEqualTo(1);
    }

    @Test
    void doesNotCountAJobThatRanOnTwoNodesForOneThatIsLost() {
        Outcome outcome = Outcome.of(4, List.of(report(10, 0, 2), report(10, 1, 2)));
        assertThat(outcome.faults()).containsExactly("1 of 4 did not run", "1 ran again");
    }

    @Test
    void leavesNodesThatRanNothingOutOfTheFirstRun() {
        assertThat(Outcome.of(2, List.of(report(10), report(10, 0, 1))).firstRunMillis())
                .isEqualTo(1500);
    }

    /** A node that ran these jobs, so late, and ended at 2 s. */
    private static JsonNode report(long lateMillis, int... numbers) {
        BitSet ids = new BitSet();
        IntStream.of(numbers).forEach(ids::set);
        Histogram lateness = new Histogram(3_600_000_000L, 3);
        lateness.recordValueWithCount(lateMillis * 1000, numbers.length);
        Map<String, Object> report = new HashMap<>();
        report.put("runs", numbers.length);
        report.put("distinct", numbers.length);
        report.put("early", 0);
        report.put("firstRunMillis", numbers.length == 0 ? 0 : 1500.0);
        report.put("lastRunMillis", numbers.length == 0 ? 0 : 2000.0);
        report.put("cpuMillis", 500.0);
        report.put("ids", Base64.getEncoder().encodeToString(ids.toByteArray()));
        report.put("lateness", encoded(lateness));
        return new JsonMapper().valueToTree(report);
    }

    private static String encoded(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }
}
