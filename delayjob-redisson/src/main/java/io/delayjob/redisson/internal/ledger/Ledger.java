package io.delayjob.redisson.internal.ledger;

import io.delayjob.QueueCounts;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One shard of one queue: where every job is, and the only place that moves one. Each method is one atomic step by the ledger's
 * own clock. A method that takes several jobs answers for each, in order, whether the step applied to it, and takes at most
 * {@link #MAX_BATCH}. A future fails with {@link LedgerException} only.
 *
 * <p>Steps that are given a {@link Call} have no second effect when the call is repeated; the others are safe to repeat.
 */
public interface Ledger {

    /** The most jobs in one call: bounds how long one script keeps Redis busy. */
    int MAX_BATCH = 500;

    /** Stores jobs whose id does not exist yet. */
    CompletableFuture<List<Boolean>> submit(Call call, List<NewJob> jobs);

    /** Hands out due jobs. */
    CompletableFuture<Claimed> claim(Call call, ClaimRequest request);

    /** Removes jobs that are done, where the lease still holds. */
    CompletableFuture<List<Boolean>> complete(Call call, List<Settlement.Complete> jobs);

    /** Lets jobs wait for another attempt, where the lease still holds. */
    CompletableFuture<List<Boolean>> retry(Call call, List<Settlement.Retry> jobs);

    /** Gives jobs up, where the lease still holds. */
    CompletableFuture<List<Boolean>> bury(Call call, List<Settlement.Bury> jobs);

    /** Gives jobs back without spending an attempt, where the lease still holds. */
    CompletableFuture<List<Boolean>> release(Call call, List<Settlement.Release> jobs);

    /** Makes leases last at least so long from now, where they still hold. */
    CompletableFuture<List<Boolean>> renew(List<Renewal> renewals);

    /** Removes jobs that wait. */
    CompletableFuture<List<Boolean>> cancel(Call call, List<String> ids);

    /** Gives jobs that wait a new due time. */
    CompletableFuture<List<Boolean>> reschedule(Call call, List<Rescheduled> jobs);

    /** Makes dead jobs ready. */
    CompletableFuture<List<Boolean>> redrive(Call call, List<String> ids);

    /** Makes the jobs that died first ready; answers how many. */
    CompletableFuture<Integer> redriveAll(Call call, int limit);

    /** Registers a node, elects the holder and tells it which doorbells to arrange. */
    CompletableFuture<Feed.Answer> feed(Feed.Request request);

    /** Takes a node that stops out of the registry and the holder's seat. */
    CompletableFuture<Boolean> resign(String node);

    /** Reads one job. */
    CompletableFuture<Optional<StoredJob>> find(String id);

    /** Counts jobs by state. */
    CompletableFuture<QueueCounts> counts();

    /** Stops claims, or lets them go on. */
    CompletableFuture<Boolean> pause(boolean paused);

    /**
     * A lease to be renewed.
     *
     * @param lease whose
     * @param leaseMillis from now
     */
    record Renewal(Lease lease, long leaseMillis) {}

    /**
     * A new due time.
     *
     * @param id whose
     * @param delayMillis from now
     */
    record Rescheduled(String id, long delayMillis) {}
}
