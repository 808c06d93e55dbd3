package io.delayjob;

import java.io.Serializable;

/**
 * What a submit led to.
 *
 * @param queue the queue that the job went to
 * @param id the job that stands now: the new one, or the one that was there before, which in the window of a {@link Dedupe} key
 *     may have ended
 * @param outcome what happened
 */
public record SubmitResult(String queue, String id, Outcome outcome) implements Serializable {

    /** What happened. */
    public enum Outcome {
        /** The job is stored. */
        STORED,
        /** A job of that id exists and was left as it is. */
        EXISTS,
        /** The {@link Dedupe} key was taken: the job that has it was left as it is. */
        KEPT,
        /** The job is stored in place of the one that had the {@link Dedupe} key. */
        REPLACED,
        /** The job that has the {@link Dedupe} key got the new due time and param, and kept its id. */
        POSTPONED,
        /**
         * The job is submitted when the transaction commits. What Redis says then is not known yet: the id is the one that the
         * job will have if it is stored, and not that of a job that has its id or its {@link Dedupe} key already.
         */
        DEFERRED,
        /**
         * Redis did not confirm the job: what is known of it says the {@link JobSubmissionException} in whose
         * {@link JobSubmissionException#results() results} alone this stands. The id is that of the submit.
         */
        UNCONFIRMED
    }
}
