package io.delayjob.test;

/** When the jobs that a test submits run. A test can change it with {@link WithDelayJobMode}. */
public enum DelayJobMode {

    /** When the test moves the {@link VirtualClock}. */
    MANUAL,

    /**
     * Before the submit returns, as if every submit were followed by {@link VirtualClock#drain()}: on the thread that submits,
     * whatever the delay, including retries; the clock moves to each job's due time. What a job throws does not reach the
     * submitter: the job is retried, and dead after its last attempt. A job that a job submits runs after that job has ended. A
     * submit that waits for the commit of a transaction runs after the commit.
     *
     * <p>A job that is submitted inside a transaction runs inside it, which never happens in production.
     */
    INLINE
}
