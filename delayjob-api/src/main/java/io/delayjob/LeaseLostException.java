package io.delayjob;

/**
 * Thrown when the job's lease was lost: it ran out and another node may be running the job, or the job was cancelled. Redis ignores
 * how this attempt ends.
 */
public class LeaseLostException extends DelayJobException {

    private static final long serialVersionUID = 1L;

    /**
     * For one job.
     *
     * @param queue the job's queue
     * @param id the job's id
     */
    public LeaseLostException(String queue, String id) {
        super(
                "the lease of job '" + id + "' in queue '" + queue
                        + "' was lost: it ran out, and another node may be running the job, or the job was cancelled",
                null);
    }
}
