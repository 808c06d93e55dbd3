package io.delayjob;

import org.jspecify.annotations.Nullable;

/**
 * What became of an action on one job, as Redis decided it at that moment.
 *
 * @param done whether it was done
 * @param previous the state the job was in; null if there is no such job
 */
public record ActionResult(boolean done, @Nullable JobState previous) {

    /**
     * Checks that nothing is done to a job that does not exist.
     *
     * @throws IllegalArgumentException if it is said to be
     */
    public ActionResult {
        if (done && previous == null) {
            throw new IllegalArgumentException("an action that was done needs the previous state of the job");
        }
    }

    /** There is no such job: never submitted, or finished and no longer kept. */
    public static final ActionResult NO_SUCH_JOB = new ActionResult(false, null);

    /**
     * It was done.
     *
     * @param previous the state the job was in
     * @return the result
     */
    public static ActionResult done(JobState previous) {
        return new ActionResult(true, previous);
    }

    /**
     * The job is in a state for which there is no such action.
     *
     * @param state the state the job is in
     * @return the result
     */
    public static ActionResult refused(JobState state) {
        return new ActionResult(false, state);
    }

    @Override
    public String toString() {
        if (previous == null) {
            return "no such job";
        }
        return done ? "done, the job was " + previous : "refused, the job is " + previous;
    }
}
