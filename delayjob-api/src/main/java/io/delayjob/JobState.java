package io.delayjob;

/** Where a job stands. Every job is in exactly one state; every move from one to another is a single script in Redis. */
public enum JobState {
    /**
     * Waiting for its time. A submit, a retry or a reschedule brings a job here; it becomes {@link #READY} when Redis'
     * clock reaches its due time, or {@link #CANCELLED}. Stays as long as its delay.
     */
    DELAYED,

    /**
     * Due, waiting for a free worker. Time, a release, a redrive or a submit without delay bring a job here; a claim
     * takes it to {@link #RESERVED}, a cancel to {@link #CANCELLED}. Stays until a worker of its queue is free.
     */
    READY,

    /**
     * Handed to a worker under a lease. A claim brings a job here; the worker takes it out: {@link #COMPLETED} when it
     * returns, {@link #DELAYED} for another attempt when it throws, {@link #DEAD} when it gives up; a cancel takes it to
     * {@link #CANCELLED}. A lease that is not renewed runs out, and the next claim hands the job to another worker.
     */
    RESERVED,

    /** Finished. The job is removed, and kept for looking at as long as its queue retains finished jobs: not at all by default. */
    COMPLETED,

    /**
     * Given up: attempts used up, not worth a retry, or not readable. Its record and the reason are kept until a redrive
     * takes it back to {@link #READY} or a purge removes it.
     */
    DEAD,

    /**
     * Called off, before it ran or while it did; a running attempt is interrupted. The job is removed, and kept for looking at
     * as long as its queue retains finished jobs.
     */
    CANCELLED
}
