package io.delayjob.redisson.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CountsTest {

    private static Counts late(long... millis) {
        long[] late = new long[Lateness.BUCKETS];
        for (long one : millis) {
            late[Lateness.bucket(TimeUnit.MILLISECONDS.toNanos(one))]++;
        }
        return Counts.of(0, 0, 0, late);
    }

    @Test
    void areReadAsTheyAreWritten() {
        Counts counts = Counts.of(12, 3, 1, new long[] {4, 0, 5}).plus(Counts.ready(7));
        assertThat(counts).hasToString("completed=12|failed=3|died=1|late0=4|late2=5|Ready=7");
        assertThat(Counts.parse(counts.toString())).isEqualTo(counts);
        assertThat(Counts.parse("")).isEqualTo(Counts.NONE).matches(Counts::isNothing);
    }

    @Test
    void whatIsNotUnderstoodIsLeftOut() {
        assertThat(Counts.parse("completed=1|newer=5|late99=3|late=2|failed=x|died=-4|Ready=99999999999999999999"))
                .isEqualTo(Counts.of(1, 0, 0, new long[0]));
    }

    @Test
    void sumAndDifferenceAreOppositeAndAnUnknownBacklogIsNotZero() {
        Counts one = Counts.of(5, 4, 3, new long[] {2, 1});
        Counts other = Counts.of(1, 1, 1, new long[] {1});
        assertThat(one.plus(other).minus(other)).isEqualTo(one);
        assertThat(one.minus(one).isNothing()).isTrue();
        assertThat(one.plus(other).ready()).isEqualTo(-1);
        assertThat(Counts.ready(3).plus(one).plus(Counts.ready(4)).ready()).isEqualTo(7);
    }

    @Test
    void everyLatenessHasABucket() {
        assertThat(Lateness.bucket(-1)).isZero();
        assertThat(Lateness.bucket(TimeUnit.MILLISECONDS.toNanos(1))).isZero();
        assertThat(Lateness.bucket(TimeUnit.MILLISECONDS.toNanos(1) + 1)).isEqualTo(1);
        assertThat(Lateness.bucket(TimeUnit.MILLISECONDS.toNanos(2))).isEqualTo(2);
        assertThat(Lateness.bucket(TimeUnit.HOURS.toNanos(4))).isEqualTo(Lateness.BUCKETS - 2);
        assertThat(Lateness.bucket(Long.MAX_VALUE)).isEqualTo(Lateness.BUCKETS - 1);
    }

    @Test
    void percentilesOfCountsOfSeveralNodesAreThoseOfAllAttempts() {
        Random random = new Random(42);
        long[] all = LongStream.generate(() -> (long) Math.exp(random.nextDouble() * 11))
                .limit(20_000)
                .toArray();
        Counts merged = Counts.NONE;
        for (int node = 0; node < 4; node++) {
            merged = merged.plus(late(LongStream.range(5000L * node, 5000L * (node + 1))
                    .map(i -> all[(int) i])
                    .toArray()));
        }
        long[] sorted = LongStream.of(all).sorted().toArray();
        assertThat(merged.began()).isEqualTo(20_000);
        for (double share : new double[] {0.5, 0.9, 0.99}) {
            double exact = sorted[(int) (share * sorted.length)];
            assertThat(merged.lateness(share)).isCloseTo(exact, within(0.21 * exact));
        }
    }

    @Test
    void percentilesOfNothingAreUnknown() {
        assertThat(Counts.NONE.lateness(0.99)).isEqualTo(-1);
        assertThat(late(0, 0, 0).lateness(0.99)).isBetween(0.0, 1.0);
        assertThat(late(TimeUnit.DAYS.toMillis(3)).lateness(0.5)).isGreaterThan((double) TimeUnit.HOURS.toMillis(4));
    }
}
