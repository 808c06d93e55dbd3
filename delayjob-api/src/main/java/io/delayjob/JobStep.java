package io.delayjob;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A step in the history of a job, as the journal has it.
 *
 * @param kind the kind of step
 * @param at when, by Redis' clock
 * @param state the state of the job after it; a job that waits is {@link JobState#DELAYED}, whether or not it is due;
 *     null if there is no such job
 * @param attempt the number of the attempt that it belongs to, from 1; 0 before the first
 * @param dueAt when the job was due after it, by Redis' clock; null if it did not wait
 * @param node the node or worker that had the job; null if none had
 * @param text the error, the reason or the result; null if there was none
 */
public record JobStep(
        Kind kind,
        Instant at,
        @Nullable JobState state,
        int attempt,
        @Nullable Instant dueAt,
        @Nullable String node,
        @Nullable String text) {

    /** The kinds of steps in the history of a job. */
    public enum Kind {
        /** It was stored. */
        SUBMITTED,
        /** It was handed to a node or a worker; its attempt began. */
        CLAIMED,
        /** The lease of its attempt ended: its worker was silent for too long. */
        EXPIRED,
        /** A node that has no handler for it left it to the others. */
        PASSED_ON,
        /** It is due as before it was passed on, because a node with its handler asks for it. */
        TAKEN_BACK,
        /** Its attempt succeeded. */
        COMPLETED,
        /** Its attempt failed, and another follows. */
        RETRIED,
        /** It was given up. */
        BURIED,
        /** It was given back without spending an attempt. */
        RELEASED,
        /** It was cancelled. */
        CANCELLED,
        /** Another job took its place and its {@link Dedupe} key; the text is that job's id. */
        REPLACED,
        /** A submit of its id, or of its {@link Dedupe} key, stored nothing; the text is the id of the job in its way. */
        REFUSED,
        /** It got a new due time. */
        RESCHEDULED,
        /** It was dead and waits again. */
        REDRIVEN,
        /** It was dead and was removed for good. */
        PURGED,
        /** It was put back into Redis from the journal. */
        RESTORED,
        /** Something that this release does not know. */
        OTHER
    }
}
