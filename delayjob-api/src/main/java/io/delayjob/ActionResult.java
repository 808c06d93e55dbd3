package io.delayjob;

import org.jspecify.annotations.Nullable;

/**
 * The result of an action on one job, as Redis decided it at that moment.
 *
 * @param done whether the action was done
 * @param previous the state the job was in; null if there is no such job
 */
public record ActionResult(boolean done, @Nullable JobState previous) {

    /**
     * Checks that an action which was done has a previous state.
     *
     * @throws IllegalArgumentException if {@code done} is true and {@code previous} is null
     */
    public ActionResult {
        if (done && previous == null) {
            throw new IllegalArgumentException("an action that was done needs the previous state of the job");
        }
    }

    /** There is no such job: never submitted, or finished and no longer kept. */
    public static final ActionResult NO_SUCH_JOB = new ActionResult(false, null);

    /**
     * The action was done.
     *
     * @param previous the state the job was in
     * @return the result
     */
    public static ActionResult done(JobState previous) {
        return new ActionResult(true, previous);
    }

    /**
     * The action is not possible in the job's state.
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
