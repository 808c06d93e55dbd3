package io.delayjob;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as it was in Redis at one moment. Times are by Redis' clock.
 *
 * @param schedule its definition, with its queue; the param has the type that the topic's bean or listener in this application takes, else it is made of
 *     maps, lists, texts, numbers and booleans
 * @param paused whether it is paused
 * @param nextAt its next instant, which may have passed if no node has served it yet; null if none follows
 * @param waits whether its next instant has come and waits for the occurrence before, as {@link Schedule#overlap} says
 * @param lastAt the last instant that was decided: it fired or was skipped; null before the first
 * @param fired how many occurrences it has stored
 * @param skipped how many instants were skipped
 * @param lastId the id of its last occurrence; null before the first
 * @param orphanSince since when no running application declares it, though one did with {@link RecurringDelayJob}; null if one does, or it was put
 *     otherwise. An application counts as gone three minutes after it declared it last
 * @param decisions its last 50 decisions, the latest last
 */
public record ScheduleSnapshot(
        Schedule schedule,
        boolean paused,
        @Nullable Instant nextAt,
        boolean waits,
        @Nullable Instant lastAt,
        long fired,
        long skipped,
        @Nullable String lastId,
        @Nullable Instant orphanSince,
        List<Decision> decisions) {

    /** Copies the decisions. */
    public ScheduleSnapshot {
        decisions = List.copyOf(decisions);
    }

    /**
     * The decision about an instant, or about several in a row that were skipped for one reason.
     *
     * @param instant the instant; of several, the last
     * @param instants how many
     * @param id the id of the occurrence, or of the job because of which the instant was skipped; null for none
     * @param skipped null if it fired, else why it was skipped: {@code OVERLAP} (the occurrence before was not over, and no more instants could
     *     wait for it), {@code CATCH_UP} (nobody served it in time, and it is not made up for), {@code WINDOW} (it was served later than the
     *     window), {@code PAUSED}, {@code EDITED} (it waited for the occurrence before when the schedule was changed), {@code EXISTS} (there was a
     *     job with its id), or {@code DEATHS} (as many occurrences in a row as {@link Schedule#pauseAfter} says were dead, and the schedule paused
     *     itself)
     */
    public record Decision(
            Instant instant,
            long instants,
            @Nullable String id,
            @Nullable String skipped) {}
}
