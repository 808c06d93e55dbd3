package io.delayjob.benchmarks.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TallyTest {

    private final Tally tally = new Tally();

    @Test
    void countsEachJobOnceAndFurtherRunsAsDuplicates() {
        for (int number : List.of(0, 63, 64, 65_535, 65_536, 200_000, 64, 65_536)) {
            tally.begun(2_000_000, 1_000_000);
            tally.ended(2_000_000, number);
        }
        assertThat(tally.distinct()).isEqualTo(6);
        assertThat(tally.report()).containsEntry("runs", 8L).containsEntry("duplicates", 2L);
        assertThat(ids()).isEqualTo(of(0, 63, 64, 65_535, 65_536, 200_000));
    }

    @Test
    void missesNoJobThatManyThreadsRun() throws Exception {
        int jobs = 200_000;
        IntStream.range(0, jobs).parallel().forEach(number -> tally.ended(1, number));
        assertThat(tally.distinct()).isEqualTo(jobs);
        assertThat(ids().nextClearBit(0)).isEqualTo(jobs);
    }

    @Test
    void countsARunBeforeTheDueTimeAsEarlyToTheMicrosecond() {
        tally.begun(999_999, 1_000_000);
        tally.ended(999_999, 0);
        tally.begun(1_000_000, 1_000_000);
        tally.ended(1_000_000, 1);
        assertThat(tally.report()).containsEntry("early", 1L).containsEntry("earliestMicros", -1L);
    }

    @Test
    void failsTheFirstAttemptOnlyIfToldSo() throws Exception {
        Tallies tallies = new Tallies();
        tallies.setWork(0, 1);
        assertThatThrownBy(() -> tallies.run("a-b-7", 0, 1)).hasMessage("told to fail");
        assertThat(tallies.of("a-b").distinct()).isZero();
        tallies.run("a-b-7", 0, 2);
        assertThat(tallies.of("a-b").distinct()).isEqualTo(1);
        assertThat(tallies.of("a-b").report()).containsAllEntriesOf(Map.of("failed", 1L, "runs", 1L, "early", 0L));
    }

    @Test
    void failsTheFirstAttemptsOfATenth() throws Exception {
        Tallies tallies = new Tallies();
        tallies.setWork(0, 10);
        assertThatThrownBy(() -> tallies.run("a-20", 0, 1)).hasMessage("told to fail");
        tallies.run("a-21", 0, 1);
        assertThat(tallies.of("a").report()).containsAllEntriesOf(Map.of("failed", 1L, "runs", 1L));
    }

    private BitSet ids() {
        return BitSet.valueOf(Base64.getDecoder().decode((String) tally.report().get("ids")));
    }

    private static BitSet of(int... numbers) {
        BitSet ids = new BitSet();
        IntStream.of(numbers).forEach(ids::set);
        return ids;
    }
}
