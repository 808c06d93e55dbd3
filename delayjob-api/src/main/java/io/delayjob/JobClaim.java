package io.delayjob;

import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request for due jobs. Immutable; each {@code with…} method returns a changed copy.
 *
 * @param queues the queues to claim from, 1 to 100, those that come first preferred
 * @param max the most jobs to return, 1 to 1000
 * @param maxWait how long to wait for the first job if none is due, at most 60 s; zero to return at once
 * @param lease the lease of jobs that were submitted without one of their own, at least 1 s; null for their queue's
 * @param worker the name of the worker that the jobs are for, 1 to 64 of {@code A-Z a-z 0-9 . _ : @ / -}, which {@link
 *     JobSnapshot#node} then shows; null for this node
 * @param id the id of this claim, unique among the claims of the last ten minutes; null for none. A claim that is repeated under its
 *     id within ten minutes, because its answer was lost, returns the jobs that the first one returned, under fresh leases, except those
 *     that were settled or given back since; it returns no others. A claim with an id returns at most 200 jobs, all of
 *     one shard of one queue
 */
public record JobClaim(
        List<String> queues,
        int max,
        Duration maxWait,
        @Nullable Duration lease,
        @Nullable String worker,
        @Nullable String id) {

    /** The most jobs that one claim returns. */
    public static final int MAX_JOBS = 1000;

    /** The longest wait for the first job. */
    public static final Duration MAX_WAIT = Duration.ofSeconds(60);

    private static final int MAX_QUEUES = 100;
    private static final Pattern WORKER = Pattern.compile("[A-Za-z0-9._:@/-]{1,64}");

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a value is out of range; the message names it
     */
    public JobClaim {
        Checks.notNull(queues, "queues").forEach(Checks::queue);
        queues = List.copyOf(new LinkedHashSet<>(queues));
        if (queues.isEmpty() || queues.size() > MAX_QUEUES) {
            throw new IllegalArgumentException("a claim must name 1 to " + MAX_QUEUES + " queues: " + queues.size());
        }
        if (max < 1 || max > MAX_JOBS) {
            throw new IllegalArgumentException("max must be 1 to " + MAX_JOBS + ": " + max);
        }
        Checks.notNegative(maxWait, "maxWait");
        if (maxWait.compareTo(MAX_WAIT) > 0) {
            throw new IllegalArgumentException("maxWait must be at most " + MAX_WAIT + ": " + maxWait);
        }
        Checks.ifGiven(lease, Checks::lease);
        if (worker != null && !WORKER.matcher(worker).matches()) {
            throw new IllegalArgumentException(
                    "worker must be 1 to 64 of A-Z a-z 0-9 . _ : @ / -: " + Checks.shown(worker));
        }
        Checks.ifGiven(id, Checks::id);
    }

    /**
     * A claim for one job that does not wait, under the lease of its queue.
     *
     * @param queue the queue
     * @return the claim
     */
    public static JobClaim of(String queue) {
        return new JobClaim(List.of(queue), 1, Duration.ZERO, null, null, null);
    }

    /**
     * A claim for one job of several queues that does not wait.
     *
     * @param queues the queues, those that come first preferred
     * @return the claim
     */
    public static JobClaim of(List<String> queues) {
        return new JobClaim(queues, 1, Duration.ZERO, null, null, null);
    }

    /**
     * The claim with another number of jobs.
     *
     * @param newMax the most jobs to return, 1 to 1000
     */
    public JobClaim withMax(int newMax) {
        return new JobClaim(queues, newMax, maxWait, lease, worker, id);
    }

    /**
     * The claim with another wait.
     *
     * @param newMaxWait how long to wait for the first job, zero to 60 s
     */
    public JobClaim withMaxWait(Duration newMaxWait) {
        return new JobClaim(queues, max, newMaxWait, lease, worker, id);
    }

    /**
     * The claim with a lease.
     *
     * @param newLease the lease of jobs that were submitted without one of their own, at least 1 s
     */
    public JobClaim withLease(Duration newLease) {
        return new JobClaim(queues, max, maxWait, newLease, worker, id);
    }

    /**
     * The claim with the name of its worker.
     *
     * @param newWorker 1 to 64 of {@code A-Z a-z 0-9 . _ : @ / -}
     */
    public JobClaim withWorker(String newWorker) {
        return new JobClaim(queues, max, maxWait, lease, newWorker, id);
    }

    /**
     * The claim with an id, so that it can be repeated.
     *
     * @param newId 1 to 128 characters, unique among the claims of the last ten minutes
     */
    public JobClaim withId(String newId) {
        return new JobClaim(queues, max, maxWait, lease, worker, newId);
    }
}
