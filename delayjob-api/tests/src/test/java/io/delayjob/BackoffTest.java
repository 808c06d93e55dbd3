package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Random RANDOM = new Random(1);

    @Test
    void doublesFromTwoSecondsToTenMinutesByDefault() {
        assertThat(Backoff.DEFAULT).isEqualTo(new Backoff(Duration.ofSeconds(2), Duration.ofMinutes(10), 2, 0.2));
        assertThat(Backoff.DEFAULT.after(1, RANDOM)).isBetween(Duration.ofMillis(1600), Duration.ofMillis(2400));
        assertThat(Backoff.DEFAULT.after(100, RANDOM)).isBetween(Duration.ofMinutes(8), Duration.ofMinutes(10));
    }

    @Test
    void multipliesWithEachAttemptUpToItsMaximum() {
        Backoff tripled = new Backoff(SECOND, Duration.ofSeconds(20), 3, 0);
        assertThat(IntStream.rangeClosed(1, 5)
                        .mapToObj(attempt -> tripled.after(attempt, RANDOM).toSeconds()))
                .containsExactly(1L, 3L, 9L, 20L, 20L);
    }

    @Test
    void exponentialDoublesWithJitter() {
        assertThat(Backoff.exponential(SECOND, Duration.ofHours(1)))
                .isEqualTo(new Backoff(SECOND, Duration.ofHours(1), 2, 0.2));
    }

    @Test
    void spreadsJobsThatFailedTogether() {
        assertThat(IntStream.range(0, 100)
                        .mapToObj(i -> Backoff.DEFAULT.after(1, RANDOM))
                        .distinct())
                .hasSizeGreaterThan(50);
    }

    @Test
    void refusesAnInitialOrMaximumThatIsNotPositive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Backoff(Duration.ZERO, SECOND, 2, 0))
                .withMessageStartingWith("backoff initial must be positive")
                .withMessageEndingWith(": PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Backoff(SECOND, Duration.ofSeconds(-1), 2, 0))
                .withMessageStartingWith("backoff max must be positive")
                .withMessageEndingWith(": PT-1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Backoff.fixed(Duration.ofNanos(1)))
                .withMessageEndingWith(": PT0.000000001S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Backoff.fixed(Unchecked.nullInsteadOf(SECOND)))
                .withMessageStartingWith("backoff initial");
    }

    @Test
    void refusesAMaximumUnderItsInitial() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Backoff(Duration.ofSeconds(2), SECOND, 2, 0))
                .withMessage("backoff max must be at least its initial PT2S: PT1S");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.99, 0, -1, 100.1, Double.NaN, Double.POSITIVE_INFINITY})
    void refusesAMultiplierOutsideOneToHundred(double multiplier) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Backoff(SECOND, SECOND, multiplier, 0))
                .withMessage("backoff multiplier must be 1 to 100: " + multiplier);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.01, 1.01, Double.NaN, Double.NEGATIVE_INFINITY})
    void refusesAJitterOutsideZeroToOne(double jitter) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Backoff(SECOND, SECOND, 2, jitter))
                .withMessage("backoff jitter must be 0 to 1: " + jitter);
    }

    @Test
    void refusesAnAttemptBeforeTheFirst() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Backoff.DEFAULT.after(0, RANDOM))
                .withMessage("attempt must be at least 1: 0");
    }
}
