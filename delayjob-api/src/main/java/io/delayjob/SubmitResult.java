package io.delayjob;

import java.io.Serializable;

/**
 * The result of a submit.
 *
 * @param queue the queue that the job went to
 * @param id the id of the job that exists now: the new one, or the one that existed before (which may have ended, if the window of
 *     its {@link Dedupe} key has not)
 * @param outcome the outcome of the submit for this job
 */
public record SubmitResult(String queue, String id, Outcome outcome) implements Serializable {

    /** The outcome of a submit for one job. */
    public enum Outcome {
        /** The job is stored. */
        STORED,
        /** A job with that id exists and was not changed. */
        EXISTS,
        /** The {@link Dedupe} key was taken: the job that holds it was not changed. */
        KEPT,
        /** The job is stored in place of the one that held the {@link Dedupe} key. */
        REPLACED,
        /** The job that holds the {@link Dedupe} key kept its id and got the new due time, param and options. */
        POSTPONED,
        /**
         * The job is submitted when the transaction commits, so its result is not known yet. The id is the one that the job will
         * have if it is stored; a job that already has the {@link Dedupe} key has another one.
         */
        DEFERRED,
        /**
         * The job is committed in the journal's database, and comes to Redis by itself: it is due so late that it waits in the database
         * until then, or Redis did not confirm it now. The id is that of the submit; if Redis then finds the id or the {@link Dedupe}
         * key taken, the job is dropped as any other would be.
         */
        JOURNALED,
        /**
         * Redis did not confirm the job. Occurs only in the {@link JobSubmissionException#results() results} of a {@link
         * JobSubmissionException}, which says what is known of the job. The id is that of the submit.
         */
        UNCONFIRMED
    }
}
