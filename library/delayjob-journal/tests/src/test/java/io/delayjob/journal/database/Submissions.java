package io.delayjob.journal.database;

import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.Submission;
import io.delayjob.journal.internal.tables.Tags;
import org.jspecify.annotations.Nullable;

/** Makes submissions that only a relay brings to Redis. */
public final class Submissions {

    private Submissions() {}

    /** Of a job whose id its caller chose. */
    public static Submission of(ShardId shard, NewJob job, @Nullable Long aheadMillis) {
        NewJob.Journaled mark = job.journaled();
        return new Submission(
                shard, job, mark == null ? new NewJob.Journaled("", Tags.next()) : mark, true, aheadMillis);
    }
}
