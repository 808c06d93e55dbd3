package io.delayjob.engine.telemetry;

import io.delayjob.JobSubmissionException;
import io.delayjob.SubmitResult;
import io.delayjob.engine.ledger.ShardId;

/**
 * Measures what happens in one queue on this node; see {@link Telemetry}. Jobs go by the name of their bean or listener, or by
 * {@link Telemetry#OTHER} if this node has none. Times are of this node's clock, in nanoseconds, unless something else is said.
 */
public interface QueueTelemetry {

    /** Measures nothing. */
    QueueTelemetry NONE = new QueueTelemetry() {};

    /** What an attempt came to on this node, whether the ledger hears of it in time or not. */
    enum Outcome {
        /** It succeeded. */
        COMPLETED,
        /** It failed, and another one follows. */
        RETRIED,
        /** It failed, and no other one follows. */
        DEAD,
        /** It was interrupted because the node stops, and given back. */
        RELEASED,
        /** It was interrupted because its lease was lost. */
        LOST,
        /** It was interrupted because the job was cancelled. */
        CANCELLED,
        /** Its listener did not say how it ended before its lease did. */
        UNACKNOWLEDGED
    }

    /** A job of a submit was answered, so long after the submit. */
    default void submitted(SubmitResult.Outcome outcome, long nanos) {}

    /** A job of a submit was not confirmed, as was known so long after the submit. */
    default void unconfirmed(JobSubmissionException.Outcome outcome, long nanos) {}

    /** A claim was answered after so long, with so many jobs. */
    default void claimed(int jobs, long nanos) {}

    /** A claim handed out a job whose lease, on whichever node, had run out. */
    default void expired() {}

    /** An attempt begins, so long after it was due: by the ledger's clock until the claim, by this node's from then on. */
    default void began(long lateNanos) {}

    /** An attempt that had begun ended on this node, so long after it began. */
    default void ended(String job, Outcome outcome, long nanos) {}

    /** The ledger has stored that a job waits for another attempt. */
    default void retried(String job) {}

    /** The ledger has stored that a job is dead. */
    default void buried(String job) {}

    /** An attempt no longer counts, because its lease was lost. */
    default void lost(String job) {}

    /** How an attempt ended was refused by the ledger, because its lease was lost: another one follows or has been made. */
    default void stale(String job) {}

    /** An alarm found a job long after it was due: its doorbell had not rung. */
    default void lateDoorbell() {}

    /**
     * The ledger of a shard holds other data than this node knew there: it was emptied, or an older copy is in its place. Jobs that
     * were submitted before may be gone. Each node that notices tells it once.
     */
    default void replaced(ShardId shard) {}
}
