package io.delayjob.test;

import io.delayjob.SubmitResult;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Asserts on submitted jobs: each call keeps the jobs that match, and if none does, fails with a list of the jobs it was applied
 * to. So at least one job matches the whole chain; {@link #times} asserts how many do. Immutable.
 *
 * <p>Each method throws {@link AssertionError} if no job matches; {@link #times} if another number does.
 *
 * @param <T> the type of the param
 */
public final class SubmittedJobsAssert<T> {

    private final Matches<SubmittedJob> matches;

    SubmittedJobsAssert(Matches<SubmittedJob> matches) {
        this.matches = matches;
    }

    /**
     * Keeps the jobs with this param.
     *
     * @param param compared with {@code equals} to the object that was submitted
     * @return the jobs that match
     */
    public SubmittedJobsAssert<T> withParam(T param) {
        return that("with param " + param, job -> param.equals(job.param()));
    }

    /**
     * Keeps the jobs whose param satisfies these requirements.
     *
     * @param requirements throws an {@link AssertionError} if it does not hold, as AssertJ's assertions do
     * @return the jobs that match
     */
    public SubmittedJobsAssert<T> withParamSatisfying(Consumer<? super T> requirements) {
        return satisfying("with a param that satisfies the requirements", job -> requirements.accept(param(job)));
    }

    /** A job class declares the type of its param; for a topic it is Object. */
    @SuppressWarnings("unchecked")
    private T param(SubmittedJob job) {
        Object param = job.param();
        if (param == null) {
            throw new AssertionError("it has no param");
        }
        return (T) param;
    }

    /**
     * Keeps the submits that returned this id.
     *
     * @param id the id
     * @return the jobs that match
     */
    public SubmittedJobsAssert<T> withId(String id) {
        return that("with id '" + id + "'", job -> job.id().equals(id));
    }

    /**
     * Keeps the jobs of this queue.
     *
     * @param queue the queue's name
     * @return the jobs that match
     */
    public SubmittedJobsAssert<T> inQueue(String queue) {
        return that("in queue '" + queue + "'", job -> job.queue().equals(queue));
    }

    /**
     * Keeps the jobs that were submitted to be due after this time.
     *
     * @param delay the time from the submit to the due time; fractions of a millisecond are rounded up, as in a submit
     * @return the jobs that match
     */
    public SubmittedJobsAssert<T> dueIn(Duration delay) {
        Duration rounded = Duration.ofMillis(Checks.ceilMillis(delay));
        return that("due in " + delay, job -> job.dueIn().equals(rounded));
    }

    /**
     * Keeps the jobs that were submitted to be due at this time.
     *
     * @param dueAt a time of the {@link VirtualClock}
     * @return the jobs that match
     */
    public SubmittedJobsAssert<T> dueAt(Instant dueAt) {
        return that("due at " + dueAt, job -> job.dueAt().equals(dueAt));
    }

    /**
     * Keeps the jobs of this priority.
     *
     * @param priority that of the request, else of its class or listener, else the usual one
     * @return the jobs that match
     */
    public SubmittedJobsAssert<T> withPriority(int priority) {
        return that("with priority " + priority, job -> job.priority() == priority);
    }

    /**
     * Keeps the jobs with this key.
     *
     * @param key the key
     * @return the jobs that match
     */
    public SubmittedJobsAssert<T> withKey(String key) {
        return that("with key '" + key + "'", job -> key.equals(job.key()));
    }

    /**
     * Keeps the jobs with this header.
     *
     * @param name the header's name
     * @param value its value
     * @return the jobs that match
     */
    public SubmittedJobsAssert<T> withHeader(String name, String value) {
        return that(
                "with header " + name + "=" + value,
                job -> Objects.equals(job.headers().get(name), value));
    }

    /**
     * Keeps the submits with this outcome.
     *
     * @param outcome STORED for a new job
     * @return the jobs that match
     */
    public SubmittedJobsAssert<T> withOutcome(SubmitResult.Outcome outcome) {
        return that("with outcome " + outcome, job -> job.outcome() == outcome);
    }

    /**
     * Keeps the submits that satisfy these requirements, for everything that has no method here.
     *
     * @param requirements throws an {@link AssertionError} if it does not hold, as AssertJ's assertions do
     * @return the jobs that match
     */
    public SubmittedJobsAssert<T> satisfying(Consumer<? super SubmittedJob> requirements) {
        return satisfying("satisfying the requirements", requirements);
    }

    /**
     * Asserts how many submits match everything so far, including those that added no job because of their id or dedupe key.
     *
     * @param expected how many
     * @return the same jobs
     */
    public SubmittedJobsAssert<T> times(int expected) {
        matches.times(expected);
        return this;
    }

    /**
     * The submits that match everything so far, in order.
     *
     * @return at least one
     */
    public List<SubmittedJob> all() {
        return matches.left();
    }

    private SubmittedJobsAssert<T> that(String description, Predicate<SubmittedJob> fits) {
        return new SubmittedJobsAssert<>(matches.that(description, fits));
    }

    private SubmittedJobsAssert<T> satisfying(String description, Consumer<? super SubmittedJob> requirements) {
        AssertionError[] last = new AssertionError[1];
        try {
            return that(description, job -> {
                last[0] = failure(job, requirements);
                return last[0] == null;
            });
        } catch (AssertionError e) {
            e.initCause(last[0]);
            throw e;
        }
    }

    private static @Nullable AssertionError failure(SubmittedJob job, Consumer<? super SubmittedJob> requirements) {
        try {
            requirements.accept(job);
            return null;
        } catch (AssertionError e) {
            return e;
        }
    }
}
