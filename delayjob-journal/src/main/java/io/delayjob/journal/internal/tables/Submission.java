package io.delayjob.journal.internal.tables;

import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ShardId;
import org.jspecify.annotations.Nullable;

/**
 * A job that is submitted by way of the journal.
 *
 * @param shard the shard it goes to
 * @param job the job
 * @param newId whether its id was made for it, so that no other job can have it
 * @param aheadMillis how long before its due time it is brought to Redis; null if at once
 */
public record Submission(
        ShardId shard, NewJob job, boolean newId, @Nullable Long aheadMillis) {

    /** Whether its id may be that of another job that waits in this database. */
    boolean mayBeRefused() {
        return !newId && aheadMillis != null;
    }
}
