package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class ProgressTest {

    @Test
    void takesPercentAndALine() {
        assertThat(new Progress(0, "").percent()).isZero();
        assertThat(new Progress(100, "t".repeat(1024)).text()).hasSize(1024);
    }

    @Test
    void refusesWhatIsOutOfRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Progress(101, ""))
                .withMessage("progress must be 0 to 100 percent: 101");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Progress(-1, ""))
                .withMessage("progress must be 0 to 100 percent: -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Progress(1, "t".repeat(1025)))
                .withMessageContaining("at most 1024 characters");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Progress(1, "a\nb"))
                .withMessageContaining("control characters");
    }
}
