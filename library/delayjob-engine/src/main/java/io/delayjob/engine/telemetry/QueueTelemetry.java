package io.delayjob.engine.telemetry;

import io.delayjob.JobSubmissionException;
import io.delayjob.ScheduleSnapshot;
import io.delayjob.SubmitResult;
import io.delayjob.engine.ledger.ShardId;

/**
 * Measures what happens in one queue on this node; see {@link Telemetry}. Jobs are identified by the name of their bean or
 * listener, or by {@link Telemetry#OTHER} if this node has none. Times are by this node's clock, in nanoseconds, unless stated
 * otherwise.
 */
public interface QueueTelemetry {

    /** Measures nothing. */
    QueueTelemetry NONE = new QueueTelemetry() {};

    /** How an attempt ended on this node, whether or not the ledger accepts it. */
    enum Outcome {
        /** It succeeded. */
        COMPLETED,
        /** It failed and another one follows. */
        RETRIED,
        /** It failed and no other one follows. */
        DEAD,
        /** It was given back because the node stops. */
        RELEASED,
        /** It was interrupted because its lease was lost. */
        LOST,
        /** It was interrupted because the job was cancelled. */
        CANCELLED,
        /** Its listener did not acknowledge it before its lease ended. */
        UNACKNOWLEDGED
    }

    /** A submitted job was answered, {@code nanos} after the submit. */
    default void submitted(SubmitResult.Outcome outcome, long nanos) {}

    /** A submitted job was not confirmed, which was known {@code nanos} after the submit. */
    default void unconfirmed(JobSubmissionException.Outcome outcome, long nanos) {}

    /** A claim was answered after {@code nanos} and handed out this many jobs. */
    default void claimed(int jobs, long nanos) {}

    /** A claim handed out a job whose lease, on any node, had run out. */
    default void expired() {}

    /**
     * An attempt begins, {@code lateNanos} after it was due: by the ledger's clock until the claim, by this node's from then on.
     */
    default void began(long lateNanos) {}

    /** An attempt ended on this node, {@code nanos} after it began. */
    default void ended(String job, Outcome outcome, long nanos) {}

    /** A completion is stored in the ledger. */
    default void completed(String job) {}

    /** A retry is stored in the ledger. */
    default void retried(String job) {}

    /** A burial is stored in the ledger. */
    default void buried(String job) {}

    /** An attempt no longer counts because its lease was lost. */
    default void lost(String job) {}

    /** The ledger refused the settlement of an attempt because its lease was lost: another attempt follows or has been made. */
    default void stale(String job) {}

    /** An alarm found a job long after it was due, because its doorbell had not rung. */
    default void lateDoorbell() {}

    /**
     * An instant of a schedule was served by this node: its occurrence is stored, {@code lateMillis} after the instant by the ledger's
     * clock, or later because it waited for the occurrence before.
     */
    default void fired(long lateMillis) {}

    /** Instants of a schedule were skipped by this node, for a reason in capitals; see {@link ScheduleSnapshot.Decision}. */
    default void skipped(String reason, long instants) {}

    /**
     * The data of a shard was replaced: the ledger was emptied, or restored from an older copy. Jobs that were submitted before may
     * be gone. Called once on each node that notices.
     */
    default void replaced(ShardId shard) {}
}
