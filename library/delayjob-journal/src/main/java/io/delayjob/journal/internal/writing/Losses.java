package io.delayjob.journal.internal.writing;

import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.ShardRow;

/** Messages about losses. */
final class Losses {

    private Losses() {}

    /** The message about a loss: what happened, and what to do. */
    static String message(ShardId shard, ShardRow.Lost lost) {
        return switch (lost.loss()) {
            case REPLACED ->
                "Redis has lost what the journal knows of " + shard
                        + ": it was emptied, or put back to an older state, or a replica without the last writes has become the"
                        + " master. Unfinished jobs may be missing in it, and finished ones may run again. Restore the queue"
                        + " (diff, then restore, of the bean DelayJobJournal, or GET /api/v1/journal/diff and POST"
                        + " /api/v1/journal/restore), or set delayjob.journal.restore-automatically";
            case UNLOGGED ->
                "the journal does not know what happened to jobs of " + shard
                        + " for a time: no node with its journal ran for an hour, or its database was put back to an older state."
                        + " Jobs that Redis does not have may have finished, so they are never restored automatically, and after an older"
                        + " state of the database those that wait in it are not brought to Redis. Compare the"
                        + " queue with Redis (diff of the bean DelayJobJournal, or GET /api/v1/journal/diff); a restore or a clear"
                        + " for good of the queue ends this";
        };
    }
}
