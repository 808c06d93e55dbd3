package io.delayjob;

import org.jspecify.annotations.Nullable;

/**
 * Why a job is or is not running.
 *
 * @param reason the reason
 * @param text the reason as a sentence, with the times and names that matter
 * @param job the job as it was at that moment; null if there is none
 */
public record Explanation(
        Reason reason, String text, @Nullable JobSnapshot job) {

    /** Why a job is or is not running; the first reason that applies is given. */
    public enum Reason {
        /** No job of that id is known. */
        NO_SUCH_JOB,
        /** It completed. */
        COMPLETED,
        /** It was cancelled. */
        CANCELLED,
        /** It is dead; it runs again only if it is redriven. */
        DEAD,
        /** It is running, on a node or on a worker elsewhere. */
        RUNNING,
        /** Its lease has run out without a renewal: the next free worker takes it. */
        LEASE_EXPIRED,
        /** This node cannot read its record. */
        UNREADABLE,
        /** Its time has not come. */
        NOT_DUE,
        /** An attempt failed, and the backoff before the next one has not passed. */
        WAITING_FOR_RETRY,
        /** The queue is paused. */
        PAUSED,
        /** The queue's journal is behind by as much as it may be: nothing is handed out until its database takes what waits. */
        JOURNAL_FULL,
        /** No live node consumes the queue, and nobody has claimed there for a minute. */
        NO_CONSUMER,
        /** Nodes consume the queue, but none of them has a bean or listener for the job, and none claims for workers elsewhere. */
        NO_HANDLER,
        /** A limit of its queue or of its key holds it back, or its key is paused. */
        LIMITED,
        /** All workers of the queue are busy, and no claim of a worker elsewhere waits for a job. */
        WORKERS_BUSY,
        /** Nothing prevents it from running: it is about to be claimed. */
        ABOUT_TO_RUN
    }
}
