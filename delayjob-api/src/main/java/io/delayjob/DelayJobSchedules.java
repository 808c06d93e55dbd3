package io.delayjob;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Recurring jobs: stores schedules and acts on them. A schedule fires once at each of its instants, whichever nodes are alive: its occurrence
 * is an ordinary job. A bean; thread-safe. Each method but {@link #preview} waits for Redis.
 *
 * <p>A schedule fires while a node runs the jobs of its queue, or workers elsewhere claim them. Instants that pass without such a node are made
 * up for as {@link Schedule#catchUp} says.
 *
 * <p>A method that waits throws a {@link DelayJobException} if Redis does not answer; it can then be called again.
 */
public interface DelayJobSchedules {

    /** The header of an occurrence that has the name of its schedule. */
    String SCHEDULE_HEADER = "delayjob-schedule";

    /** The header of an occurrence that has its instant, such as {@code 2030-01-31T03:00:00Z}; see {@link JobExecution#scheduledFor}. */
    String INSTANT_HEADER = "delayjob-scheduled-for";

    /**
     * Stores a schedule, or changes the one with its name. The same definition again changes nothing. After a change the next instant is the
     * first one later than now and than the last that was decided; occurrences that are stored stay as they are. A paused schedule
     * stays paused.
     *
     * @param schedule the schedule; if it names no queue, it gets that of its topic's bean or listener in this application, else the default
     *     queue
     * @return the schedule as it is stored
     * @throws IllegalArgumentException if it has a dedupe key, its param cannot be written as JSON, it has more than 131,072 characters with
     *     its param and headers, or its headers leave no room for those of an occurrence
     */
    ScheduleSnapshot put(Schedule schedule);

    /**
     * Reads a schedule.
     *
     * @param name its name
     * @return the schedule; empty if there is none
     * @throws IllegalArgumentException if this node cannot read its definition; it can still be removed, paused and replaced
     */
    Optional<ScheduleSnapshot> find(String name);

    /**
     * Looks up the queue of a schedule, also of one whose definition this node cannot read.
     *
     * @param name its name
     * @return its queue; empty if there is no such schedule
     */
    default Optional<String> queueOf(String name) {
        return find(name).map(one -> one.schedule().queue());
    }

    /**
     * Reads all schedules.
     *
     * @return those of all queues, by name
     */
    List<ScheduleSnapshot> list();

    /**
     * Counts all schedules, without reading them.
     *
     * @return how many names are taken, in all queues
     */
    int count();

    /**
     * Removes a schedule. Occurrences that are stored stay: they are jobs, and can be cancelled as such.
     *
     * @param name its name
     * @return false if there is none
     */
    boolean remove(String name);

    /**
     * Pauses a schedule: it does not fire until it is resumed. Occurrences that are stored still run.
     *
     * @param name its name
     * @return false if there is none
     */
    boolean pause(String name);

    /**
     * Resumes a schedule. Instants of the pause are skipped.
     *
     * @param name its name
     * @return false if there is none
     */
    boolean resume(String name);

    /**
     * Submits an extra occurrence, due now. It does not change when the schedule fires, and does not count for its overlap.
     *
     * @param name the schedule
     * @return the submit of its job; empty if there is no such schedule
     */
    Optional<SubmitResult> trigger(String name);

    /**
     * Makes up for instants that have passed: submits an occurrence for each, whatever was decided about it. This changes neither the next
     * instant nor the counts of the schedule, and the occurrences do not count for its overlap.
     *
     * <p>An instant whose occurrence exists and is not finished gets no second one, so that a backfill which failed can be repeated while its jobs wait;
     * those that have finished would run again.
     *
     * @param name the schedule
     * @param from the first time
     * @param to the time before which instants are made up for; those that the schedule has yet to decide are left to it
     * @param perSecond how many of the occurrences are due in each second from now, in the order of their instants, 1 to 1,000,000
     * @param dryRun whether to count only
     * @return the instants; empty if there is no such schedule
     * @throws IllegalArgumentException if {@code from} is not before {@code to}, {@code perSecond} is out of range, or there are more than
     *     100,000 instants, or 1,000,000 in a dry run
     */
    Optional<ScheduleBackfill> backfill(String name, Instant from, Instant to, int perSecond, boolean dryRun);

    /**
     * Explains why a schedule fires or does not.
     *
     * @param name its name
     * @return the explanation, also if there is no such schedule
     */
    ScheduleExplanation explain(String name);

    /**
     * Computes the next instants of a schedule, which need not be stored. Asks Redis for nothing.
     *
     * @param schedule the schedule
     * @param count how many, 1 to 1000
     * @return the first ones later than now, with those at which daylight saving lets nothing run
     * @throws IllegalArgumentException if the count is out of range
     */
    default List<ScheduleInstant> preview(Schedule schedule, int count) {
        if (count > 1000) {
            throw new IllegalArgumentException("count must be at most 1000; ask for further instants later: " + count);
        }
        return ScheduleInstants.of(schedule).preview(Instant.now(), count);
    }
}
