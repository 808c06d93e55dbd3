package io.delayjob;

import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A recurring job: at which instants it runs, what runs then, and what happens if the run before is not over or an instant was
 * missed. Each run, an occurrence, is an ordinary job. Immutable; each {@code with…} method returns a changed copy.
 *
 * <pre>{@code
 * Schedule.cron("nightly-report", "report", "0 0 3 * * *").withZone("Europe/Berlin").withParam(new Report("sales"))
 * }</pre>
 *
 * @param name the schedule's name, 1 to 128 characters without control characters
 * @param queue the queue of its jobs, 1 to 64 of {@code A-Z a-z 0-9 . _ -}; null for the queue of the listener in this application,
 *     or the default queue if it has none
 * @param topic the name of what runs: a {@link DelayJobListener}'s topic or the stored name of a {@link DelayJob}
 * @param param the parameter of each job, stored as JSON; null for none
 * @param timing at which instants it runs
 * @param overlap what happens at an instant if the occurrence before is not over: it waits, runs or is being retried
 * @param catchUp which of the instants that nobody could serve in time are made up for
 * @param window how long after its instant an occurrence can be made up for, at least 10 s
 * @param pauseAfter how many occurrences in a row may be dead before the schedule pauses itself; 0 for any number
 * @param revision the definition with the higher number wins where two releases of an application differ; at least 0
 * @param options how each job is tried, which others it excludes, and how people find it
 * @param headers text that is stored with each job; at most 100 headers, see {@link #withHeaders}
 */
public record Schedule(
        String name,
        @Nullable String queue,
        String topic,
        @Nullable Object param,
        ScheduleTiming timing,
        Overlap overlap,
        CatchUp catchUp,
        Duration window,
        int pauseAfter,
        int revision,
        JobOptions options,
        Map<String, String> headers) {

    /** The shortest window: long enough for a restart of a node. */
    public static final Duration SHORTEST_WINDOW = Duration.ofSeconds(10);

    /** How late an instant may be served and still be in time: a change of the node that fires, or a failover of Redis, takes less. */
    public static final Duration IN_TIME = Duration.ofMinutes(1);

    /** How many instants wait at most where all of them do: of more, the earliest are skipped. */
    public static final int MOST_BUFFERED = 1000;

    /** The window of a schedule that has none of its own: a day. */
    public static final Duration DEFAULT_WINDOW = Duration.ofHours(24);

    /** The policy for an instant whose occurrence before is not over: it waits, runs or is being retried. */
    public enum Overlap {
        /** Nothing runs at this instant. */
        SKIP,
        /** It waits, and runs within about a second once the one before is over. One instant waits: a later one takes its place. */
        BUFFER_ONE,
        /** It waits as with {@link #BUFFER_ONE}, together with all that come after it, at most {@link #MOST_BUFFERED}; they run one after the other. */
        BUFFER_ALL,
        /** The occurrence before is cancelled, and interrupted if it runs; this one takes its place. */
        CANCEL_OTHER,
        /** Both run. */
        ALLOW
    }

    /** The policy for missed instants, which nobody could serve in time: which of those inside the window are made up for. */
    public enum CatchUp {
        /** The last one. */
        LAST,
        /** None. */
        NONE,
        /** All, in their order. */
        ALL
    }

    /**
     * Checks every value; see {@link #cron} and {@link #every} for the usual ways to make a schedule.
     *
     * @throws IllegalArgumentException if a value is out of range; the message names it
     */
    public Schedule {
        Checks.scheduleName(name);
        Checks.ifGiven(queue, Checks::queue);
        Checks.jobName(topic);
        Checks.notNull(timing, "timing");
        Checks.notNull(overlap, "overlap");
        Checks.notNull(catchUp, "catchUp");
        Checks.positive(window, "window");
        if (window.compareTo(SHORTEST_WINDOW) < 0) {
            throw new IllegalArgumentException("window must be at least " + SHORTEST_WINDOW
                    + ", or an occurrence is given up while a node restarts; use catchUp NONE to make up for nothing: "
                    + window);
        }
        Checks.zeroOrMore(pauseAfter, "pauseAfter");
        Checks.zeroOrMore(revision, "revision");
        Checks.notNull(options, "options");
        headers = Checks.headers(headers);
    }

    /**
     * A schedule by a cron expression, in UTC unless {@link #withZone} names another zone.
     *
     * @param name 1 to 128 characters without control characters
     * @param topic a listener's topic, or the stored name of a {@link DelayJob}
     * @param cron six fields, or five without the seconds, or a macro; see {@link ScheduleTiming#cron}
     * @return the schedule
     * @throws IllegalArgumentException if one is null or malformed, or the expression never fires
     */
    public static Schedule cron(String name, String topic, String cron) {
        return of(name, topic, ScheduleTiming.cron(cron));
    }

    /**
     * A schedule at a fixed distance, which daylight saving does not change.
     *
     * @param name 1 to 128 characters without control characters
     * @param topic a listener's topic, or the stored name of a {@link DelayJob}
     * @param every at least 1 s, in whole milliseconds; see {@link ScheduleTiming#every}
     * @return the schedule
     * @throws IllegalArgumentException if one is null, malformed or too short
     */
    public static Schedule every(String name, String topic, Duration every) {
        return of(name, topic, ScheduleTiming.every(every));
    }

    private static Schedule of(String name, String topic, ScheduleTiming timing) {
        return new Schedule(
                name,
                null,
                topic,
                null,
                timing,
                Overlap.SKIP,
                CatchUp.LAST,
                DEFAULT_WINDOW,
                0,
                0,
                JobOptions.NONE,
                Map.of());
    }

    /**
     * On a queue of the caller's choice.
     *
     * @param newQueue 1 to 64 of {@code A-Z a-z 0-9 . _ -}
     */
    public Schedule withQueue(String newQueue) {
        Checks.queue(newQueue);
        return copy(newQueue, param, timing, overlap, catchUp, window, pauseAfter, revision, options, headers);
    }

    /**
     * With a parameter.
     *
     * @param newParam stored as JSON; null for none
     */
    public Schedule withParam(@Nullable Object newParam) {
        return copy(queue, newParam, timing, overlap, catchUp, window, pauseAfter, revision, options, headers);
    }

    /**
     * At other instants.
     *
     * @param newTiming the instants
     */
    public Schedule withTiming(ScheduleTiming newTiming) {
        return copy(queue, param, newTiming, overlap, catchUp, window, pauseAfter, revision, options, headers);
    }

    /**
     * By the clocks of a zone.
     *
     * @param newZone such as {@code Europe/Berlin}
     * @throws IllegalArgumentException if there is no such zone, or the cron expression never fires there
     */
    public Schedule withZone(String newZone) {
        return withTiming(timing.withZone(newZone));
    }

    /**
     * By the clocks of a zone.
     *
     * @param newZone the zone
     * @throws IllegalArgumentException if the cron expression never fires there
     */
    public Schedule withZone(ZoneId newZone) {
        return withTiming(timing.withZone(newZone));
    }

    /**
     * With each occurrence up to this much later, by a fixed amount for each instant.
     *
     * @param newJitter zero or more
     */
    public Schedule withJitter(Duration newJitter) {
        return withTiming(timing.withJitter(newJitter));
    }

    /**
     * With this policy for an occurrence that meets the one before.
     *
     * @param newOverlap the policy
     */
    public Schedule withOverlap(Overlap newOverlap) {
        return copy(queue, param, timing, newOverlap, catchUp, window, pauseAfter, revision, options, headers);
    }

    /**
     * With this policy for instants that nobody could serve in time.
     *
     * @param newCatchUp the policy
     */
    public Schedule withCatchUp(CatchUp newCatchUp) {
        return copy(queue, param, timing, overlap, newCatchUp, window, pauseAfter, revision, options, headers);
    }

    /**
     * With this much time to make up for an occurrence.
     *
     * @param newWindow at least 10 s
     */
    public Schedule withWindow(Duration newWindow) {
        return copy(queue, param, timing, overlap, catchUp, newWindow, pauseAfter, revision, options, headers);
    }

    /**
     * With this many occurrences in a row that may be dead: after the last of them the schedule pauses itself, at its next instant, and
     * says so among its decisions. An occurrence that ends otherwise begins the count again.
     *
     * @param newPauseAfter zero or more; 0 for any number
     */
    public Schedule withPauseAfter(int newPauseAfter) {
        return copy(queue, param, timing, overlap, catchUp, window, newPauseAfter, revision, options, headers);
    }

    /**
     * With a number that says which of two definitions is newer.
     *
     * @param newRevision at least 0
     */
    public Schedule withRevision(int newRevision) {
        return copy(queue, param, timing, overlap, catchUp, window, pauseAfter, newRevision, options, headers);
    }

    /**
     * With all of these options of its jobs in place of its own.
     *
     * @param newOptions the options
     */
    public Schedule withOptions(JobOptions newOptions) {
        return copy(queue, param, timing, overlap, catchUp, window, pauseAfter, revision, newOptions, headers);
    }

    /**
     * With these headers of its jobs in place of the current ones.
     *
     * @param newHeaders at most 100; names of at most 256 characters, values of at most 8192, and at most 65,536 characters in
     *     total
     */
    public Schedule withHeaders(Map<String, String> newHeaders) {
        return copy(queue, param, timing, overlap, catchUp, window, pauseAfter, revision, options, newHeaders);
    }

    /**
     * With one more header of its jobs, or a new value for an existing one.
     *
     * @param headerName at most 256 characters
     * @param value at most 8192 characters; for the total of all headers see {@link #withHeaders}
     */
    public Schedule withHeader(String headerName, String value) {
        Map<String, String> all = new HashMap<>(headers);
        all.put(headerName, value);
        return withHeaders(all);
    }

    /** The schedule without its param and headers, which may be secret. */
    @Override
    public String toString() {
        return "Schedule[name=" + name + ", queue=" + queue + ", topic=" + topic + ", timing=" + timing + "]";
    }

    private Schedule copy(
            @Nullable String newQueue,
            @Nullable Object newParam,
            ScheduleTiming newTiming,
            Overlap newOverlap,
            CatchUp newCatchUp,
            Duration newWindow,
            int newPauseAfter,
            int newRevision,
            JobOptions newOptions,
            Map<String, String> newHeaders) {
        return new Schedule(
                name,
                newQueue,
                topic,
                newParam,
                newTiming,
                newOverlap,
                newCatchUp,
                newWindow,
                newPauseAfter,
                newRevision,
                newOptions,
                newHeaders);
    }
}
