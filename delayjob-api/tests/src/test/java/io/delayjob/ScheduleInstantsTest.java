package io.delayjob;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.ScheduleTiming.Gap;
import io.delayjob.ScheduleTiming.Repeated;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleInstantsTest {

    /** Each line: an expression, a zone, the policies, a local time before the change, and what the preview says of the next three. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    # Clocks are put forward from 02:00 to 03:00.
                    0 30 2 * * *   | Europe/Berlin       | SHIFT | FIRST | 2026-03-28T12:00 | 29 03:30 for 02:30 SHIFTED, 30 02:30, 31 02:30
                    0 30 2 * * *   | Europe/Berlin       | SKIP  | FIRST | 2026-03-28T12:00 | 29 03:30 for 02:30 SKIPPED, 30 02:30, 31 02:30
                    0 0 2,3 * * *  | Europe/Berlin       | SHIFT | FIRST | 2026-03-29T00:00 | 29 03:00, 30 02:00, 30 03:00
                    0 */30 * * * * | Europe/Berlin       | SHIFT | FIRST | 2026-03-29T01:00 | 29 01:30, 29 03:00, 29 03:30
                    # Clocks are put back from 03:00 to 02:00.
                    0 30 2 * * *   | Europe/Berlin       | SHIFT | FIRST | 2026-10-24T12:00 | 25 02:30 REPEATED, 25 02:30 SKIPPED, 26 02:30
                    0 30 2 * * *   | Europe/Berlin       | SHIFT | LAST  | 2026-10-24T12:00 | 25 02:30 SKIPPED, 25 02:30 REPEATED, 26 02:30
                    0 30 2 * * *   | Europe/Berlin       | SHIFT | BOTH  | 2026-10-24T12:00 | 25 02:30 REPEATED, 25 02:30 REPEATED, 26 02:30
                    0 0 * * * *    | Europe/Berlin       | SHIFT | FIRST | 2026-10-25T01:00 | 25 02:00 REPEATED, 25 02:00 REPEATED, 25 03:00
                    # Midnight does not exist.
                    0 0 0 * * *    | America/Sao_Paulo   | SHIFT | FIRST | 2018-11-03T12:00 | 4 01:00 for 4 00:00 SHIFTED, 5 00:00, 6 00:00
                    @daily         | Africa/Cairo        | SHIFT | FIRST | 2026-04-23T12:00 | 24 01:00 for 24 00:00 SHIFTED, 25 00:00, 26 00:00
                    # Midnight exists twice.
                    @daily         | America/Havana      | SHIFT | FIRST | 2026-10-31T12:00 | 1 00:00 REPEATED, 1 00:00 SKIPPED, 2 00:00
                    # Half an hour: from 02:00 to 02:30, and from 02:00 to 01:30.
                    0 15 2 * * *   | Australia/Lord_Howe | SHIFT | FIRST | 2026-10-03T12:00 | 4 02:45 for 4 02:15 SHIFTED, 5 02:15, 6 02:15
                    0 15,40 2 * * * | Australia/Lord_Howe | SHIFT | FIRST | 2026-10-03T12:00 | 4 02:40, 4 02:45 for 4 02:15 SHIFTED, 5 02:15
                    0 45 1 * * *   | Australia/Lord_Howe | SHIFT | LAST  | 2026-04-04T12:00 | 5 01:45 SKIPPED, 5 01:45 REPEATED, 6 01:45
                    0 0 * * * *    | Australia/Lord_Howe | SHIFT | FIRST | 2026-10-04T00:00 | 4 01:00, 4 03:00, 4 04:00
                    # A whole day, the 30th, was left out.
                    0 0 9 * * *    | Pacific/Apia        | SHIFT | FIRST | 2011-12-29T12:00 | 31 09:00, 1 09:00, 2 09:00
                    0 0 9 30 * *   | Pacific/Apia        | SHIFT | FIRST | 2011-12-01T12:00 | 31 09:00 for 30 09:00 SHIFTED, 30 09:00, 30 09:00
                    0 0 9 30 * *   | Pacific/Apia        | SKIP  | FIRST | 2011-12-01T12:00 | 31 09:00 for 30 09:00 SKIPPED, 30 09:00, 30 09:00
                    """)
    void previewsWhatDaylightSavingDoes(
            String cron, String zone, Gap gap, Repeated repeated, LocalDateTime after, String preview) {
        ScheduleTiming timing =
                ScheduleTiming.cron(cron).withZone(zone).withGap(gap).withRepeated(repeated);
        ZoneId zoneId = ZoneId.of(zone);
        assertThat(instants("s", timing).preview(after.atZone(zoneId).toInstant(), 3).stream()
                        .map(line -> shown(line, zoneId))
                        .collect(joining(", ")))
                .isEqualTo(preview.replace("for 02:30", "for 29 02:30"));
    }

    private static String shown(ScheduleInstant line, ZoneId zone) {
        LocalDateTime clock = LocalDateTime.ofInstant(line.instant(), zone);
        String shown = shown(clock);
        if (!clock.equals(line.localTime())) {
            shown += " for " + shown(line.localTime());
        }
        return line.effect() == ScheduleInstant.Effect.NONE ? shown : shown + " " + line.effect();
    }

    private static String shown(LocalDateTime time) {
        return time.getDayOfMonth() + " " + time.toLocalTime();
    }

    @Test
    void goesFromOneThatRunsToTheNextThatRuns() {
        ScheduleInstants instants = instants(
                "s",
                ScheduleTiming.cron("0 30 2 * * *").withZone("Europe/Berlin").withGap(Gap.SKIP));
        assertThat(walk(instants, "2026-03-28T00:00:00Z", 3))
                .containsExactly("2026-03-28T01:30:00Z", "2026-03-30T00:30:00Z", "2026-03-31T00:30:00Z");
        assertThat(instants.next(Instant.parse("2026-03-28T01:30:00Z"))).isEqualTo("2026-03-30T00:30:00Z");
        assertThat(instants.next(Instant.parse("2026-03-28T01:29:59.999999999Z")))
                .isEqualTo("2026-03-28T01:30:00Z");
    }

    @Test
    void runsAtWholeStepsFromAPhaseThatTheNameGives() {
        ScheduleTiming quarters = ScheduleTiming.every(Duration.ofMinutes(15));
        assertThat(walk(instants("a", quarters), "2026-03-29T00:00:00Z", 3))
                .containsExactly("2026-03-29T00:04:00Z", "2026-03-29T00:19:00Z", "2026-03-29T00:34:00Z");
        assertThat(walk(instants("b", quarters), "2026-03-29T00:00:00Z", 1)).containsExactly("2026-03-29T00:01:36Z");
        assertThat(walk(instants("a", ScheduleTiming.every(Duration.ofMillis(1_500))), "2026-03-29T00:00:00Z", 2))
                .containsExactly("2026-03-29T00:00:01.500Z", "2026-03-29T00:00:03Z");
    }

    @Test
    void showsTheStepsOfAScheduleByTheClocksOfItsZone() {
        ScheduleInstant first = instants(
                        "a", ScheduleTiming.every(Duration.ofHours(1)).withZone("Asia/Kolkata"))
                .preview(Instant.parse("2026-01-01T00:00:00Z"), 1)
                .get(0);
        assertThat(first.localTime()).isEqualTo(LocalDateTime.ofInstant(first.instant(), ZoneId.of("Asia/Kolkata")));
        assertThat(first.effect()).isEqualTo(ScheduleInstant.Effect.NONE);
    }

    @Test
    void neverDrifts() {
        ScheduleInstants instants = instants("drift", ScheduleTiming.every(Duration.ofSeconds(7)));
        Instant one = Instant.parse("2026-01-01T00:00:00Z");
        for (int i = 0; i < 10_000; i++) {
            Instant next = next(instants, one);
            assertThat(next).isAfter(one).isEqualTo(next(instants, next.minusNanos(1)));
            assertThat(Duration.between(one, next)).isLessThanOrEqualTo(Duration.ofSeconds(7));
            one = next.plusMillis(i % 3);
        }
    }

    @Test
    void spreadsItsOccurrencesOverTheJitterAndNeverToTheNextInstant() {
        ScheduleTiming timing = ScheduleTiming.cron("* * * * * *").withJitter(Duration.ofMinutes(5));
        ScheduleInstants instants = instants("jitter", timing);
        Instant one = Instant.parse("2026-01-01T00:00:00Z");
        long sum = 0;
        for (int i = 0; i < 10_000; i++) {
            Instant next = next(instants, one);
            assertThat(instants.due(one))
                    .isBetween(one, next.minusMillis(1))
                    .isEqualTo(instants("jitter", timing).due(one));
            sum += Duration.between(one, instants.due(one)).toMillis();
            one = next;
        }
        assertThat(sum / 10_000).isBetween(450L, 550L);
        assertThat(instants.due(one)).isNotEqualTo(instants("other", timing).due(one));
        assertThat(instants("none", ScheduleTiming.cron("@daily")).due(one)).isEqualTo(one);
    }

    @Test
    void neverPassesTheJitter() {
        ScheduleInstants instants =
                instants("daily", ScheduleTiming.cron("@daily").withJitter(Duration.ofSeconds(2)));
        Instant day = Instant.parse("2026-01-01T00:00:00Z");
        assertThat(Stream.iterate(day, one -> next(instants, one))
                        .limit(500)
                        .map(one -> Duration.between(one, instants.due(one)).toMillis()))
                .allMatch(late -> late >= 0 && late <= 2_000)
                .anyMatch(late -> late > 1_800)
                .anyMatch(late -> late < 200);
    }

    @Test
    void endsWithTheYear9999() {
        ScheduleInstants instants = instants("s", ScheduleTiming.cron("@yearly"));
        assertThat(instants.next(Instant.parse("9998-06-01T00:00:00Z"))).isEqualTo("9999-01-01T00:00:00Z");
        assertThat(instants.next(Instant.parse("9999-06-01T00:00:00Z"))).isNull();
        assertThat(instants.preview(Instant.parse("9998-06-01T00:00:00Z"), 5)).hasSize(1);
    }

    @Test
    void previewsAtLeastOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> instants("s", ScheduleTiming.cron("@daily")).preview(Instant.EPOCH, 0))
                .withMessage("count must be at least 1: 0");
    }

    private static ScheduleInstants instants(String name, ScheduleTiming timing) {
        return ScheduleInstants.of(Schedule.cron(name, "report", "@daily").withTiming(timing));
    }

    private static Instant next(ScheduleInstants instants, Instant after) {
        Instant next = instants.next(after);
        assertThat(next).isNotNull();
        return next;
    }

    private static Stream<String> walk(ScheduleInstants instants, String after, int count) {
        return Stream.iterate(next(instants, Instant.parse(after)), one -> next(instants, one))
                .limit(count)
                .map(Instant::toString);
    }
}
