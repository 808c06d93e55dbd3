package io.delayjob;

/** Acknowledgment mode of a {@link DelayJobListener}: decides how an attempt ended. */
public enum AckMode {
    /** The job is completed when the method returns, and retried when it throws. */
    ON_SUCCESS,

    /**
     * The listener calls its {@link Acknowledgment}, on any thread, also after the method has returned. A job that is not
     * acknowledged before its lease ends is handed out again. If the method throws before the {@link Acknowledgment} was used, the
     * job is retried.
     */
    MANUAL,

    /** The job is completed when the method returns or throws; what it throws is logged. A job whose node dies still runs again. */
    ALWAYS
}
