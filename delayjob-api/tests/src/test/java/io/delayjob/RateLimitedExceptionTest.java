package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimitedExceptionTest {

    @ParameterizedTest
    @ValueSource(strings = {"PT0.000999999S", "PT0S", "PT-1S"})
    void refusesATimeOfLessThanAMillisecond(Duration delay) {
        String message = "delay must be positive, at least 1 ms and at most 8000 years: " + delay;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RateLimitedException(delay))
                .withMessage(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RateLimitedException(delay, new IllegalStateException("429")))
                .withMessage(message);
    }

    @Test
    void takesAMillisecond() {
        RateLimitedException limited = new RateLimitedException(Duration.ofMillis(1));
        assertThat(limited.delay()).isEqualTo(Duration.ofMillis(1));
        assertThat(limited).hasMessage("told to slow down for PT0.001S").hasNoCause();
    }
}
