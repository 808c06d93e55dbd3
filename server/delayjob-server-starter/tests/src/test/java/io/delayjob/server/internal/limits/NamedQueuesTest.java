package io.delayjob.server.internal.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.server.limits.Places.Answer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class NamedQueuesTest {

    private long nanos;
    private final NamedQueues queues = new NamedQueues(4, 2, Duration.ofMinutes(1), () -> nanos);

    private Answer name(String caller, String... names) {
        return queues.name(caller, List.of(names), Duration.ZERO);
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    @Test
    void aCallerNamesAsManyAsItMayAndTheSameOnesAgain() {
        assertThat(name("ann", "a", "b")).isEqualTo(Answer.TAKEN);

        assertThat(name("ann", "c")).isEqualTo(Answer.CALLER_HAS_ALL);
        assertThat(name("ann", "b", "a")).isEqualTo(Answer.TAKEN);
        assertThat(name("bob", "c", "d")).isEqualTo(Answer.TAKEN);
    }

    @Test
    void allCallersTogetherNameAsManyAsTheyMayAndSharedOnesCountOnce() {
        name("ann", "a", "b");
        name("bob", "c", "d");

        assertThat(name("cid", "e")).isEqualTo(Answer.ALL_TAKEN);
        assertThat(name("cid", "a", "d")).isEqualTo(Answer.TAKEN);
    }

    @Test
    void aQueueCountsUntilItWasNotNamedForSoLong() {
        name("ann", "a", "b");
        pass(Duration.ofSeconds(59));
        name("ann", "b");
        pass(Duration.ofSeconds(2));

        assertThat(name("ann", "c")).isEqualTo(Answer.TAKEN);
        assertThat(name("ann", "d")).isEqualTo(Answer.CALLER_HAS_ALL);
    }

    @Test
    void aQueueCountsLongerByTheWaitThatItIsNamedFor() {
        assertThat(queues.name("ann", List.of("a", "b"), Duration.ofMinutes(1))).isEqualTo(Answer.TAKEN);
        pass(Duration.ofSeconds(90));

        assertThat(name("ann", "c")).isEqualTo(Answer.CALLER_HAS_ALL);
        pass(Duration.ofSeconds(31));
        assertThat(name("ann", "c")).isEqualTo(Answer.TAKEN);
    }

    @Test
    void aRefusalNamesNothing() {
        name("ann", "a");

        assertThat(name("ann", "b", "c")).isEqualTo(Answer.CALLER_HAS_ALL);

        assertThat(name("ann", "d")).isEqualTo(Answer.TAKEN);
    }
}
