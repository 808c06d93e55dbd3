package io.delayjob;

import io.delayjob.support.Checks;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A cron expression, matched against local times: it knows nothing of zones. */
final class CronPattern {

    private static final Map<String, String> MACROS = Map.of(
            "@yearly", "0 0 0 1 1 *",
            "@annually", "0 0 0 1 1 *",
            "@monthly", "0 0 0 1 * *",
            "@weekly", "0 0 0 * * 0",
            "@daily", "0 0 0 * * *",
            "@midnight", "0 0 0 * * *",
            "@hourly", "0 0 * * * *");
    private static final Pattern SPACES = Pattern.compile(" +");
    private static final long EVERY_HOUR = (1L << 24) - 1;
    private static final int CALENDAR_CYCLE_YEARS = 400;

    private final long seconds;
    private final long minutes;
    private final long hours;
    private final long months;
    private final Predicate<LocalDate> dayOfMonth;
    private final Predicate<LocalDate> dayOfWeek;

    private CronPattern(String[] fields) {
        seconds = Field.SECOND.bits(fields[0]);
        minutes = Field.MINUTE.bits(fields[1]);
        hours = Field.HOUR.bits(fields[2]);
        dayOfMonth = anyOf(orAny(fields[3]), CronPattern::daysOfMonth);
        months = Field.MONTH.bits(fields[4]);
        dayOfWeek = anyOf(orAny(fields[5]), CronPattern::daysOfWeek);
    }

    /**
     * Reads an expression.
     *
     * @throws IllegalArgumentException if it is malformed; the message names the part
     */
    static CronPattern parse(String cron) {
        try {
            return new CronPattern(fields(cron));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("cron " + Checks.shown(cron) + ": " + e.getMessage(), e);
        }
    }

    private static String[] fields(String cron) {
        String text = cron.strip();
        String[] fields = SPACES.split(
                MACROS.getOrDefault(text.toLowerCase(Locale.ROOT), text).toUpperCase(Locale.ROOT));
        return switch (fields.length) {
            case 6 -> fields;
            case 5 -> withSecond(fields);
            default ->
                throw new IllegalArgumentException("it must have six fields (second minute hour day month weekday), or"
                        + " five without the second, or be one of @yearly, @monthly, @weekly, @daily and @hourly");
        };
    }

    /** Adds the second 0. Refuses five fields that name both kinds of days: cron(8) runs these on days of either kind. */
    private static String[] withSecond(String[] five) {
        if (!isAny(five[2]) && !isAny(five[4])) {
            throw new IllegalArgumentException(
                    "five fields must not name days of the month and of the week, which cron(8)"
                            + " takes as either; write a second field, 0, in front to mean days that are both, or make two"
                            + " schedules");
        }
        String[] fields = new String[6];
        fields[0] = "0";
        System.arraycopy(five, 0, fields, 1, 5);
        return fields;
    }

    private static boolean isAny(String field) {
        return orAny(field).equals("*");
    }

    /** A question mark, which Quartz asks for, is an asterisk in a field of days. */
    private static String orAny(String days) {
        return days.equals("?") ? "*" : days;
    }

    /** Whether the expression matches in every hour. */
    boolean matchesEveryHour() {
        return hours == EVERY_HOUR;
    }

    /** The first local time that matches and is not earlier; null if there is none. */
    @Nullable LocalDateTime nextOrSame(LocalDateTime from) {
        LocalDateTime second = from.truncatedTo(ChronoUnit.SECONDS);
        LocalDateTime start = second.equals(from) ? from : second.plusSeconds(1);
        LocalDate date = dateFrom(start.toLocalDate());
        if (date != null && date.equals(start.toLocalDate())) {
            LocalTime time = timeFrom(start.toLocalTime());
            if (time != null) {
                return date.atTime(time);
            }
            date = dateFrom(date.plusDays(1));
        }
        return date == null ? null : date.atTime(firstTime());
    }

    private @Nullable LocalDate dateFrom(LocalDate from) {
        LocalDate end = from.plusYears(CALENDAR_CYCLE_YEARS);
        LocalDate date = from;
        while (date.isBefore(end)) {
            if (first(months, date.getMonthValue()) != date.getMonthValue()) {
                date = date.with(TemporalAdjusters.firstDayOfNextMonth());
            } else if (dayOfMonth.test(date) && dayOfWeek.test(date)) {
                return date;
            } else {
                date = date.plusDays(1);
            }
        }
        return null;
    }

    private @Nullable LocalTime timeFrom(LocalTime from) {
        int hour = first(hours, from.getHour());
        if (hour == from.getHour()) {
            int minute = first(minutes, from.getMinute());
            if (minute == from.getMinute()) {
                int second = first(seconds, from.getSecond());
                if (second >= 0) {
                    return LocalTime.of(hour, minute, second);
                }
                minute = first(minutes, minute + 1);
            }
            if (minute >= 0) {
                return LocalTime.of(hour, minute, first(seconds, 0));
            }
            hour = first(hours, hour + 1);
        }
        return hour < 0 ? null : firstTime().withHour(hour);
    }

    private LocalTime firstTime() {
        return LocalTime.of(first(hours, 0), first(minutes, 0), first(seconds, 0));
    }

    /** The lowest bit that is set and not below another; -1 if there is none. */
    private static int first(long bits, int from) {
        long rest = bits & -1L << from;
        return rest == 0 ? -1 : Long.numberOfTrailingZeros(rest);
    }

