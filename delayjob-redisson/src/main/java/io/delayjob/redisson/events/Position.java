package io.delayjob.redisson.events;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in the stream: the id of an event.
 *
 * @param millis when it was appended, by Redis' clock
 * @param number its number among those of that millisecond
 */
public record Position(long millis, long number) implements Comparable<Position> {

    private static final Pattern TEXT = Pattern.compile("(\\d{1,15})-(\\d{1,15})");
    private static final Comparator<Position> ORDER =
            Comparator.comparingLong(Position::millis).thenComparingLong(Position::number);

    /** Parses an id; empty if it is none. */
    public static Optional<Position> parse(String text) {
        Matcher parts = TEXT.matcher(text);
        return parts.matches()
                ? Optional.of(new Position(Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2))))
                : Optional.empty();
    }

    /** Whether it comes after another one. */
    public boolean isAfter(Position other) {
        return compareTo(other) > 0;
    }

    @Override
    public int compareTo(Position other) {
        return ORDER.compare(this, other);
    }

    /** The id. */
    @Override
    public String toString() {
        return millis + "-" + number;
    }
}
