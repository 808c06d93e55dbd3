package io.delayjob;

import java.time.Instant;
import java.time.LocalDateTime;

/**
 * One line of the preview of a {@link Schedule}: an instant, the local time that it stands for, and the effect of daylight saving.
 * Immutable.
 *
 * @param instant when the schedule runs; for one that is skipped, when it would have
 * @param localTime the local time of the expression that it stands for; one that is shifted or skipped may not exist
 * @param effect what a change of the clocks did to it
 */
public record ScheduleInstant(Instant instant, LocalDateTime localTime, Effect effect) {

    /** The effect of a change of the clocks on an instant. */
    public enum Effect {
        /** Nothing. */
        NONE,
        /** The local time does not exist: the schedule runs later by as much as the clocks are put forward. */
        SHIFTED,
        /** Nothing runs: the local time does not exist, or it exists twice and the schedule runs at the other instant. */
        SKIPPED,
        /** The local time exists twice, and the schedule runs at this instant. */
        REPEATED
    }

    /** {@return whether the schedule runs at this instant} */
    public boolean fires() {
        return effect != Effect.SKIPPED;
    }
}
