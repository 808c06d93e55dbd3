package io.delayjob.journal.internal.restoring;

import io.delayjob.DelayJobException;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.writing.CatchUp;
import java.time.Duration;

/** Waits for what the writers of the fleet write. */
public final class AwaitWritten implements WrittenFlow {

    /** Far longer than writers are behind, unless the database is away or none of them runs. */
    private static final Duration AT_MOST = Duration.ofMinutes(1);

    private final CatchUp writers;

    public AwaitWritten(CatchUp writers) {
        this.writers = writers;
    }

    @Override
    public void await(ShardId shard, String position) {
        try {
            if (!writers.await(shard, position, AT_MOST)) {
                throw new DelayJobException(
                        "the flow log of " + shard + " was not written to " + position + " within " + AT_MOST
                                + ", so it is not known which jobs have finished; see the health of the journal, and try again",
                        null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DelayJobException("interrupted while waiting for the journal's writer", e);
        }
    }
}
