package io.delayjob.engine.ledger;

import io.delayjob.ActionResult;
import io.delayjob.Progress;
import io.delayjob.QueueCounts;
import io.delayjob.SubmitResult;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The ledger of one shard of a queue. It holds every job of the shard and is the only place where a job changes its state. Each
 * method is one atomic step, by the ledger's own clock. A method that takes several jobs takes at most {@link #MAX_BATCH}, and
 * answers for each, in order, whether the step applied to it. Futures fail with {@link LedgerException} only.
 *
 * <p>A step with a {@link Call} takes effect once, however often the call is repeated. The other steps are safe to repeat.
 */
public interface Ledger {

    /** The most jobs in one call, which bounds how long one script keeps Redis busy. */
    int MAX_BATCH = 200;

    /** The most bytes of records in the answer to a claim, unless a single job has more; bounds what a connection has to carry. */
    int MAX_CLAIM_BYTES = 1024 * 1024;

    /**
     * Stores jobs whose id does not exist yet and whose dedupe key, if any, is free or can be taken over. Answers for each job the
     * outcome and the id of the job that exists now. A journaled job whose permit is not valid leaves no trace, and its outcome is
     * JOURNALED. Neither does a job whose {@link Pointer} does not count any more, or whose id points to another shard; its outcome is UNCONFIRMED.
     */
    CompletableFuture<List<SubmitResult>> submit(Call call, List<NewJob> jobs);

    /**
     * Asks for the outcome of a submit that may or may not have run, by the ids of its jobs. Answers what the submit answered, or
     * an empty list if it has not run; in that case it never will, because the call has no effect if it arrives later.
     */
    CompletableFuture<List<SubmitResult>> outcome(Call call, List<String> ids);

    /**
     * Hands out due jobs. A repeat hands out the jobs that its call still holds, as many as fit into the answer, and gives the
     * others back without spending an attempt, unless other nodes may send the call too, because one of them may have been answered. The
     * leases that it gives end one millisecond later than those of a first call would, so that a {@link Settlement.Release} which names
     * their end leaves them.
     */
    CompletableFuture<Claimed> claim(Call call, ClaimRequest request);

    /** Settles jobs whose leases still hold. All settlements of a call must have the same edge. */
    CompletableFuture<List<Boolean>> settle(Call call, List<? extends Settlement> settlements);

    /** Extends leases that still hold, so that they last at least the given time from now. */
    CompletableFuture<List<Boolean>> renew(List<Renewal> renewals);

    /** Stores the progress of jobs whose leases still hold. */
    CompletableFuture<List<Boolean>> report(List<Report> reports);

    /** Cancels jobs that wait or run. The node of a running job gets a notice. */
    CompletableFuture<List<ActionResult>> cancel(Call call, List<String> ids);

    /** Gives waiting jobs a new due time. */
    CompletableFuture<List<ActionResult>> reschedule(Call call, List<Rescheduled> jobs);

    /** Makes dead jobs ready. */
    CompletableFuture<List<ActionResult>> redrive(Call call, List<String> ids);

    /**
     * Makes the jobs that died first wait again, each due a fixed time after the one before. Answers their ids.
     *
     * @param limit at most this many, 1 to {@link #MAX_BATCH}
     * @param startMicros when the first is due, in microseconds from now
     * @param spacingMicros the time from one to the next, in microseconds
     */
    CompletableFuture<List<String>> redriveAll(Call call, int limit, long startMicros, long spacingMicros);

    /** Removes dead jobs for good. */
    CompletableFuture<List<ActionResult>> purge(Call call, List<String> ids);

    /**
     * Removes the jobs that died first. Answers how many it removed.
     *
     * @param olderThanMillis how long a job must have been dead, in milliseconds
     * @param limit at most this many, 1 to {@link #MAX_BATCH}
     */
    CompletableFuture<Integer> purgeDead(Call call, long olderThanMillis, int limit);

    /**
     * Removes unfinished jobs, whatever their state, without a step in the flow log, so that the journal keeps them and can put them
     * back. Answers how many it removed; fewer than {@code limit} if no more are there.
     *
     * @param limit at most this many, 1 to {@link #MAX_BATCH}
     */
    CompletableFuture<Integer> evict(Call call, int limit);

