package io.delayjob;

import org.jspecify.annotations.Nullable;

/**
 * Why a job is not running, or that it is.
 *
 * @param reason the reason
 * @param text the reason in a sentence, with its times and names
 * @param job the job as it was then; null if there is none
 */
public record Explanation(
        Reason reason, String text, @Nullable JobSnapshot job) {

    /** Why a job is not running. The first that applies counts. */
    public enum Reason {
        /** No job of that id is known. */
        NO_SUCH_JOB,
        /** It completed. */
        COMPLETED,
        /** It was called off. */
        CANCELLED,
        /** It was given up; it runs again only if it is redriven. */
        DEAD,
        /** It runs. */
        RUNNING,
        /** Its node is silent and its lease has run out: the next free worker takes it. */
        LEASE_EXPIRED,
        /** Its record cannot be read by this node. */
        UNREADABLE,
        /** Its time has not come. */
        NOT_DUE,
        /** An attempt failed, and the wait for the next one has not passed. */
        WAITING_FOR_RETRY,
        /** The queue is paused. */
        PAUSED,
        /** No live node consumes the queue. */
        NO_CONSUMER,
        /** Nodes consume the queue, but none of them has a bean or listener of the job's name. */
        NO_HANDLER,
        /** All workers of the queue are busy. */
        WORKERS_BUSY,
        /** Nothing is in its way: it is about to be claimed. */
        ABOUT_TO_RUN
    }
}
