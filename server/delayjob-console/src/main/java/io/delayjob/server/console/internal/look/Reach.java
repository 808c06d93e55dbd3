package io.delayjob.server.console.internal.look;

import io.delayjob.redisson.history.Span;
import java.time.Duration;
import java.util.Arrays;

/**
 * How far back charts go: no further than something is known of, so that the first minutes of a server are not at the edge of empty hours.
 *
 * @param length the time
 * @param parts the number of equal parts that their axis has
 */
record Reach(Duration length, int parts) {

    /** Below this number of slots a line is too coarse. */
    private static final int LEAST_SLOTS = 6;

    private static final Reach[] REACHES = {
        new Reach(Duration.ofMinutes(5), 5),
        new Reach(Duration.ofMinutes(15), 3),
        new Reach(Duration.ofHours(1), 4),
        new Reach(Duration.ofHours(4), 4),
        new Reach(Duration.ofHours(24), 4),
        new Reach(Duration.ofDays(7), 7),
        new Reach(Duration.ofDays(28), 4)
    };

    /** The shortest one that has all slots of which something is known. */
    static Reach of(Span span, int known) {
        return Arrays.stream(REACHES)
                .filter(reach ->
                        reach.slots(span) >= Math.max(known, LEAST_SLOTS) || reach.length.equals(span.length()))
                .findFirst()
                .orElseThrow();
    }

    /** The shortest one that is not below an age; the longest if there is none. */
    static Reach over(Duration age) {
        return Arrays.stream(REACHES)
                .filter(reach -> reach.length.compareTo(age) >= 0)
                .findFirst()
                .orElse(REACHES[REACHES.length - 1]);
    }

    /** How many slots of a span it has. */
    int slots(Span span) {
        return (int) length.dividedBy(Duration.ofSeconds(span.seconds()));
    }
}
