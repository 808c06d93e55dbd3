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
 * Says more of submitted jobs: each call keeps those it fits, and fails with a list of the jobs before it if it fits none. So at
 * least one job fits all that was said; {@link #times} says how many do. Immutable.
 *
 * <p>Each method throws {@link AssertionError} if what it says is not so.
 *
 * @param <T> the type of the param
 */
public final class SubmittedJobsAssert<T> {

    private final Matches<SubmittedJob> matches;

    SubmittedJobsAssert(Matches<SubmittedJob> matches) {
        this.matches = matches;
    }

    /**
     * The job is given this.
     *
     * @param param compared with {@code equals} to the object that was submitted
     * @return the jobs that fit
     */
    public SubmittedJobsAssert<T> withParam(T param) {
        return that("with param " + param, job -> param.equals(job.param()));
    }

    /**
     * The job is given something of which this holds.
     *
     * @param requirements throws an {@link AssertionError} if it does not hold, as AssertJ's assertions do
     * @return the jobs that fit
     */
    public SubmittedJobsAssert<T> withParamSatisfying(Consumer<? super T> requirements) {
        return satisfying("with a param that satisfies the requirements", job -> requirements.accept(param(job)));
    }

    /** A class states the type of its jobs' params; for a topic it is Object. */
    @SuppressWarnings("unchecked")
    private T param(SubmittedJob job) {
        Object param = job.param();
        if (param == null) {
            throw new AssertionError("it has no param");
        }
        return (T) param;
    }

    /**
     * The job, as it stands after the submit, has this id.
     *
     * @param id the id
     * @return the jobs that fit
     */
    public SubmittedJobsAssert<T> withId(String id) {
        return that("with id '" + id + "'", job -> job.id().equals(id));
    }

    /**
     * The job went to this queue.
     *
     * @param queue the queue's name
     * @return the jobs that fit
     */
    public SubmittedJobsAssert<T> inQueue(String queue) {
        return that("in queue '" + queue + "'", job -> job.queue().equals(queue));
    }

    /**
     * The job was to be due so long after its submit.
     *
     * @param delay fractions of a millisecond are rounded up, as at the submit
     * @return the jobs that fit
     */
    public SubmittedJobsAssert<T> dueIn(Duration delay) {
        Duration rounded = Duration.ofMillis(Checks.ceilMillis(delay));
        return that("due in " + delay, job -> job.dueIn().equals(rounded));
    }

    /**
     * The job was to be due then.
     *
     * @param dueAt a time of the {@link VirtualClock}
     * @return the jobs that fit
     */
    public SubmittedJobsAssert<T> dueAt(Instant dueAt) {
        return that("due at " + dueAt, job -> job.dueAt().equals(dueAt));
    }

    /**
     * This header travels with the job.
     *
     * @param name the header's name
     * @param value its value
     * @return the jobs that fit
     */
    public SubmittedJobsAssert<T> withHeader(String name, String value) {
        return that(
                "with header " + name + "=" + value,
                job -> Objects.equals(job.headers().get(name), value));
    }

    /**
     * The submit led to this.
     *
     * @param outcome STORED for a new job
     * @return the jobs that fit
     */
    public SubmittedJobsAssert<T> withOutcome(SubmitResult.Outcome outcome) {
        return that("with outcome " + outcome, job -> job.outcome() == outcome);
    }

    /**
     * This holds of the submit, for what has no method here.
     *
     * @param requirements throws an {@link AssertionError} if it does not hold, as AssertJ's assertions do
     * @return the jobs that fit
     */
    public SubmittedJobsAssert<T> satisfying(Consumer<? super SubmittedJob> requirements) {
        return satisfying("satisfying the requirements", requirements);
    }

    /**
     * As many submits as this fit all that was said; those that added no job because of their id or their dedupe key count too.
     *
     * @param expected how many
     * @return the same jobs
     */
    public SubmittedJobsAssert<T> times(int expected) {
        matches.times(expected);
        return this;
    }

    /**
     * The submits that fit all that was said, in order.
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
