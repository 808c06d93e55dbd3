package io.delayjob.demo.job;

/** How an attempt ended, as the job itself saw it. */
public enum Outcome {
    /** It has not ended. */
    RUNNING,
    /** It returned. */
    COMPLETED,
    /** It threw. */
    FAILED,
    /** It was interrupted: by a shutdown, its timeout, or because its lease was lost. */
    INTERRUPTED
}
