package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class JobQueryTest {

    private static final JobQuery QUERY = JobQuery.of("orders", JobState.DEAD);

    @Test
    void changesOneThingAndKeepsTheOthers() {
        assertThat(QUERY.withJob("close").withIdPrefix("close-").withLimit(5).after("0:1:a"))
                .isEqualTo(new JobQuery("orders", JobState.DEAD, "close", "close-", TimeRange.ANY, 5, "0:1:a"));
        assertThat(QUERY.withJob(DelayJobRequestTest.Greeting.class).job())
                .isEqualTo(DelayJobRequestTest.Greeting.class.getName());
    }

    @Test
    void refusesWhatIsOutOfRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobQuery.of("{", JobState.DEAD))
                .withMessageStartingWith("queue must be");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QUERY.withLimit(0))
                .withMessage("limit must be 1 to 1000: 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QUERY.withLimit(1001))
                .withMessage("limit must be 1 to 1000: 1001");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QUERY.withIdPrefix(""))
                .withMessageStartingWith("id must have");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QUERY.withJob(""))
                .withMessageStartingWith("job name must have");
    }
}