    private static Predicate<LocalDate> anyOf(String field, DayRule rule) {
        List<Predicate<LocalDate>> parts =
                Arrays.stream(field.split(",", -1)).map(rule::of).toList();
        return date -> parts.stream().anyMatch(part -> part.test(date));
    }

    /** Reads one part of a field of days. */
    private interface DayRule {
        Predicate<LocalDate> of(String part);
    }

    private static Predicate<LocalDate> daysOfMonth(String part) {
        if (part.equals("L")) {
            return date -> date.getDayOfMonth() == date.lengthOfMonth();
        }
        if (part.equals("LW")) {
            return date -> date.equals(nearestWeekday(date, date.lengthOfMonth()));
        }
        if (part.startsWith("L-")) {
            int before = Field.DAY_OF_MONTH.value(part.substring(2));
            return date -> date.getDayOfMonth() == date.lengthOfMonth() - before;
        }
        if (part.endsWith("W")) {
            int day = Field.DAY_OF_MONTH.value(part.substring(0, part.length() - 1));
            return date -> day <= date.lengthOfMonth() && date.equals(nearestWeekday(date, day));
        }
        long days = Field.DAY_OF_MONTH.bits(part);
        return date -> first(days, date.getDayOfMonth()) == date.getDayOfMonth();
    }

    /** The weekday, Monday to Friday, of a month that is nearest to one of its days. */
    private static LocalDate nearestWeekday(LocalDate month, int day) {
        LocalDate date = month.withDayOfMonth(day);
        return switch (date.getDayOfWeek()) {
            case SATURDAY -> day == 1 ? date.plusDays(2) : date.minusDays(1);
            case SUNDAY -> day == date.lengthOfMonth() ? date.minusDays(2) : date.plusDays(1);
            default -> date;
        };
    }

    private static Predicate<LocalDate> daysOfWeek(String part) {
        if (part.endsWith("L")) {
            DayOfWeek day = dayOfWeek(part.substring(0, part.length() - 1));
            return date -> date.equals(date.with(TemporalAdjusters.lastInMonth(day)));
        }
        int sharp = part.indexOf('#');
        if (sharp >= 0) {
            DayOfWeek day = dayOfWeek(part.substring(0, sharp));
            int week = Field.WEEK.value(part.substring(sharp + 1));
            return date -> date.getDayOfWeek() == day && (date.getDayOfMonth() - 1) / 7 + 1 == week;
        }
        long days = Field.DAY_OF_WEEK.bits(part);
        return date -> {
            int day = date.getDayOfWeek().getValue();
            return first(days, day) == day || (day == 7 && first(days, 0) == 0);
        };
    }

    private static DayOfWeek dayOfWeek(String text) {
        return DayOfWeek.of((Field.DAY_OF_WEEK.value(text) + 6) % 7 + 1);
    }

    /** The values of a field. */
    private enum Field {
        SECOND(0, 59),
        MINUTE(0, 59),
        HOUR(0, 23),
        DAY_OF_MONTH(1, 31),
        MONTH(1, 12, "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"),
        /** Sunday is 0 and 7. */
        DAY_OF_WEEK(0, 7, "MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"),
        /** The week of a month, after the sign #. */
        WEEK(1, 5);

        private final int min;
        private final int max;
        private final List<String> names;

        Field(int min, int max, String... names) {
            this.min = min;
            this.max = max;
            this.names = List.of(names);
        }

        long bits(String text) {
            long bits = 0;
            for (String part : text.split(",", -1)) {
                bits |= partBits(part);
            }
            return bits;
        }

        private long partBits(String part) {
            int slash = part.indexOf('/');
            String range = slash < 0 ? part : part.substring(0, slash);
            int step = slash < 0 ? 1 : step(part.substring(slash + 1));
            int dash = range.indexOf('-');
            if (range.equals("*")) {
                return bits(this == DAY_OF_WEEK ? 1 : min, max, step);
            }
            if (dash < 0) {
                int value = value(range);
                return bits(value, slash < 0 ? value : max, step);
            }
            int from = value(range.substring(0, dash));
            int to = value(range.substring(dash + 1));
            return ordered(part, this == DAY_OF_WEEK && from == 7 ? 0 : from, to, step);
        }

        private long ordered(String part, int from, int to, int step) {
            if (from > to) {
                throw new IllegalArgumentException(
                        label() + " must not end before it begins; write two ranges: " + Checks.shown(part));
            }
            return bits(from, to, step);
        }

        private static long bits(int from, int to, int step) {
            long bits = 0;
            for (int value = from; value <= to; value += step) {
                bits |= 1L << value;
            }
            return bits;
        }

        int value(String text) {
            int named = names.indexOf(text);
            int value = named >= 0 ? named + 1 : number(text);
            if (value < min || value > max) {
                throw new IllegalArgumentException(label() + " must be " + min + " to " + max
                        + (names.isEmpty() ? "" : " or " + names.get(0) + " to " + names.get(names.size() - 1)) + ": "
                        + Checks.shown(text));
            }
            return value;
        }

        private int step(String text) {
            int step = number(text);
            if (step < 1) {
                throw new IllegalArgumentException(
                        "the step of " + label() + " must be a number of at least 1: " + Checks.shown(text));
            }
            return step;
        }

        /** Reads a number of at most four digits; -1 if the text is none. Values have at most two digits, and no step needs more than four. */
        private static int number(String text) {
            boolean isNumber =
                    !text.isEmpty() && text.length() <= 4 && text.chars().allMatch(Field::isDigit);
            return isNumber ? Integer.parseInt(text) : -1;
        }

        private static boolean isDigit(int c) {
            return c >= '0' && c <= '9';
        }

        private String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }
}
