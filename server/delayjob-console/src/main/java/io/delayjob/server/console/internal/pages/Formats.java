package io.delayjob.server.console.internal.pages;

import java.text.NumberFormat;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes numbers and times for people. */
public final class Formats {

    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final long SECOND = 1000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    /** A smaller one would be rounded to zero. */
    private static final double LEAST_RATE = 0.05;

    private final Locale language;

    /** Formats of a language. */
    public Formats(Locale language) {
        this.language = language;
    }

    /** A number with its digits in groups. */
    public String number(long value) {
        return NumberFormat.getIntegerInstance(language).format(value);
    }

    /** A rate, with one digit after the point below ten; what is next to nothing is not nothing. */
    public String rate(double value) {
        if (value > 0 && value < LEAST_RATE) {
            return "< 0.1";
        }
        return value == 0 || value >= 10 ? number(Math.round(value)) : String.format(language, "%.1f", value);
    }

    /** A number of milliseconds in the units that matter: at most two. */
    public String duration(long millis) {
        if (millis < SECOND) {
            return text("unit.ms", Math.max(0, millis));
        } else if (millis < MINUTE) {
            return text("unit.s", String.format(Locale.ROOT, millis < 10 * SECOND ? "%.1f" : "%.0f", millis / 1000.0));
        } else if (millis < HOUR) {
            return text("unit.min", millis / MINUTE) + rest(millis % MINUTE / SECOND, "unit.s");
        } else if (millis < DAY) {
            return text("unit.h", millis / HOUR) + rest(millis % HOUR / MINUTE, "unit.min");
        }
        return text("unit.d", number(millis / DAY)) + rest(millis % DAY / HOUR, "unit.h");
    }

    /** The time between two moments. */
    public String between(@Nullable Instant from, @Nullable Instant to) {
        return from == null || to == null
                ? ""
                : duration(Duration.between(from, to).toMillis());
    }

    /** A moment in UTC, for those whose browser says it no better. */
    public String clock(Instant at) {
        return CLOCK.format(at) + " UTC";
    }

    private String rest(long value, String unit) {
        return value == 0 ? "" : " " + text(unit, value);
    }

    private String text(String key, Object value) {
        return Texts.text(language, key, value.toString());
    }
}
