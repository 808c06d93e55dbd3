package io.delayjob.engine.ledger;

import io.delayjob.ActionResult;
import io.delayjob.Progress;
import io.delayjob.QueueCounts;
import io.delayjob.SubmitResult;
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
    int MAX_BATCH = 250;

    /** The most bytes of records in the answer to a claim, unless one job alone has more: bounds what a connection is to carry. */
    int MAX_CLAIM_BYTES = 1024 * 1024;

    /**
     * Stores jobs whose id does not exist yet and whose dedupe key, if any, is free or gives way; answers for each what it led
     * to and the id of the job that is there.
     */
    CompletableFuture<List<SubmitResult>> submit(Call call, List<NewJob> jobs);

    /**
     * What became of a submit whose outcome is unknown, by the ids of its jobs: its answers, or none if it has not run. Then it
     * never will: if its call arrives later, it has no effect.
     */
    CompletableFuture<List<SubmitResult>> outcome(Call call, List<String> ids);

    /**
     * Hands out due jobs. A repeat hands out those that its call still holds, as many as fit into its answer, and gives the others
     * back without spending an attempt.
     */
    CompletableFuture<Claimed> claim(Call call, ClaimRequest request);

    /** Ends claims, where their leases still hold; all settlements of a call are of one edge. */
    CompletableFuture<List<Boolean>> settle(Call call, List<? extends Settlement> settlements);

    /** Makes leases last at least so long from now, where they still hold. */
    CompletableFuture<List<Boolean>> renew(List<Renewal> renewals);

    /** Keeps how far jobs have come, where the lease still holds. */
    CompletableFuture<List<Boolean>> report(List<Report> reports);

    /** Removes jobs that wait or run; the node of one that runs is told. */
    CompletableFuture<List<ActionResult>> cancel(Call call, List<String> ids);

    /** Gives jobs that wait a new due time. */
    CompletableFuture<List<ActionResult>> reschedule(Call call, List<Rescheduled> jobs);

    /** Makes dead jobs ready. */
    CompletableFuture<List<ActionResult>> redrive(Call call, List<String> ids);

    /**
     * Lets the jobs that died first wait, each so much longer than the one before; answers their ids.
     *
     * @param limit at most this many, 1 to {@link #MAX_BATCH}
     * @param startMicros until the first is due, from now
     * @param spacingMicros from one to the next
     */
    CompletableFuture<List<String>> redriveAll(Call call, int limit, long startMicros, long spacingMicros);

    /**
     * Removes the jobs that died first; answers how many.
     *
     * @param olderThanMillis how long they have been dead at least
     * @param limit at most this many, 1 to {@link #MAX_BATCH}
     */
    CompletableFuture<Integer> purgeDead(Call call, long olderThanMillis, int limit);

    /**
     * Registers a node, elects the holder and tells it which doorbells to arrange. On the way some of what is kept for a time is
     * removed when its time is over: dedupe windows and finished jobs.
     */
    CompletableFuture<Feed.Answer> feed(Feed.Request request);

    /** Takes a node that stops out of the registry and the holder's seat, and rings for each that stays. */
    CompletableFuture<Boolean> resign(String node);

    /** Reads one job. */
    CompletableFuture<Optional<StoredJob>> find(String id);

    /** Looks at some of the jobs in a state: at most {@link #MAX_BATCH}, whether they are wanted or not. */
    CompletableFuture<Listing.Answer> list(Listing.Request request);

    /** Reads what is known of the nodes. */
    CompletableFuture<FleetView> fleet();

    /** Counts jobs by state, and tells for how long one has been overdue. */
    CompletableFuture<Tally> tally();

    /** Counts jobs by state. */
    default CompletableFuture<QueueCounts> counts() {
        return tally().thenApply(Tally::counts);
    }

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
     * How far a job has come.
     *
     * @param lease whose
     * @param progress what it reports
     */
    record Report(Lease lease, Progress progress) {}

    /**
     * A new due time.
     *
     * @param id whose
     * @param delayMillis from now
     */
    record Rescheduled(String id, long delayMillis) {}
}
