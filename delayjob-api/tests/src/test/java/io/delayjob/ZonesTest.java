package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.ScheduleTiming.Gap;
import io.delayjob.ScheduleTiming.Repeated;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The instants around changes of the clocks, in the zones of the JDK, held against those that walking from minute to minute finds. */
class ZonesTest {

    private static final Instant FIRST = Instant.parse("2000-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("2036-01-01T00:00:00Z");
    private static final Duration AROUND = Duration.ofHours(4);

    /** Changes that are alike, such as those of two zones of the European Union, count once. */
    @Test
    void missesAndDoublesNothingAtAnyKindOfChange() {
        Set<String> kinds = new HashSet<>();
        List<String> wrong = new ArrayList<>();
        for (ZoneId zone : zones()) {
            for (ZoneOffsetTransition change : changes(zone)) {
                if (kinds.add(change.getDateTimeBefore().toLocalTime() + " " + change.getDuration())) {
                    wrong.addAll(differences(zone, change));
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(kinds).hasSizeGreaterThan(15).contains("02:00 PT30M", "02:00 PT-30M", "00:00 PT24H");
    }

    @Test
    @Tag("proof")
    void missesAndDoublesNothingAtAnyChangeOfAnyZone() {
        List<String> wrong = new ArrayList<>();
        long changes = 0;
        for (ZoneId zone : zones()) {
            for (ZoneOffsetTransition change : changes(zone)) {
                wrong.addAll(differences(zone, change));
                changes++;
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(changes).isGreaterThan(5_000);
    }

    /** A gap, the local times that clocks leave out, never reaches beyond the next change of the clocks. */
    @Test
    void changesOfClocksAreFurtherApartThanTheyAreLong() {
        for (ZoneId zone : zones()) {
            Instant end = Instant.MIN;
            for (ZoneOffsetTransition change : changes(zone)) {
                assertThat(change.getInstant()).as("%s %s", zone, change).isAfter(end);
                end = change.getInstant().plus(change.getDuration().abs());
            }
        }
    }

    /** All zones; of those with the same rules, such as Europe/London and Europe/Belfast, the first. */
    private static List<ZoneId> zones() {
        Set<ZoneRules> rules = new HashSet<>();
        return ZoneId.getAvailableZoneIds().stream()
                .sorted()
                .map(ZoneId::of)
                .filter(zone -> rules.add(zone.getRules()))
                .toList();
    }

    private static List<ZoneOffsetTransition> changes(ZoneId zone) {
        List<ZoneOffsetTransition> changes = new ArrayList<>();
        ZoneOffsetTransition change = zone.getRules().nextTransition(FIRST);
        while (change != null && change.getInstant().isBefore(LAST)) {
            changes.add(change);
            change = zone.getRules().nextTransition(change.getInstant());
        }
        return changes;
    }

    private static List<String> differences(ZoneId zone, ZoneOffsetTransition change) {
        Walk walk = new Walk(zone, change);
        List<String> differences = new ArrayList<>();
        for (Expression expression : expressions(change)) {
            for (Gap gap : Gap.values()) {
                for (Repeated repeated : Repeated.values()) {
                    Set<Instant> expected = walk.instants(expression, gap, repeated);
                    List<Instant> actual =
                            walk.computed(new CronInstants(CronPattern.parse(expression.cron()), zone, gap, repeated));
                    if (!List.copyOf(expected).equals(actual)) {
                        differences.add(zone + " " + change + " " + expression.cron() + " " + gap + " " + repeated
                                + ": " + actual + ", expected " + expected);
                    }
                }
            }
        }
        return differences;
    }

    /** Expressions that fire when clocks are changed. */
    private static List<Expression> expressions(ZoneOffsetTransition change) {
        LocalDateTime first = change.isGap() ? change.getDateTimeBefore() : change.getDateTimeAfter();
        LocalDateTime middle =
                first.plus(change.getDuration().abs().dividedBy(2)).truncatedTo(ChronoUnit.MINUTES);
        int hour = first.getHour();
        int after = (hour + 1) % 24;
        return List.of(
                at(middle.toLocalTime()),
                at(first.toLocalTime()),
                new Expression(
                        "0 %d %d %d %d *"
                                .formatted(
                                        middle.getMinute(),
                                        middle.getHour(),
                                        middle.getDayOfMonth(),
                                        middle.getMonthValue()),
                        false,
                        time -> time.equals(middle.withYear(time.getYear()))),
                new Expression(
                        "0 5,15,40,55 " + hour + "," + after + " * * *",
                        false,
                        time -> (time.getHour() == hour || time.getHour() == after)
                                && Set.of(5, 15, 40, 55).contains(time.getMinute())),
                new Expression(
                        "0 0/20 */2 * * *", false, time -> time.getMinute() % 20 == 0 && time.getHour() % 2 == 0),
                new Expression("0 0 * * * *", true, time -> time.getMinute() == 0),
                new Expression("0 7/15 * * * *", true, time -> time.getMinute() % 15 == 7));
    }

    private static Expression at(LocalTime time) {
        return new Expression(
                "0 " + time.getMinute() + " " + time.getHour() + " * * *",
                false,
                other -> other.toLocalTime().equals(time));
    }

    /** An expression, whether it fires in every hour, and the times that it means. */
    private record Expression(String cron, boolean everyHour, Predicate<LocalDateTime> times) {}

    /** Clocks of a zone around a change, one minute after the other. */
    private static final class Walk {

        private final Instant start;
        private final Instant end;
        private final Map<Instant, LocalDateTime> clocks = new HashMap<>();
        private final Map<LocalDateTime, Instant> firstAt = new HashMap<>();
        private final Map<LocalDateTime, Instant> lastAt = new HashMap<>();
        private final Map<Instant, LocalDateTime> leftOut = new HashMap<>();

        Walk(ZoneId zone, ZoneOffsetTransition change) {
            start = change.getInstant().minus(AROUND);
            end = change.getInstant().plus(change.getDuration().abs()).plus(AROUND);
            for (Instant minute = start; minute.isBefore(end); minute = minute.plusSeconds(60)) {
                LocalDateTime clock = minute.atZone(zone).toLocalDateTime();
                clocks.put(minute, clock);
                firstAt.putIfAbsent(clock, minute);
                lastAt.put(clock, minute);
            }
            Instant minute = change.getInstant();
            LocalDateTime wanted = clocks.get(minute.minusSeconds(60)).plusMinutes(1);
            while (!firstAt.containsKey(wanted)) {
                leftOut.put(minute, wanted);
                wanted = wanted.plusMinutes(1);
                minute = minute.plusSeconds(60);
            }
        }

        Set<Instant> instants(Expression expression, Gap gap, Repeated repeated) {
            Set<Instant> instants = new TreeSet<>();
            clocks.forEach((minute, clock) -> {
                boolean chosen = expression.everyHour()
                        || repeated == Repeated.BOTH
                        || minute.equals((repeated == Repeated.FIRST ? firstAt : lastAt).get(clock));
                if (chosen && expression.times().test(clock)) {
                    instants.add(minute);
                }
            });
            if (gap == Gap.SHIFT && !expression.everyHour()) {
                leftOut.forEach((minute, clock) -> {
                    if (expression.times().test(clock)) {
                        instants.add(minute);
                    }
                });
            }
            return instants;
        }

        List<Instant> computed(CronInstants instants) {
            List<Instant> computed = new ArrayList<>();
            Instant next = instants.next(start.minusNanos(1));
            while (next != null && next.isBefore(end)) {
                computed.add(next);
                next = instants.next(next);
            }
            return computed;
        }
    }
}
