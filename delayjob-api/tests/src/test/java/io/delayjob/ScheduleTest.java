package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchIllegalArgumentException;

import io.delayjob.Schedule.CatchUp;
import io.delayjob.Schedule.Overlap;
import io.delayjob.ScheduleTiming.Gap;
import io.delayjob.ScheduleTiming.Repeated;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ScheduleTest {

    private static final Schedule NIGHTLY = Schedule.cron("nightly", "report", "0 0 3 * * *");

    @Test
    void isOneOfEachUnlessToldOtherwise() {
        assertThat(NIGHTLY)
                .isEqualTo(new Schedule(
                        "nightly",
                        null,
                        "report",
                        null,
                        new ScheduleTiming(
                                "0 0 3 * * *", null, ZoneOffset.UTC, Gap.SHIFT, Repeated.FIRST, Duration.ZERO),
                        Overlap.SKIP,
                        CatchUp.LAST,
                        Duration.ofDays(1),
                        0,
                        0,
                        JobOptions.NONE,
                        Map.of()));
        assertThat(Schedule.every("often", "report", Duration.ofMinutes(15)).timing())
                .isEqualTo(new ScheduleTiming(
                        null, Duration.ofMinutes(15), ZoneOffset.UTC, Gap.SHIFT, Repeated.FIRST, Duration.ZERO));
    }

    @Test
    void changesOneValueAtATime() {
        JobOptions options = JobOptions.NONE.withTags(List.of("night"));
        Schedule changed = NIGHTLY.withQueue("reports")
                .withParam(7)
                .withZone("Europe/Berlin")
                .withJitter(Duration.ofSeconds(30))
                .withOverlap(Overlap.ALLOW)
                .withCatchUp(CatchUp.ALL)
                .withWindow(Duration.ofHours(1))
                .withPauseAfter(3)
                .withRevision(2)
                .withOptions(options)
                .withHeader("a", "b");
        assertThat(changed)
                .isEqualTo(new Schedule(
                        "nightly",
                        "reports",
                        "report",
                        7,
                        new ScheduleTiming(
                                "0 0 3 * * *",
                                null,
                                ZoneId.of("Europe/Berlin"),
                                Gap.SHIFT,
                                Repeated.FIRST,
                                Duration.ofSeconds(30)),
                        Overlap.ALLOW,
                        CatchUp.ALL,
                        Duration.ofHours(1),
                        3,
                        2,
                        options,
                        Map.of("a", "b")));
        assertThat(NIGHTLY.timing().withGap(Gap.SKIP).withRepeated(Repeated.BOTH))
                .isEqualTo(new ScheduleTiming(
                        "0 0 3 * * *", null, ZoneOffset.UTC, Gap.SKIP, Repeated.BOTH, Duration.ZERO));
    }

    @Test
    void showsNeitherItsParamNorItsHeaders() {
        assertThat(NIGHTLY.withParam("secret").withHeader("key", "secret"))
                .hasToString("Schedule[name=nightly, queue=null, topic=report, timing=ScheduleTiming[cron=0 0 3 * * *,"
                        + " every=null, zone=Z, gap=SHIFT, repeated=FIRST, jitter=PT0S]]");
    }

    @Test
    void refusesNamesThatNobodyCanAskFor() {
        assertThatCode(() -> Schedule.cron("n".repeat(128), "report", "@daily")).doesNotThrowAnyException();
        refused(() -> Schedule.cron("n".repeat(129), "report", "@daily"))
                .contains("the name of a schedule must have 1 to 128 characters: 'nnn", "(129 characters)");
        refused(() -> Schedule.cron(" ", "report", "@daily")).contains("1 to 128 characters");
        refused(() -> Schedule.cron("a\nb", "report", "@daily")).contains("control characters");
        refused(() -> Schedule.cron("..", "report", "@daily")).contains("choose another name");
    }

    @Test
    void refusesWindowsAndNumbersThatAreTooSmall() {
        assertThatCode(() -> NIGHTLY.withWindow(Duration.ofSeconds(10))).doesNotThrowAnyException();
        refused(() -> NIGHTLY.withWindow(Duration.ofMillis(9_999)))
                .contains("window must be at least PT10S", "use catchUp NONE", "PT9.999S");
        refused(() -> NIGHTLY.withRevision(-1)).contains("revision must be zero or more: -1");
        refused(() -> NIGHTLY.withJitter(Duration.ofSeconds(-1))).contains("jitter must be zero or more");
    }

    @Test
    void runsEitherByCronOrAtADistance() {
        refused(() -> new ScheduleTiming(
                        "@daily", Duration.ofDays(1), ZoneOffset.UTC, Gap.SHIFT, Repeated.FIRST, Duration.ZERO))
                .contains("cron or every, and not both: '@daily', PT24H");
        refused(() -> new ScheduleTiming(null, null, ZoneOffset.UTC, Gap.SHIFT, Repeated.FIRST, Duration.ZERO))
                .contains("cron or every");
        refused(() -> ScheduleTiming.every(Duration.ofMillis(999)))
                .contains("every must be at least PT1S", "let one run do more", "PT0.999S");
        refused(() -> ScheduleTiming.every(Duration.ofNanos(1_500_000_001))).contains("whole milliseconds");
        assertThat(ScheduleTiming.every(Duration.ofMillis(1_500)).every()).isEqualTo(Duration.ofMillis(1_500));
    }

    @Test
    void refusesAZoneThatNobodyKnows() {
        refused(() -> NIGHTLY.withZone("Europe/Bremen"))
                .contains("zone 'Europe/Bremen' is not known", "such as Europe/Berlin");
        refused(() -> NIGHTLY.withZone("")).contains("zone '' is not known");
    }

    @Test
    void refusesAnExpressionThatNeverFires() {
        refused(() -> ScheduleTiming.cron("0 0 0 30 2 *"))
                .contains("cron '0 0 0 30 2 *' never fires", "name a day that its months have");
        refused(() -> ScheduleTiming.cron("0 0 0 L-30 4 *")).contains("never fires");
        refused(() -> ScheduleTiming.cron("0 0 0 1" + ",1".repeat(600) + " * *"))
                .contains("at most 1024 characters");
    }

    /** Clocks in Berlin are put forward at 02:00 on the last Sunday of March, every year. */
    @Test
    void refusesAnExpressionWhoseTimesDaylightSavingAlwaysSkips() {
        Schedule schedule = Schedule.cron("lost", "report", "0 30 2 * 3 SUNL").withZone("Europe/Berlin");
        assertThat(ScheduleInstants.of(schedule).next(Instant.parse("2026-01-01T00:00:00Z")))
                .isEqualTo("2026-03-29T01:30:00Z");
        refused(() -> schedule.withTiming(schedule.timing().withGap(Gap.SKIP)))
                .contains("never fires in zone Europe/Berlin with gap SKIP", "use gap SHIFT");
    }

    private static AbstractStringAssert<?> refused(ThrowingCallable call) {
        return assertThat(catchIllegalArgumentException(call).getMessage());
    }
}
