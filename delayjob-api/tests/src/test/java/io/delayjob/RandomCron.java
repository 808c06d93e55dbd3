package io.delayjob;

import java.time.LocalDateTime;
import java.util.List;
import java.util.Random;

/** Random cron expressions that all implementations can read, and that fire at least once in a few years. */
final class RandomCron {

    private static final LocalDateTime FIRST = LocalDateTime.parse("2000-01-01T00:00");
    private static final int SECONDS = 36 * 365 * 24 * 60 * 60;
    private static final List<String> WEEKDAYS = List.of("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN");

    private RandomCron() {}

    /** Six fields. */
    static String next(Random random) {
        boolean byWeekday = random.nextInt(3) == 0;
        return String.join(
                " ",
                random.nextInt(4) == 0 ? field(random, 0, 59) : "0",
                field(random, 0, 59),
                field(random, 0, 23),
                byWeekday ? "*" : dayOfMonth(random),
                random.nextInt(3) == 0 ? field(random, 1, 12) : "*",
                byWeekday ? dayOfWeek(random) : "*");
    }

    /** A time of the years 2000 to 2035. */
    static LocalDateTime time(Random random) {
        return FIRST.plusSeconds(random.nextInt(SECONDS));
    }

    private static String dayOfMonth(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> "L";
            case 1 -> "L-" + (1 + random.nextInt(5));
            case 2 -> "LW";
            case 3 -> (1 + random.nextInt(27)) + "W";
            case 4 -> field(random, 1, 31);
            default -> "*";
        };
    }

    private static String dayOfWeek(Random random) {
        String day = WEEKDAYS.get(random.nextInt(7));
        return switch (random.nextInt(4)) {
            case 0 -> day + "L";
            case 1 -> day + "#" + (1 + random.nextInt(5));
            case 2 -> WEEKDAYS.get(random.nextInt(3)) + "-" + WEEKDAYS.get(3 + random.nextInt(4));
            default -> day;
        };
    }

    private static String field(Random random, int min, int max) {
        int from = min + random.nextInt(max - min + 1);
        int to = from + random.nextInt(max - from + 1);
        int step = 1 + random.nextInt(Math.min(20, max - min));
        return switch (random.nextInt(6)) {
            case 0 -> "*";
            case 1 -> "*/" + step;
            case 2 -> from + "-" + to;
            case 3 -> from + "-" + to + "/" + step;
            case 4 -> from + "," + to;
            default -> String.valueOf(from);
        };
    }
}
