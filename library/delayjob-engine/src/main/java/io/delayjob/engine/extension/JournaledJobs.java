package io.delayjob.engine.extension;

import io.delayjob.ActionResult;
import io.delayjob.JobState;
import io.delayjob.engine.ledger.Listing;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.StoredJob;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The jobs that only the journal has: they wait there until they are nearly due, or until the ledger can be reached. All of them are
 * {@link JobState#DELAYED}. Futures fail with a {@link io.delayjob.DelayJobException}. Thread-safe.
 */
public interface JournaledJobs {

    /** There are none. */
    JournaledJobs NONE = new JournaledJobs() {

        @Override
        public boolean mayBeOf(String queue) {
            return false;
        }

        @Override
        public CompletableFuture<Optional<StoredJob>> find(String queue, String id) {
            return CompletableFuture.completedFuture(Optional.empty());
        }

        @Override
        public CompletableFuture<Optional<StoredJob>> findFar(String queue, String id) {
            return CompletableFuture.completedFuture(Optional.empty());
        }

        @Override
        public CompletableFuture<Listing.Answer> list(ShardId shard, Listing.Request request) {
            throw new UnsupportedOperationException("there is no journal");
        }

        @Override
        public CompletableFuture<Listing.Indexed> indexed(String queue, String mark, int limit) {
            return CompletableFuture.completedFuture(new Listing.Indexed(List.of(), false));
        }

        @Override
        public CompletableFuture<Long> count(String queue) {
            return CompletableFuture.completedFuture(0L);
        }

        @Override
        public CompletableFuture<ActionResult> cancel(String queue, String id) {
            return CompletableFuture.completedFuture(ActionResult.NO_SUCH_JOB);
        }

        @Override
        public CompletableFuture<ActionResult> reschedule(String queue, String id, long delayMillis) {
            return CompletableFuture.completedFuture(ActionResult.NO_SUCH_JOB);
        }
    };

    /** Whether a queue may have such jobs; must be quick. The other methods are called only if it may. */
    boolean mayBeOf(String queue);

    /** Reads one. */
    CompletableFuture<Optional<StoredJob>> find(String queue, String id);

    /** Reads one that has surely not come to the ledger, because its time to be brought there has not come. */
    CompletableFuture<Optional<StoredJob>> findFar(String queue, String id);

    /** Examines some of those of a shard in the order of their due times, and answers those that match. */
    CompletableFuture<Listing.Answer> list(ShardId shard, Listing.Request request);

    /**
     * Finds those of a queue with a mark in its index, see {@link io.delayjob.engine.ledger.JobContent#marks}.
     *
     * @param limit the most jobs to answer, at least 1
     */
    CompletableFuture<Listing.Indexed> indexed(String queue, String mark, int limit);

    /** Counts them. */
    CompletableFuture<Long> count(String queue);

    /** Cancels one. Fails with a {@link JobOnItsWayException} if the ledger may have it already, or is about to. */
    CompletableFuture<ActionResult> cancel(String queue, String id);

    /** Gives one a new due time. Fails with a {@link JobOnItsWayException} if the ledger may have it already, or is about to. */
    CompletableFuture<ActionResult> reschedule(String queue, String id, long delayMillis);
}
