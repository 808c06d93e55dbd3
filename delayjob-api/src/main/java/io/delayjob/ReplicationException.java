package io.delayjob;

import java.util.List;

/**
 * Thrown when a submit took effect on the Redis master, but fewer replicas than {@code delayjob.replication.replicas} acknowledged
 * it in time. The jobs run unless the master is lost before a replica has them. It is safe to submit the same request with the same
 * {@link #jobIds() id} again: an id that exists adds nothing, and the submit waits for the replicas again.
 */
public class ReplicationException extends JobSubmissionException {

    private static final long serialVersionUID = 1L;

    private final int required;
    private final int reached;

    /**
     * For some jobs of one queue.
     *
     * @param queue the queue
     * @param jobIds the jobs' ids, those made by delayjob included
     * @param required how many replicas were to acknowledge the submit
     * @param reached how many did
     * @param cause the failure that reported the missing acknowledgments
     */
    public ReplicationException(String queue, List<String> jobIds, int required, int reached, Throwable cause) {
        this(queue, jobIds, required, reached, unconfirmed(queue, jobIds), cause);
    }

    /**
     * For some jobs of one queue that were submitted together with others.
     *
     * @param queue the queue
     * @param jobIds the jobs' ids, those made by delayjob included
     * @param required how many replicas were to acknowledge the submit
     * @param reached how many did
     * @param results the results of the whole submit, in the order of its requests
     * @param cause the failure that reported the missing acknowledgments
     */
    public ReplicationException(
            String queue, List<String> jobIds, int required, int reached, List<SubmitResult> results, Throwable cause) {
        super(queue, jobIds, Outcome.NOT_REPLICATED, results, cause);
        this.required = required;
        this.reached = reached;
    }

    /** {@return how many replicas were to acknowledge the submit, at least 1} */
    public int required() {
        return required;
    }

    /** {@return how many replicas acknowledged the submit in time, less than {@link #required()}} */
    public int reached() {
        return reached;
    }
}
