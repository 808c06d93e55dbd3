package io.delayjob;

/** The state of a job. Every job is in exactly one state; every change of state is a single script in Redis. */
public enum JobState {
    /**
     * Waiting for its due time. Reached by a submit, a retry, a reschedule, a redrive at a rate, or when a node cannot run the job
     * and leaves it to others. Left for {@link #READY} when Redis' clock reaches the due time, or for {@link #CANCELLED} by a
     * cancel. Lasts as long as the delay.
     */
    DELAYED,

    /**
     * Due and waiting for a free worker. Reached by time, a release, a redrive, or a submit, retry or reschedule without delay.
     * Left for {@link #RESERVED} by a claim, or for {@link #CANCELLED} by a cancel. Lasts until a worker of its queue is free.
     */
    READY,

    /**
     * Handed to a worker under a lease. Reached by a claim. Left for {@link #COMPLETED} when the attempt succeeds, for {@link
     * #DELAYED} when it fails and another one follows, for {@link #DEAD} when none follows, for {@link #READY} when the job is
     * released, or for {@link #CANCELLED} by a cancel. A lease that is not renewed runs out, and the next claim hands the job to
     * another worker.
     */
    RESERVED,

    /**
     * Finished. The job is removed; it can still be inspected for as long as its queue retains finished jobs, which by default it
     * does not.
     */
    COMPLETED,

    /**
     * Given up: its attempts are used up, its failure is not retried, or it cannot be run. Its record and the reason are kept until
     * a redrive takes it back to {@link #READY} or a purge removes it.
     */
    DEAD,

    /**
     * Cancelled before it ran or while it ran; a running attempt is interrupted. The job is removed; it can still be inspected for
     * as long as its queue retains finished jobs.
     */
    CANCELLED
}
