package io.delayjob.client;

import io.delayjob.SubmitResult;
import io.delayjob.SubmitResult.Outcome;

/**
 * A checked job of a submit.
 *
 * @param id its id, or its dedupe key if the server is to make its id
 * @param madeHere whether the id was made for this submit, so that nobody else has it
 * @param waitsForCommit whether a transaction's commit comes first
 * @param body the job as the server reads it
 * @param bytes the length of the body
 */
record OutgoingJob(String queue, String id, boolean madeHere, boolean waitsForCommit, Json.Job body, int bytes) {

    SubmitResult result(Outcome outcome) {
        return new SubmitResult(queue, id, outcome);
    }

    /** An id that was made here can exist only because an earlier try was stored. */
    SubmitResult result(Json.Submitted answer) {
        boolean before = madeHere && answer.outcome() == Outcome.EXISTS;
        return new SubmitResult(queue, answer.id(), before ? Outcome.STORED : answer.outcome());
    }
}
