package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.scheduling.support.CronExpression;

class CronPatternTest {

    private static final LocalDateTime START = LocalDateTime.parse("2026-01-30T23:59:59.5");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    * * * * * *         | 2026-01-31T00:00    | 2026-01-31T00:00:01
                    0 */15 * * * *      | 2026-01-31T00:00    | 2026-01-31T00:15
                    5/20 0 12 * * *     | 2026-01-31T12:00:05 | 2026-01-31T12:00:25
                    0 0 9-17/4 * * *    | 2026-01-31T09:00    | 2026-01-31T13:00
                    0 30 8,20 * * *     | 2026-01-31T08:30    | 2026-01-31T20:30
                    0 0 0 31 * *        | 2026-01-31T00:00    | 2026-03-31T00:00
                    0 0 0 29 2 ?        | 2028-02-29T00:00    | 2032-02-29T00:00
                    0 0 0 * JAN,mar SUN | 2026-03-01T00:00    | 2026-03-08T00:00
                    0 0 0 ? * 0         | 2026-02-01T00:00    | 2026-02-08T00:00
                    0 0 0 * * SUN-TUE   | 2026-02-01T00:00    | 2026-02-02T00:00
                    0 0 0 * * FRI-SUN   | 2026-01-31T00:00    | 2026-02-01T00:00
                    0 0 0 * * */2       | 2026-02-01T00:00    | 2026-02-02T00:00
                    0 0 0 L * *         | 2026-01-31T00:00    | 2026-02-28T00:00
                    0 0 0 L-2 * *       | 2026-02-26T00:00    | 2026-03-29T00:00
                    0 0 0 LW * *        | 2026-02-27T00:00    | 2026-03-31T00:00
                    0 0 0 1W * *        | 2026-02-02T00:00    | 2026-03-02T00:00
                    0 0 0 1W 8 *        | 2026-08-03T00:00    | 2027-08-02T00:00
                    0 0 0 15W * *       | 2026-02-16T00:00    | 2026-03-16T00:00
                    0 0 0 1,L * *       | 2026-01-31T00:00    | 2026-02-01T00:00
                    0 0 0 * * FRIL      | 2026-02-27T00:00    | 2026-03-27T00:00
                    0 0 0 * * 0#1       | 2026-02-01T00:00    | 2026-03-01T00:00
                    0 0 0 * * MON#5     | 2026-03-30T00:00    | 2026-06-29T00:00
                    0 0 0 13 * FRI      | 2026-02-13T00:00    | 2026-03-13T00:00
                    30 4 * * MON-FRI    | 2026-02-02T04:30    | 2026-02-03T04:30
                    @yearly             | 2027-01-01T00:00    | 2028-01-01T00:00
                    @Monthly            | 2026-02-01T00:00    | 2026-03-01T00:00
                    @weekly             | 2026-02-01T00:00    | 2026-02-08T00:00
                    @daily              | 2026-01-31T00:00    | 2026-02-01T00:00
                    @hourly             | 2026-01-31T00:00    | 2026-01-31T01:00
                    """)
    void findsTheFirstTwoTimes(String cron, LocalDateTime first, LocalDateTime second) {
        CronPattern pattern = CronPattern.parse(cron);
        assertThat(pattern.nextOrSame(START)).isEqualTo(first);
        assertThat(pattern.nextOrSame(first)).isEqualTo(first);
        assertThat(pattern.nextOrSame(first.plusNanos(1))).isEqualTo(second);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ''                | must have six fields
                    0 0 0 * * * 2026  | must have six fields
                    @nightly          | be one of @yearly
                    60 * * * * *      | second must be 0 to 59: '60'
                    * -1 * * * *      | minute must be 0 to 59: ''
                    * * 24 * * *      | hour must be 0 to 23: '24'
                    * * * 0 * *       | day of month must be 1 to 31: '0'
                    * * * * 13 *      | month must be 1 to 12 or JAN to DEC: '13'
                    * * * * MAI *     | month must be 1 to 12 or JAN to DEC: 'MAI'
                    * * * * * 8       | day of week must be 0 to 7 or MON to SUN: '8'
                    * * * * * MO      | day of week must be 0 to 7 or MON to SUN: 'MO'
                    * * 17-9 * * *    | hour must not end before it begins; write two ranges: '17-9'
                    */0 * * * * *     | the step of second must be a number of at least 1: '0'
                    */x * * * * *     | the step of second must be a number of at least 1: 'X'
                    1,,2 * * * * *    | second must be 0 to 59: ''
                    ? * * * * *       | second must be 0 to 59: '?'
                    * * * W * *       | day of month must be 1 to 31: ''
                    * * * 5L * *      | day of month must be 1 to 31: '5L'
                    * * * L-99 * *    | day of month must be 1 to 31: '99'
                    * * * * * L       | day of week must be 0 to 7 or MON to SUN: ''
                    * * * * * MON#6   | week must be 1 to 5: '6'
                    * * * * * #1      | day of week must be 0 to 7 or MON to SUN: ''
                    """)
    void namesThePartThatIsWrong(String cron, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CronPattern.parse(cron))
                .withMessageStartingWith("cron '" + cron + "': ")
                .withMessageContaining(message);
    }

    /** Cron(8) would run this on every Friday and on every 13th. */
    @Test
    void refusesFiveFieldsThatOtherProgramsReadDifferently() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CronPattern.parse("0 12 13 * FRI"))
                .withMessageContaining("write a second field, 0, in front");
        assertThat(CronPattern.parse("0 12 ? * FRI").nextOrSame(START)).isEqualTo("2026-02-06T12:00");
    }

    /** Spring leaves a month out whose last day is a Sunday that it should move; the nearest weekday is the Friday before. */
    @Test
    void movesTheLastDayOfAMonthWithinTheMonth() {
        String cron = "0 0 0 31W * *";
        LocalDateTime start = LocalDateTime.parse("2026-05-01T00:00");
        assertThat(CronPattern.parse(cron).nextOrSame(start)).isEqualTo("2026-05-29T00:00");
        assertThat(CronExpression.parse(cron).next(start)).isEqualTo("2026-07-31T00:00");
    }

    @Test
    void findsWhatIsDecadesAway() {
        assertThat(CronPattern.parse("0 0 0 29 2 SUN").nextOrSame(LocalDateTime.parse("2080-01-01T00:00")))
                .isEqualTo("2088-02-29T00:00");
        assertThat(CronPattern.parse("0 0 0 29 2 SUN").nextOrSame(LocalDateTime.parse("2088-03-01T00:00")))
                .isEqualTo("2128-02-29T00:00");
        assertThat(CronPattern.parse("0 0 0 31 2,4,6,9,11 *").nextOrSame(START)).isNull();
    }

    @Test
    void agreesWithSpringWhereThereAreNoZones() {
        Random random = new Random(20260131);
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            String cron = RandomCron.next(random);
            LocalDateTime from = RandomCron.time(random);
            List<LocalDateTime> ours = times(CronPattern.parse(cron), from);
            List<LocalDateTime> theirs = times(CronExpression.parse(cron), from);
            if (!ours.equals(theirs)) {
                differences.add(cron + " from " + from + ": " + ours + ", Spring " + theirs);
            }
        }
        assertThat(differences).isEmpty();
    }

    private static List<LocalDateTime> times(CronPattern pattern, LocalDateTime from) {
        List<LocalDateTime> times = new ArrayList<>();
        LocalDateTime time = pattern.nextOrSame(from.plusNanos(1));
        while (time != null && times.size() < 5) {
            times.add(time);
            time = pattern.nextOrSame(time.plus(1, ChronoUnit.NANOS));
        }
        return times;
    }

    private static List<LocalDateTime> times(CronExpression expression, LocalDateTime from) {
        List<LocalDateTime> times = new ArrayList<>();
        LocalDateTime time = expression.next(from);
        while (time != null && times.size() < 5) {
            times.add(time);
            time = expression.next(time);
        }
        return times;
    }
}