    /**
     * Registers a node, elects the holder and tells it which doorbells to arrange. It also removes some of the dedupe windows and
     * finished jobs whose time is over.
     */
    CompletableFuture<Feed.Answer> feed(Feed.Request request);

    /** Removes a stopping node from the registry, ends its role as holder, and rings once for each node that stays. */
    CompletableFuture<Boolean> resign(String node);

    /** Reads one job. */
    CompletableFuture<Optional<StoredJob>> find(String id);

    /** Examines up to {@link #MAX_BATCH} jobs in one state, and answers those that match. */
    CompletableFuture<Listing.Answer> list(Listing.Request request);

    /**
     * Finds the unfinished jobs with a mark in the index, see {@link JobContent#marks}.
     *
     * @param limit the most jobs to answer, 1 to {@link #MAX_BATCH}
     */
    CompletableFuture<Listing.Indexed> indexed(String mark, int limit);

    /** Reads the registry of nodes. */
    CompletableFuture<FleetView> fleet();

    /** Counts jobs by state, and says for how long the longest waiting one has been overdue. */
    CompletableFuture<Tally> tally();

    /** Counts jobs by state. */
    default CompletableFuture<QueueCounts> counts() {
        return tally().thenApply(Tally::counts);
    }

    /**
     * Stores with the queue over how many shards it is spread, in shard 0. What is stored stays, unless this node runs the jobs of the
     * queue. Safe to repeat. Answers what was stored before; 0 if nothing was.
     *
     * @param shards over how many shards this node spreads the queue
     * @param runs whether this node runs the jobs of the queue
     */
    CompletableFuture<Integer> spread(int shards, boolean runs);

    /** Pauses or resumes claims. */
    CompletableFuture<Boolean> pause(boolean paused);

    /**
     * Keeps the flow log of this shard going for {@link Flow#KEPT_MILLIS} from now, and reads what follows a position. If the log is
     * not kept now, it begins with a {@link Flow.Kind#START}. Safe to repeat.
     *
     * <p>While a log has as many entries as the request's bound, claims hand out nothing ({@link Claimed.Mode#FULL}), and submits and
     * restores are REFUSED. All other steps go on and are logged, so that the log is exact whatever its length.
     */
    CompletableFuture<Flow.Page> flow(Flow.Request request);

    /**
     * Begins a new term of the shard's {@link Fence}: permits of earlier ones are no longer valid. Safe to repeat.
     *
     * @param term a term that was never used before, see {@link Fence#newTerm}
     */
    CompletableFuture<Boolean> raiseFence(String term);

    /**
     * Removes the entries of the flow log before a position, if the entry at it is in the log, where it stays. Answers how many entries the log has then.
     */
    CompletableFuture<Long> trimFlow(String upTo);

    /**
     * Says which jobs do not exist, and what the last position of the flow log is, in one step.
     *
     * @param ids at most {@link #MAX_BATCH}
     */
    CompletableFuture<Flow.Missing> missing(List<String> ids);

    /**
     * Begins a restore: from now on no other one can put jobs back. Safe to repeat.
     *
     * @param term a term that was never used before, see {@link Fence#newTerm}
     */
    CompletableFuture<Boolean> beginRestore(String term);

    /**
     * Stores jobs that do not exist, as they were. Answers false for a job whose id exists, which is not changed. Stores nothing and
     * answers an empty list if the permit is not the next one of the restore that began last.
     *
     * @param permit which call of which restore it is
     */
    CompletableFuture<List<Boolean>> restore(Call call, RestorePermit permit, List<RestoredJob> jobs);

    /** The schedules of this shard. */
    Schedules schedules();

    /** The limits of this shard. */
    ShardLimits limits();

    /** The pointers of this shard. */
    Pointers pointers();

    /**
     * A lease to be renewed.
     *
     * @param lease the lease to renew
     * @param leaseMillis its new length in milliseconds from now
     */
    record Renewal(Lease lease, long leaseMillis) {}

    /**
     * The progress of a job.
     *
     * @param lease the lease under which the job runs
     * @param progress the progress that the job reports
     */
    record Report(Lease lease, Progress progress) {}

    /**
     * A new due time.
     *
     * @param id the job
     * @param delayMillis its new due time, in milliseconds from now
     */
    record Rescheduled(String id, long delayMillis) {}
}
