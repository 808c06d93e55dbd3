package io.delayjob.test;

/** When the jobs that a test's code submits are run. A test may change it for itself with {@link WithDelayJobMode}. */
public enum DelayJobMode {

    /** When the test moves the {@link VirtualClock}. */
    MANUAL,

    /**
     * Before the submit returns, as if {@link VirtualClock#drain()} followed every submit: on the thread that submits, whatever the
     * delay, retries included; the clock is moved to each job's due time. What a job throws does not reach the submitter: it leads
     * to the next attempt, and at last to a dead job. A submit by a job is run when that job has ended. A submit that waits for the
     * commit of a transaction is run after it.
     *
     * <p>A job that is submitted inside a transaction runs inside it, which it never does in production.
     */
    INLINE
}
