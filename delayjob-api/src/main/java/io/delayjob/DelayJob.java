package io.delayjob;

/**
 * A unit of work that runs later, implemented by an application as a Spring bean.
 *
 * <pre>{@code
 * @Component
 * class CloseOrderJob implements DelayJob<CloseOrder> {
 *     public void execute(JobExecution<CloseOrder> execution) {
 *         orders.closeIfUnpaid(execution.param().orderId());
 *     }
 * }
 * }</pre>
 *
 * <p>A job runs on some node of the fleet at or after its due time, never before. It is completed when {@code execute} returns, and
 * retried when it throws. A job runs <em>at least</em> once: if its node dies or loses the lease during an attempt, another attempt
 * follows, so an implementation must be safe to repeat. One bean instance runs all jobs of its class, on many threads at once.
 *
 * @param <T> the type of the parameter, written to and read from JSON; the implementing class must declare it, so that it can be
 *     read back (a lambda declares none and is refused at start); {@code Void} for a job without a parameter
 */
public interface DelayJob<T> {

    /**
     * Does the work of one attempt.
     *
     * <p>The thread is interrupted when the attempt exceeds its timeout, when the job's lease is lost, when the job is cancelled,
     * and when running jobs must end at shutdown. An interrupted attempt should end soon.
     *
     * @param execution the job, its parameter and this attempt
     * @throws NonRetryableException to make the job {@link JobState#DEAD} at once
     * @throws Exception to retry the job after its backoff, until its attempts are used up
     */
    void execute(JobExecution<T> execution) throws Exception;
}
