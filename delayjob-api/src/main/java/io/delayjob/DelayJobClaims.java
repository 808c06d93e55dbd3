package io.delayjob;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Claims due jobs for workers that are no beans of this application: threads of its own, or processes that it serves. A claimed job
 * is under a lease that its worker must extend or settle in time; nobody renews it. The rules are those of {@link DelayJob} beans:
 * a job is never handed out early, an attempt whose lease ends is followed by another, a job without attempts left is
 * {@link JobState#DEAD}. How often a job is tried, and the wait between attempts, are as its request says, or else its queue.
 *
 * <p>An attempt is named by its {@link ClaimedJob#handle}, which holds all that is needed to settle it: any node may do so. Thread-safe.
 */
public interface DelayJobClaims {

    /**
     * Claims due jobs, and waits for the first if none is due. Waiting claims take no threads; those that wait for the same queue on
     * the same node get jobs in the order in which they came.
     *
     * @param claim the request for due jobs
     * @return completes with the jobs, in due order, at least one unless the wait has ended or this node stops; never more than {@link
     *     JobClaim#max}. A call to Redis that is under way when the wait ends is awaited, for {@code delayjob.submit-timeout} at most. It
     *     fails with a {@link DelayJobException} if Redis cannot be asked. If it is cancelled, jobs that were claimed for it are given
     *     back at once, without counting the attempt; those of a claim with an {@link JobClaim#id} after half a second, unless it was
     *     repeated by then, or is a repeat: whoever has the other answer keeps them, until their leases end
     * @throws IllegalStateException if this node runs no jobs: it has not started, is stopped, or {@code delayjob.consume} is false
     */
    CompletableFuture<List<ClaimedJob>> claimAsync(JobClaim claim);

    /**
     * The same, waiting on the calling thread. If that is interrupted, the claim is cancelled.
     *
     * @param claim the request for due jobs
     * @return the jobs, in due order; empty if none became due in time
     * @throws InterruptedException if the thread is interrupted
     * @throws DelayJobException if Redis cannot be asked
     * @throws IllegalStateException if this node runs no jobs: it has not started, is stopped, or {@code delayjob.consume} is false
     */
    List<ClaimedJob> claim(JobClaim claim) throws InterruptedException;

    /**
     * Settles attempts, extends leases and reports progress. Each applies only while its attempt holds the job: not after another
     * settlement, after the lease ended and the job was handed out again, or after a cancel. A settlement that is repeated because its
     * answer was lost may find that it has been applied, and then answers false. Works on every node, also on one that runs no jobs.
     *
     * @param settlements the settlements, extensions and reports, at most 1000
     * @return completes with, for each in order, whether it was applied. It fails with a {@link DelayJobException} if Redis did not
     *     answer within {@code delayjob.submit-timeout}; some may have been applied then, or still be
     * @throws IllegalArgumentException if a handle was not made by delayjob, or a result is not JSON of at most 8192 bytes; the message
     *     names it, and nothing is settled
     */
    CompletableFuture<List<Boolean>> settleAsync(List<? extends JobSettlement> settlements);

    /**
     * The same, waiting for the answer.
     *
     * @param settlements the settlements, extensions and reports, at most 1000
     * @return for each in order, whether it was applied
     * @throws DelayJobException if Redis did not answer within {@code delayjob.submit-timeout}; some may have been applied then, or
     *     still be
     * @throws IllegalArgumentException if a handle was not made by delayjob, or a result is not JSON of at most 8192 bytes; the message
     *     names it, and nothing is settled
     */
    List<Boolean> settle(List<? extends JobSettlement> settlements);
}
