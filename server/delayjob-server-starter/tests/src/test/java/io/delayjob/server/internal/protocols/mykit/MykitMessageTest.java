package io.delayjob.server.internal.protocols.mykit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.server.internal.protocols.JsonFields;
import io.delayjob.server.internal.protocols.NewJob;
import io.delayjob.server.web.ServerJson;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MykitMessageTest {

    private static NewJob pushed(String message) {
        return MykitMessage.pushed(
                new JsonFields(ServerJson.mapper().readTree(message.replace('\'', '"'))), "made", "127.0.0.1");
    }

    /** In mykit a smaller number goes first, and 0 is the usual one. */
    @ParameterizedTest
    @CsvSource({"-2147483648, 9", "-5, 9", "-1, 5", "0, 4", "1, 3", "4, 0", "300, 0", "null,"})
    void aSmallerPriorityIsAHigherOneOfTheJob(String priority, @Nullable Integer expected) {
        NewJob job = pushed("{'topic':'t','delay':1000,'priority':%s}".formatted(priority));
        assertThat(job.options().priority()).isEqualTo(expected);
    }

    @Test
    void aPriorityDoesNotMoveTheDueTime() {
        assertThat(pushed("{'topic':'t','delay':1000,'priority':300}").due())
                .isEqualTo(new NewJob.Due.In(Duration.ofSeconds(1)));
        assertThat(pushed("{'topic':'t','delay':1000,'createTime':5000,'priority':300}")
                        .due())
                .isEqualTo(new NewJob.Due.At(Instant.ofEpochMilli(6000)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.5", "'7'", "2147483648"})
    void refusesAPriorityThatIsNoInteger(String priority) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pushed("{'topic':'t','priority':%s}".formatted(priority)))
                .withMessage(
                        "priority must be a whole number of levels, -2147483648 to 2147483647: %s",
                        priority.replace('\'', '"'));
    }
}
