package io.delayjob;

/** Who says how an attempt of a {@link DelayJobListener} ended. */
public enum AckMode {
    /** Returning completes the job, throwing retries it. */
    ON_SUCCESS,

    /**
     * The listener says it by its {@link Acknowledgment}, on any thread, also after the method has returned. A job about which
     * nothing was said when its lease ends is handed out again. Throwing before anything was said retries the job.
     */
    MANUAL,

    /** Returning and throwing both complete the job; what was thrown is logged. A job of a node that died still runs again. */
    ALWAYS
}
