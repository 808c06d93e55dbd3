package io.delayjob.test;

import io.delayjob.JobEvent;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Asserts on the attempts that ended in one way: each call keeps the attempts that match, and if none does, fails with a list of
 * the attempts it was applied to. Immutable.
 *
 * <p>Each method throws {@link AssertionError} if no attempt matches; {@link #times} if another number does.
 */
public final class AttemptsAssert {

    private final Matches<JobEvent.OfAttempt> matches;

    AttemptsAssert(Matches<JobEvent.OfAttempt> matches) {
        this.matches = matches;
    }

    /**
     * Keeps the attempts at the job with this id.
     *
     * @param id the id
     * @return the attempts that match
     */
    public AttemptsAssert withId(String id) {
        return that("with id '" + id + "'", attempt -> attempt.id().equals(id));
    }

    /**
     * Keeps the attempts at jobs of this queue.
     *
     * @param queue the queue's name
     * @return the attempts that match
     */
    public AttemptsAssert inQueue(String queue) {
        return that("in queue '" + queue + "'", attempt -> attempt.queue().equals(queue));
    }

    /**
     * Keeps the attempts with this number.
     *
     * @param attempt from 1
     * @return the attempts that match
     */
    public AttemptsAssert inAttempt(int attempt) {
        return that("in attempt " + attempt, one -> one.attempt() == attempt);
    }

    /**
     * Keeps the attempts that threw this.
     *
     * @param type the class of the exception, or a superclass
     * @return the attempts that match
     */
    public AttemptsAssert withFailure(Class<? extends Throwable> type) {
        return that("with a failure of " + type.getName(), attempt -> type.isInstance(failure(attempt)));
    }

    /**
     * Keeps the attempts whose reason contains this: the class and message of what the attempt threw, or why the job is dead.
     *
     * @param text a part of the reason
     * @return the attempts that match
     */
    public AttemptsAssert withReasonContaining(String text) {
        return that(
                "with a reason containing '" + text + "'",
                attempt -> reason(attempt).contains(text));
    }

    /**
     * Asserts how many attempts match everything so far.
     *
     * @param expected how many
     * @return the same attempts
     */
    public AttemptsAssert times(int expected) {
        matches.times(expected);
        return this;
    }

    private AttemptsAssert that(String description, Predicate<JobEvent.OfAttempt> fits) {
        return new AttemptsAssert(matches.that(description, fits));
    }

    /** Formats an attempt for a message. */
    static String shown(JobEvent.OfAttempt attempt) {
        String ended = attempt.getClass().getSimpleName();
        String reason = reason(attempt)
                .lines()
                .takeWhile(line -> !line.startsWith("\tat "))
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining(" "));
        return JobNames.display(String.valueOf(attempt.job())) + " '" + attempt.id() + "' in queue '" + attempt.queue()
                + "', " + "attempt " + attempt.attempt() + ": " + ended + (reason.isEmpty() ? "" : ", " + reason);
    }

    static @Nullable Throwable failure(JobEvent attempt) {
        if (attempt instanceof JobEvent.Retried retried) {
            return retried.failure();
        }
        return attempt instanceof JobEvent.Buried buried ? buried.failure() : null;
    }

    private static String reason(JobEvent attempt) {
        if (attempt instanceof JobEvent.Retried retried) {
            return retried.failure().toString();
        }
        return attempt instanceof JobEvent.Buried buried ? buried.reason() : "";
    }
}
