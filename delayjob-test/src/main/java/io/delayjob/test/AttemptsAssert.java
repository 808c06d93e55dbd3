package io.delayjob.test;

import io.delayjob.JobEvent;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says more of the attempts that ended in one way: each call keeps those it fits, and fails with a list of the attempts before it
 * if it fits none. Immutable.
 *
 * <p>Each method throws {@link AssertionError} if what it says is not so.
 */
public final class AttemptsAssert {

    private final Matches<JobEvent.OfAttempt> matches;

    AttemptsAssert(Matches<JobEvent.OfAttempt> matches) {
        this.matches = matches;
    }

    /**
     * It was an attempt at the job of this id.
     *
     * @param id the id
     * @return the attempts that fit
     */
    public AttemptsAssert withId(String id) {
        return that("with id '" + id + "'", attempt -> attempt.id().equals(id));
    }

    /**
     * The job was in this queue.
     *
     * @param queue the queue's name
     * @return the attempts that fit
     */
    public AttemptsAssert inQueue(String queue) {
        return that("in queue '" + queue + "'", attempt -> attempt.queue().equals(queue));
    }

    /**
     * It was this attempt at its job.
     *
     * @param attempt from 1
     * @return the attempts that fit
     */
    public AttemptsAssert inAttempt(int attempt) {
        return that("in attempt " + attempt, one -> one.attempt() == attempt);
    }

    /**
     * The attempt threw this.
     *
     * @param type the class of the exception or one above it
     * @return the attempts that fit
     */
    public AttemptsAssert withFailure(Class<? extends Throwable> type) {
        return that("with a failure of " + type.getName(), attempt -> type.isInstance(failure(attempt)));
    }

    /**
     * This is part of the reason: of what the attempt threw, with its class and message, or of why the job is dead.
     *
     * @param text part of it
     * @return the attempts that fit
     */
    public AttemptsAssert withReasonContaining(String text) {
        return that(
                "with a reason containing '" + text + "'",
                attempt -> reason(attempt).contains(text));
    }

    /**
     * As many attempts as this fit all that was said.
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

    /** An attempt for people. */
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
