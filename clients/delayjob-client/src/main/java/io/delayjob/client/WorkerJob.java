package io.delayjob.client;

import io.delayjob.ClaimedJob;
import io.delayjob.JobSettlement;
import java.time.Duration;

/** One attempt at a job that a {@link HttpDelayJobWorker} runs. Thread-safe. */
public interface WorkerJob {

    /** {@return the job as it was claimed} */
    ClaimedJob claimed();

    /**
     * Sets the result that is stored when the job completes, for as long as its queue retains finished jobs. A later call replaces it.
     *
     * @param json the result as JSON of at most 8192 bytes
     * @throws IllegalArgumentException if it is longer, or no JSON
     */
    void result(String json);

    /**
     * Makes the lease last at least so long from now, by Redis' clock. Waits for the server.
     *
     * @param lease the time from now, at least 1 s
     * @throws io.delayjob.LeaseLostException if the lease was lost already
     * @throws io.delayjob.DelayJobException if the server gave no answer
     */
    void extendLease(Duration lease);

    /**
     * Reports how far the job is. Does not wait; a report that fails is dropped.
     *
     * @param percent 0 to 100
     * @param text a line for people, at most 1024 characters; may be empty
     */
    void progress(int percent, String text);

    /** Leaves it to {@link #settle} how the attempt ends, also after the handler has returned. From then on the lease is no longer extended. */
    void settleByHand();

    /**
     * Ends the attempt. Waits for the server.
     *
     * @param settlement how it ends: {@link JobSettlement.Complete}, {@code Retry}, {@code Bury} or {@code Release}, with the handle of {@link #claimed}
     * @throws IllegalStateException if it has ended already
     * @throws io.delayjob.LeaseLostException if the lease was lost
     * @throws io.delayjob.DelayJobException if the server gave no answer; the job runs again when its lease ends
     */
    void settle(JobSettlement settlement);
}
