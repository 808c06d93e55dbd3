package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.Dedupe.Mode;
import io.delayjob.Dedupe.Scope;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DedupeTest {

    @Test
    void keepsTheFirstUnlessToldOtherwise() {
        assertThat(Dedupe.untilStarted("k")).isEqualTo(new Dedupe("k", Scope.UNTIL_STARTED, Mode.KEEP_FIRST, null));
        assertThat(Dedupe.untilFinished("k").replacing())
                .isEqualTo(new Dedupe("k", Scope.UNTIL_FINISHED, Mode.REPLACE, null));
        assertThat(Dedupe.within("k", Duration.ofMinutes(1)).postponing())
                .isEqualTo(new Dedupe("k", Scope.WINDOW, Mode.POSTPONE, Duration.ofMinutes(1)));
    }

    @Test
    void refusesABadKeyOrWindow() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Dedupe.untilStarted(" "))
                .withMessage("dedupe key must have 1 to 256 characters: ' '");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Dedupe.untilStarted("k".repeat(257)))
                .withMessageContaining("(257 characters)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Dedupe.untilStarted("a\nb"))
                .withMessageContaining("control characters");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Dedupe.within("k", Duration.ZERO))
                .withMessageStartingWith("dedupe window must be positive");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Dedupe("k", Scope.WINDOW, Mode.KEEP_FIRST, null))
                .withMessageStartingWith("dedupe window must be positive");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Dedupe("k", Scope.UNTIL_STARTED, Mode.KEEP_FIRST, Duration.ofSeconds(1)))
                .withMessage("dedupe window must be null unless the scope is WINDOW: PT1S");
    }
}
