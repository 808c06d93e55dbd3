package io.delayjob.journal.internal.tables;

import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ShardId;
import org.jspecify.annotations.Nullable;

/**
 * A job that is submitted by way of the journal.
 *
 * @param shard the shard it goes to
 * @param job the job
 * @param mark tells it from other submits of its id, and under which term its own node may bring it to Redis; none if the permit is empty
 * @param mayMeet whether another job that waits in this database may have its id
 * @param aheadMillis how long before its due time it is brought to Redis; null if at once
 */
public record Submission(
        ShardId shard,
        NewJob job,
        NewJob.Journaled mark,
        boolean mayMeet,
        @Nullable Long aheadMillis) {

    /** How long a job is left to the node that submitted it, in milliseconds. */
    public static final long OWN_NODE_MILLIS = 700;

    /** Whether it is to wait in this database alone. */
    public boolean isFar() {
        return aheadMillis != null;
    }

    /** Outcome of a submission. */
    public enum Result {
        /** It has a row, and may be brought to Redis. */
        ADDED,
        /** It has a row. It is brought to Redis by a relay, because it is to wait, or behind another job of its id. */
        WAITS,
        /** It has no row: another job waits under its id. */
        TAKEN
    }
}
