package io.delayjob.benchmarks.contender;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class JobSeriesTest {

    @Test
    void spreadsDueTimesEvenlyAndKeepsThemWithinTheSpread() {
        JobSeries series = new JobSeries("a", 10, 4, 1000, 100, "");
        assertThat(series.jobs(0, 10))
                .extracting(Job::id, Job::dueMillis)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("a-10", 1000L),
                        org.assertj.core.groups.Tuple.tuple("a-11", 1025L),
                        org.assertj.core.groups.Tuple.tuple("a-12", 1050L),
                        org.assertj.core.groups.Tuple.tuple("a-13", 1075L));
    }

    @Test
    void spreadsAMillionJobsOverADayWithoutOverflow() {
        int count = 1_000_000;
        JobSeries series = new JobSeries("a", 0, count, 0, 86_400_000, "");
        assertThat(series.job(count - 1).dueMillis()).isBetween(86_399_000L, 86_400_000L);
    }

    @Test
    void endsWithTheLastJobInABatchThatIsNotFull() {
        assertThat(new JobSeries("a", 0, 5, 0, 0, "").jobs(4, 500)).hasSize(1);
    }

    @Test
    void givesEachJobAPayloadOf128CharactersUnlessToldOtherwise() {
        ObjectNode command = JsonMapper.shared().createObjectNode();
        command.put("prefix", "a").put("count", 5).put("dueMillis", 0L);
        assertThat(JobSeries.of(command).job(3).payload()).hasSize(128);
        assertThat(JobSeries.of(command.put("characters", 10_000)).job(3).payload())
                .hasSize(10_000);
    }
}
