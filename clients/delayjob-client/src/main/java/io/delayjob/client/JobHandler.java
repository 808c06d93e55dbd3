package io.delayjob.client;

/** Runs the jobs of a {@link HttpDelayJobWorker}, on several of its threads at once. */
@FunctionalInterface
public interface JobHandler {

    /**
     * Runs one attempt at a job. The lease is extended until the method returns; its thread is interrupted if the lease is lost all the same, if the job is
     * cancelled, if it takes longer than its {@link io.delayjob.JobOptions#timeout}, and if the worker stops and cannot wait for longer.
     *
     * <p>A method that returns has completed the job. An exception is a failed attempt, and another one follows; but after a {@link
     * io.delayjob.NonRetryableException} the job is dead, and a {@link io.delayjob.RateLimitedException} gives it back. An exception of an attempt that is to end
     * because the worker stops gives the job back too, without spending the attempt.
     *
     * @param job the job and its attempt
     * @throws Exception if the attempt failed
     */
    void run(WorkerJob job) throws Exception;
}
