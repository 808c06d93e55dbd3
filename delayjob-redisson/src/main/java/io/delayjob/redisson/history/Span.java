package io.delayjob.redisson.history;

import java.time.Duration;

/** A part of the history: how far it reaches back, and how finely. It is a ring of slots, so that a new one takes the place of the oldest. */
public enum Span {
    /** The last five minutes, in slots of five seconds. */
    MINUTES(5, 60),
    /** The last four hours, in slots of a minute. */
    HOURS(60, 240),
    /** The last day, in slots of ten minutes. */
    DAY(600, 144);

    private final int seconds;
    private final int slots;

    Span(int seconds, int slots) {
        this.seconds = seconds;
        this.slots = slots;
    }

    /** How many seconds a slot has. */
    public int seconds() {
        return seconds;
    }

    /** How many slots there are. */
    public int slots() {
        return slots;
    }

    /** How far it reaches back. */
    public Duration length() {
        return Duration.ofSeconds((long) seconds * slots);
    }

    /**
     * The number of the slot of a moment; slots are counted from 1970.
     *
     * @param millis milliseconds since 1970, by Redis' clock
     */
    public long slot(long millis) {
        return Math.floorDiv(millis, 1000L * seconds);
    }
}
