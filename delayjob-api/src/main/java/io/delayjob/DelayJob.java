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
 * <p>The bean runs on some node of the fleet at or after its due time, never before. Returning completes the job, throwing
 * retries it. It is run <em>at least</em> once: a node that dies in the middle, or loses its lease, leads to another
 * attempt, so an implementation must be safe to repeat. One bean instance serves all jobs of its class, on many threads at
 * once.
 *
 * @param <T> the type of the parameter, written to and read from JSON; must be stated by the implementing class, so that
 *     it can be read back (a lambda states none and is refused at start); {@code Void} for a job that takes none
 */
public interface DelayJob<T> {

    /**
     * Does the work of one attempt.
     *
     * <p>The thread is interrupted when the attempt passes its timeout and when the job's lease is lost to another node; an
     * interrupted attempt should end soon.
     *
     * @param execution the job, its parameter and this attempt
     * @throws NonRetryableException to give the job up at once: it goes to {@link JobState#DEAD}
     * @throws Exception to have the job retried after its backoff, until its attempts are used up
     */
    void execute(JobExecution<T> execution) throws Exception;
}
