package io.delayjob.server.internal.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.server.limits.Limits;
import io.github.bucket4j.TimeMeter;
import io.netty.util.NetUtil;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.http.ProblemDetail;

/** Tests the remainder of a limit, on a clock that stands still until it is moved. */
class AllowancesTest {

    private long nanos = 1_000;

    private final TimeMeter clock = new TimeMeter() {
        @Override
        public long currentTimeNanos() {
            return nanos;
        }

        @Override
        public boolean isWallClockBased() {
            return false;
        }
    };

    private final Allowances allowances = new Allowances(new Limits(4, 1000L), Duration.ofSeconds(2), 100_000, clock);

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    private static long seconds(Optional<ProblemDetail> refusal) {
        return (long) Objects.requireNonNull(
                Objects.requireNonNull(refusal.orElseThrow().getProperties()).get("retryAfter"));
    }

    @Test
    void aBurstPassesAndThenTheRate() {
        Allowance allowance = allowances.of("ann", Limits.DEFAULT);
        for (int i = 0; i < 8; i++) {
            assertThat(allowance.refusal()).isEmpty();
        }

        Optional<ProblemDetail> refusal = allowance.refusal();

        assertThat(seconds(refusal)).isEqualTo(1);
        assertThat(refusal.orElseThrow().getDetail())
                .contains("ann", "4 requests a second", "delayjob.server.limits.requests-per-second", "1 s");
        pass(Duration.ofMillis(250));
        assertThat(allowance.refusal()).isEmpty();
        assertThat(allowance.refusal()).isPresent();
    }

    @Test
    void waitingAsLongAsSaidIsEnoughAndLessIsNot() {
        Allowance allowance = allowances.of("ann", new Limits(null, 10L));
        allowance.received(20 + 55);

        long wait = seconds(allowance.refusal());

        assertThat(wait).isEqualTo(6);
        pass(Duration.ofSeconds(wait - 1));
        assertThat(allowance.refusal()).isPresent();
        pass(Duration.ofSeconds(1));
        assertThat(allowance.refusal()).isEmpty();
    }

    @Test
    void aBodyOverTheLimitIsOwed() {
        Allowance allowance = allowances.of("ann", Limits.DEFAULT);

        allowance.received(5000);

        assertThat(allowance.refusal().orElseThrow().getDetail())
                .contains("1000 bytes of bodies a second", "delayjob.server.limits.bytes-per-second");
        assertThat(seconds(allowance.refusal())).isEqualTo(4);
    }

    @Test
    void answersAreKeptAsFarAsADayAllows() {
        Allowance allowance = allowances.of("ann", Limits.DEFAULT);
        allowance.kept(99_999);
        assertThat(allowance.refusalToKeep()).isEmpty();
        allowance.kept(50_001);

        Optional<ProblemDetail> refusal = allowance.refusalToKeep();

        assertThat(refusal.orElseThrow().getDetail()).contains("ann", "kept-answers-per-token");
        pass(Duration.ofSeconds(seconds(refusal)));
        assertThat(allowance.refusalToKeep()).isEmpty();
    }

    @Test
    void theAnswersToACallerThatIsRefusedAgainAndAgainAreHeldBack() {
        Allowance allowance = allowances.of("ann", Limits.DEFAULT);
        for (int i = 0; i < 100; i++) {
            assertThat(allowance.refused()).isZero();
        }

        assertThat(allowance.refused()).isEqualTo(Duration.ofMillis(100));
        assertThat(allowance.refused()).isEqualTo(Duration.ofMillis(200));
        for (int i = 0; i < 1000; i++) {
            allowance.refused();
        }
        assertThat(allowance.refused()).isEqualTo(Duration.ofSeconds(5));
        assertThat(allowances.of("bob", Limits.DEFAULT).refused()).isZero();
        pass(Duration.ofMinutes(2));
        assertThat(allowance.refused()).isZero();
    }

    @Test
    void theAnswersToAnAddressAreHeldBackAndToNoCallerOfIt() {
        for (int i = 0; i < 1000; i++) {
            allowances.refused(address("2001:db8::%x".formatted(i)));
        }

        assertThat(allowances.refused(address("2001:db8::ffff"))).isEqualTo(Duration.ofSeconds(5));
        assertThat(allowances.refused(address("2001:db8:0:1::1"))).isZero();
        assertThat(allowances.refused(address("192.0.2.1"))).isZero();
        assertThat(allowances.of("ann", Limits.DEFAULT).refused()).isZero();
        pass(Duration.ofMinutes(2));
        assertThat(allowances.refused(address("2001:db8::1"))).isZero();
    }

    private static Address address(String text) {
        return Address.of(NetUtil.createInetAddressFromIpAddressString(text));
    }

    @Test
    void aRequestThatStandsForOthersCountsAsSoMany() {
        Allowance allowance = allowances.of("ann", Limits.DEFAULT);
        assertThat(allowance.refusal()).isEmpty();

        allowance.asked(11);

        assertThat(seconds(allowance.refusal())).isEqualTo(2);
    }

    @Test
    void everyCallerHasItsOwn() {
        Allowance ann = allowances.of("ann", new Limits(1, null));
        ann.refusal();
        ann.refusal();
        assertThat(ann.refusal().orElseThrow().getDetail()).contains("1 requests a second that requestsPerSecond");

        assertThat(allowances.of("ann", new Limits(1, null))).isSameAs(ann);
        assertThat(allowances.of("bob", new Limits(1, null)).refusal()).isEmpty();
        assertThat(allowances.of("ann", new Limits(2, null)).refusal()).isEmpty();
    }

    @Test
    void aBurstIsAtLeastOne() {
        Allowance slow = new Allowances(new Limits(1, 1L), Duration.ofMillis(1), 1, clock).of("ann", Limits.DEFAULT);

        assertThat(slow.refusal()).isEmpty();
    }

    @Test
    void limitsOutOfRangeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Limits(0, null))
                .withMessage("requestsPerSecond must be 1 to 1000000: 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Limits(null, 1_000_000_001L))
                .withMessage("bytesPerSecond must be 1 to 1000000000: 1000000001");
    }
}
