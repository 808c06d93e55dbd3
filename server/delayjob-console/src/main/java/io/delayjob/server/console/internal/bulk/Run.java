package io.delayjob.server.console.internal.bulk;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An action on many jobs that goes on in the background. Immutable.
 *
 * @param id names it
 * @param who the caller who began it
 * @param action the action: redrive, run-now, reschedule, cancel, purge, or undo
 * @param filter which jobs, as in the search box
 * @param fault the key of the fault that the jobs must have; null for all
 * @param group the text of that fault; null for all
 * @param queues the queues they are in
 * @param delayMillis when they are to be due, in milliseconds from the moment each is acted on; null unless they are rescheduled
 * @param undoes the run whose jobs get back the due times that they had; null if this one acts on a filter
 * @param perSecond how many a second
 * @param expected how many there were when it began
 * @param most how many are acted on at most: the number shown to the caller before it began; null for all, counted or not
 * @param state how it is
 * @param examined how many were looked at
 * @param done how many were acted on
 * @param skipped how many were no longer in that state
 * @param begunAt when it began, by the clock of its server
 * @param updatedAt when its server last said how far it is
 * @param failure why it ended early; null if it did not
 */
public record Run(
        String id,
        String who,
        String action,
        String filter,
        @Nullable String fault,
        @Nullable String group,
        List<String> queues,
        @Nullable Long delayMillis,
        @Nullable String undoes,
        int perSecond,
        long expected,
        @Nullable Long most,
        State state,
        long examined,
        long done,
        long skipped,
        Instant begunAt,
        Instant updatedAt,
        @Nullable String failure) {

    static final String UNDO = "undo";

    private static final Duration SILENT = Duration.ofSeconds(20);

    /** Copies the list. */
    public Run {
        queues = queues == null ? List.of() : List.copyOf(queues);
    }

    /** How a run is. */
    public enum State {
        /** It acts. */
        RUNNING,
        /** It waits for somebody to let it go on. */
        PAUSED,
        /** It has come to its end. */
        DONE,
        /** Somebody ended it. */
        ABORTED,
        /** It ended early. */
        FAILED,
        /** Its server is gone. */
        LOST
    }

    Run at(State newState, long newExamined, long newDone, long newSkipped, @Nullable String why) {
        return new Run(
                id,
                who,
                action,
                filter,
                fault,
                group,
                queues,
                delayMillis,
                undoes,
                perSecond,
                expected,
                most,
                newState,
                newExamined,
                newDone,
                newSkipped,
                begunAt,
                Instant.now(),
                why);
    }

    /** The same, noticing that its server has said nothing for too long. */
    Run seen() {
        return isOver() || updatedAt.isAfter(Instant.now().minus(SILENT))
                ? this
                : at(State.LOST, examined, done, skipped, failure);
    }

    /** Which jobs, as people name them. */
    public String jobs() {
        return group == null ? filter : filter + " · " + group;
    }

    /** The queue; empty if there are several. */
    String queue() {
        return queues.size() == 1 ? queues.get(0) : "";
    }

    /** The queue, if it is one; else how many there are. */
    public String where() {
        return queues.size() == 1 ? queue() : queues.size() + " queues";
    }

    /** Whether its jobs can be given back the due times that they had. */
    public boolean mayBeUndone() {
        return isOver() && done > 0 && (action.equals("reschedule") || action.equals("run-now"));
    }

    /** How many of those that were expected it did not come to any more, because they had left the state meanwhile; 0 before its end. */
    public long gone() {
        return state == State.DONE ? Math.max(0, expected - done - skipped) : 0;
    }

    /** Whether nothing more happens. */
    public boolean isOver() {
        return state != State.RUNNING && state != State.PAUSED;
    }

    /** How far it is, in percent of what was expected. */
    public long percent() {
        return state == State.DONE ? 100 : Math.min(99, expected == 0 ? 0 : 100 * (done + skipped) / expected);
    }
}
