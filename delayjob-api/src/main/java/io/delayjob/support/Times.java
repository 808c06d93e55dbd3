package io.delayjob.support;

import java.time.DateTimeException;
import java.time.Instant;

/** Reads times of callers. Times so far off that they have no milliseconds since 1970 are refused here, where they come from. */
public final class Times {

    private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("+10000-01-01T00:00:00Z");

    private Times() {}

    /**
     * A time.
     *
     * @param text such as {@code 2030-01-31T08:00:00Z}
     * @throws DateTimeException if it is none, or not of the years 0 to 9999
     */
    public static Instant parse(String text) {
        return checked(Instant.parse(text));
    }

    /**
     * The same time.
     *
     * @throws DateTimeException if it is not of the years 0 to 9999
     */
    public static Instant checked(Instant time) {
        if (time.isBefore(FIRST) || time.isAfter(LAST)) {
            throw new DateTimeException("not of the years 0 to 9999: " + time);
        }
        return time;
    }
}
