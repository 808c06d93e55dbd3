package io.delayjob.test;

import io.delayjob.DelayJob;
import io.delayjob.JobEvent;
import java.util.List;
import java.util.function.Predicate;

/**
 * Records the submits and attempts of a test, and asserts on them. Empty at the start of each test method. A bean in the context of
 * a {@link DelayJobTest}; thread-safe.
 *
 * <p>A job that fails does not fail the test, as it does not fail its submitter in production: it is retried, and dead after its
 * last attempt. {@link #assertNoneFailed()} checks that none did. A submit that waits for the commit of a transaction is recorded
 * after the commit; the transaction of a {@code @Transactional} test is rolled back by Spring and never commits.
 */
public final class SubmittedJobs {

    private final Recording recording;

    SubmittedJobs(Recording recording) {
        this.recording = recording;
    }

    /**
     * Every submit that was answered, in the order of the answers, whatever the outcome.
     *
     * @return a copy
     */
    public List<SubmittedJob> all() {
        return recording.submitted();
    }

    /**
     * All events of jobs, in order.
     *
     * @return a copy
     */
    public List<JobEvent> events() {
        return recording.events();
    }

    /**
     * Asserts that at least one job of a class was submitted.
     *
     * @param jobClass the class that runs it
     * @param <T> the type of its param
     * @return further assertions on these
     * @throws AssertionError if there is none
     */
    public <T> SubmittedJobsAssert<T> assertSubmitted(Class<? extends DelayJob<T>> jobClass) {
        return new SubmittedJobsAssert<>(submitted(JobNames.of(jobClass)));
    }

    /**
     * Asserts that at least one job of a topic was submitted.
     *
     * @param topic a listener's topic, or the stored name of a {@link DelayJob}
     * @return further assertions on these
     * @throws AssertionError if there is none
     */
    public SubmittedJobsAssert<Object> assertSubmitted(String topic) {
        return new SubmittedJobsAssert<>(submitted(topic));
    }

    private Matches<SubmittedJob> submitted(String name) {
        return matches(all()).that(JobNames.display(name), job -> job.job().equals(name));
    }

    private Matches<SubmittedJob> matches(List<SubmittedJob> jobs) {
        int deferred = recording.deferred();
        String hint = deferred == 0
                ? ""
                : "\nNot among them: " + deferred + " whose submit waits for the commit of its transaction.";
        return new Matches<>("submitted jobs", jobs, List.of(), SubmittedJob::toString, hint);
    }

    /**
     * Asserts that no job of a class was submitted.
     *
     * @param jobClass the class that would run it
     * @throws AssertionError if there is one
     */
    public void assertNotSubmitted(Class<? extends DelayJob<?>> jobClass) {
        assertNotSubmitted(JobNames.of(jobClass));
    }

    /**
     * Asserts that no job of a topic was submitted.
     *
     * @param topic a listener's topic, or the stored name of a {@link DelayJob}
     * @throws AssertionError if there is one
     */
    public void assertNotSubmitted(String topic) {
        matches(all().stream().filter(job -> job.job().equals(topic)).toList())
                .none("Expected no submitted job to be " + JobNames.display(topic));
    }

    /**
     * Asserts that no job was submitted.
     *
     * @throws AssertionError if one was
     */
    public void assertNothingSubmitted() {
        matches(all()).none("Expected no submitted jobs");
    }

    /**
     * Asserts that at least one attempt at a job of a class succeeded.
     *
     * @param jobClass the class that ran it
     * @return further assertions on these
     * @throws AssertionError if there is none
     */
    public AttemptsAssert assertCompleted(Class<? extends DelayJob<?>> jobClass) {
        return assertCompleted(JobNames.of(jobClass));
    }

    /**
     * Asserts that at least one attempt at a job of a topic succeeded.
     *
     * @param topic a listener's topic, or the stored name of a {@link DelayJob}
     * @return further assertions on these
     * @throws AssertionError if there is none
     */
    public AttemptsAssert assertCompleted(String topic) {
        return attempts("attempts that succeeded", JobEvent.Completed.class::isInstance, topic);
    }

    /**
     * Asserts that at least one attempt at a job of a class failed and is followed by another one.
     *
     * @param jobClass the class that ran it
     * @return further assertions on these
     * @throws AssertionError if there is none
     */
    public AttemptsAssert assertRetried(Class<? extends DelayJob<?>> jobClass) {
        return assertRetried(JobNames.of(jobClass));
    }

    /**
     * Asserts that at least one attempt at a job of a topic failed and is followed by another one.
     *
     * @param topic a listener's topic, or the stored name of a {@link DelayJob}
     * @return further assertions on these
     * @throws AssertionError if there is none
     */
    public AttemptsAssert assertRetried(String topic) {
        return attempts("attempts that led to another one", JobEvent.Retried.class::isInstance, topic);
    }

    /**
     * Asserts that at least one job of a class is dead.
     *
     * @param jobClass the class that ran it
     * @return further assertions on their last attempts
     * @throws AssertionError if there is none
     */
    public AttemptsAssert assertDead(Class<? extends DelayJob<?>> jobClass) {
        return assertDead(JobNames.of(jobClass));
    }

    /**
     * Asserts that at least one job of a topic is dead.
     *
     * @param topic a listener's topic, or the stored name of a {@link DelayJob}
     * @return further assertions on their last attempts
     * @throws AssertionError if there is none
     */
    public AttemptsAssert assertDead(String topic) {
        return attempts("jobs that died", JobEvent.Buried.class::isInstance, topic);
    }

    private AttemptsAssert attempts(String what, Predicate<JobEvent> ended, String name) {
        Matches<JobEvent.OfAttempt> matches =
                new Matches<>(what, attempts(ended), List.of(), AttemptsAssert::shown, otherwise(ended, name));
        return new AttemptsAssert(matches.that(JobNames.display(name), attempt -> name.equals(attempt.job())));
    }

    /** How the other attempts at the job ended. */
    private String otherwise(Predicate<JobEvent> ended, String name) {
        List<JobEvent.OfAttempt> others = attempts(event -> isEnd(event) && !ended.test(event)).stream()
                .filter(attempt -> name.equals(attempt.job()))
                .toList();
        return others.isEmpty()
                ? "\nNo attempt at " + JobNames.display(name) + " was made: jobs run when the clock is moved."
                : "\nThe attempts at " + JobNames.display(name) + ":" + Matches.list(others, AttemptsAssert::shown);
    }

    private static boolean isEnd(JobEvent event) {
        return event instanceof JobEvent.OfAttempt
                && !(event instanceof JobEvent.Claimed || event instanceof JobEvent.Renewed);
    }

    private List<JobEvent.OfAttempt> attempts(Predicate<JobEvent> ended) {
        return events().stream()
                .filter(ended)
                .map(JobEvent.OfAttempt.class::cast)
                .toList();
    }

    /**
     * Asserts that no attempt at any job failed.
     *
     * @throws AssertionError if one did; its cause is what the first of them threw
     */
    public void assertNoneFailed() {
        List<JobEvent.OfAttempt> failed =
                attempts(event -> event instanceof JobEvent.Retried || event instanceof JobEvent.Buried);
        try {
            new Matches<>("attempts", failed, List.of(), AttemptsAssert::shown, "").none("Expected no attempt to fail");
        } catch (AssertionError e) {
            e.initCause(AttemptsAssert.failure(failed.get(0)));
            throw e;
        }
    }
}
