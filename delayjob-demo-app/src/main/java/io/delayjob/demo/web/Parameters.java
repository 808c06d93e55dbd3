package io.delayjob.demo.web;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads the text of request parameters; a bad value is answered with 400. */
final class Parameters {

    private static final int LONGEST_TEXT = 200;
    private static final int LONGEST_ID = 128;

    private Parameters() {}

    /** A number from 0 to {@code max}. */
    static Optional<Long> number(String name, @Nullable String text, long max) {
        return number(name, text, 0, max);
    }

    static Optional<Long> number(String name, @Nullable String text, long min, long max) {
        if (text == null) {
            return Optional.empty();
        }
        try {
            long value = Long.parseLong(text.strip());
            if (value >= min && value <= max) {
                return Optional.of(value);
            }
        } catch (NumberFormatException e) {
            // answered below
        }
        String range = max == Long.MAX_VALUE ? min + " or more" : "from " + min + " to " + max;
        throw Problems.badValue(name, text, "a whole number, " + range);
    }

    static Optional<TimeUnit> unit(String name, @Nullable String text) {
        if (text == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(TimeUnit.valueOf(text.strip().toUpperCase(Locale.ROOT)));
        } catch (IllegalArgumentException e) {
            throw Problems.badValue(name, text, "one of " + Arrays.toString(TimeUnit.values()));
        }
    }

    static @Nullable String text(String name, @Nullable String text) {
        return text == null ? null : bounded(name, text, LONGEST_TEXT);
    }

    static @Nullable String id(@Nullable String id) {
        return id == null ? null : bounded("id", id, LONGEST_ID);
    }

    private static String bounded(String name, String text, int max) {
        // A line break would let a caller forge lines of the log.
        if (text.length() > max || text.chars().anyMatch(Character::isISOControl)) {
            throw Problems.badValue(name, text, "1 to " + max + " characters without control characters");
        }
        return text;
    }
}
