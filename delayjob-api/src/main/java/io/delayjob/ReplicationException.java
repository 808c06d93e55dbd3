package io.delayjob;

import java.util.List;

/**
 * A submit that took effect on the master of Redis, and that fewer replicas acknowledged in time than
 * {@code delayjob.replication.replicas} asks for. The jobs run, unless the master is lost before another has them. Submitting the
 * same request with the same {@link #jobIds() id} again is safe, and waits for the replicas again: an id that exists adds nothing.
 */
public class ReplicationException extends JobSubmissionException {

    private static final long serialVersionUID = 1L;

    private final int required;
    private final int reached;

    /**
     * Of some jobs of one queue.
     *
     * @param queue the queue
     * @param jobIds the jobs' ids, those made by delayjob included
     * @param required how many replicas were to acknowledge the submit
     * @param reached how many did
     * @param cause what it was found by
     */
    public ReplicationException(String queue, List<String> jobIds, int required, int reached, Throwable cause) {
        this(queue, jobIds, required, reached, unconfirmed(queue, jobIds), cause);
    }

    /**
     * Of some jobs of one queue, submitted together with others.
     *
     * @param queue the queue
     * @param jobIds the jobs' ids, those made by delayjob included
     * @param required how many replicas were to acknowledge the submit
     * @param reached how many did
     * @param results what the whole submit led to, in the order of its requests
     * @param cause what it was found by
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
