package io.delayjob.server.console.internal.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.JobStep;
import io.delayjob.JobStep.Kind;
import io.delayjob.server.console.internal.jobs.Attempts.Attempt;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AttemptsTest {

    private static final Instant BEGIN = Instant.parse("2030-01-31T08:00:00Z");

    private static Instant at(long second) {
        return BEGIN.plusSeconds(second);
    }

    private static JobStep step(Kind kind, long second, int attempt, @Nullable String text) {
        return new JobStep(
                kind, at(second), null, attempt, null, kind == Kind.CLAIMED ? "node-" + attempt : null, text);
    }

    @Test
    void aJobThatWasNotHandedOutHasNone() {
        assertThat(Attempts.of(List.of(step(Kind.SUBMITTED, 0, 0, null)), at(1)))
                .isEmpty();
    }

    @Test
    void eachAttemptHasItsTimesItsErrorAndItsPlaceAmongTheOthers() {
        List<Attempt> all = Attempts.of(
                List.of(
                        step(Kind.SUBMITTED, -9, 0, null),
                        step(Kind.CLAIMED, 0, 1, null),
                        step(Kind.RETRIED, 10, 1, "x.NoRouteException: order 17\n\tat shop.A.b(A.java:1)"),
                        step(Kind.CLAIMED, 40, 2, null),
                        step(Kind.REFUSED, 45, 2, "other"),
                        step(Kind.RETRIED, 60, 2, "x.NoRouteException: order 18\n\tat shop.A.b(A.java:1)"),
                        step(Kind.CLAIMED, 90, 3, null),
                        step(Kind.COMPLETED, 100, 3, "{}")),
                at(1000));

        assertThat(all).extracting(Attempt::ending).containsExactly(Kind.RETRIED, Kind.RETRIED, Kind.COMPLETED);
        assertThat(all).extracting(Attempt::node).containsExactly("node-1", "node-2", "node-3");
        assertThat(all).extracting(Attempt::begun).containsExactly(at(0), at(40), at(90));
        assertThat(all).extracting(Attempt::ended).containsExactly(at(10), at(60), at(100));
        assertThat(all)
                .extracting(Attempt::waited)
                .containsExactly(null, Duration.ofSeconds(30), Duration.ofSeconds(30));
        assertThat(all)
                .extracting(Attempt::error)
                .containsExactly("x.NoRouteException: order 17", "x.NoRouteException: order 18", null);
        assertThat(all).extracting(Attempt::isSame).containsExactly(false, true, false);
        assertThat(all).extracting(Attempt::left).containsExactly(0.0, 40.0, 90.0);
        assertThat(all).extracting(Attempt::width).containsExactly(10.0, 20.0, 10.0);
    }

    @Test
    void anAttemptThatGoesOnLastsUntilNowAndAMomentCanBeSeen() {
        List<Attempt> all = Attempts.of(
                List.of(
                        step(Kind.CLAIMED, 0, 1, null),
                        step(Kind.BURIED, 0, 1, "no"),
                        step(Kind.REDRIVEN, 900, 1, null),
                        step(Kind.CLAIMED, 999, 1, null)),
                at(1000));

        assertThat(all).extracting(Attempt::ending).containsExactly(Kind.BURIED, null);
        assertThat(all).extracting(Attempt::left).containsExactly(0.0, 99.0);
        assertThat(all).extracting(Attempt::width).containsExactly(1.0, 1.0);
    }

    @Test
    void anAttemptWhoseEndTheHistoryDoesNotHaveIsFollowedByTheNext() {
        List<Attempt> all = Attempts.of(
                List.of(
                        step(Kind.CLAIMED, 0, 1, null),
                        step(Kind.CLAIMED, 50, 2, null),
                        step(Kind.EXPIRED, 100, 2, null)),
                at(100));

        assertThat(all).extracting(Attempt::ended).containsExactly(null, at(100));
        assertThat(all).extracting(Attempt::waited).containsExactly(null, (Duration) null);
    }
}
