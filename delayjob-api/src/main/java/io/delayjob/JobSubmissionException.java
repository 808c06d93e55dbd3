package io.delayjob;

import java.util.List;

/**
 * Thrown when Redis did not confirm a submit. {@link #outcome()} says what is known. After {@link Outcome#NOT_STORED} the jobs will
 * not run. After {@link Outcome#UNKNOWN} each may or may not run, and it is safe to submit the same request with the same {@link
 * #jobIds() id} again: through the same producer, unchanged and within five minutes, it counts as the same submit and takes effect
 * once, even if its job has run meanwhile; through another producer or later, an id that exists adds nothing. {@link
 * Outcome#NOT_REPLICATED} is a {@link ReplicationException}.
 */
public class JobSubmissionException extends DelayJobException {

    private static final long serialVersionUID = 1L;

    /** Whether jobs whose submit failed are stored, as far as known. */
    public enum Outcome {
        /** Redis refused the submit or was never reached: the jobs are not stored. */
        NOT_STORED,
        /** Redis may have stored the jobs before the answer was lost. */
        UNKNOWN,
        /** The submit took effect on the master, but too few replicas acknowledged it: {@link ReplicationException}. */
        NOT_REPLICATED
    }

    private final String queue;

    /** The ids; an ArrayList at run time. */
    @SuppressWarnings("serial")
    private final List<String> jobIds;

    private final Outcome outcome;

    /** The results of the whole submit; an immutable list at run time. */
    @SuppressWarnings("serial")
    private final List<SubmitResult> results;

    /**
     * For some jobs of one queue.
     *
     * @param queue the queue
     * @param jobIds the jobs' ids, those made by delayjob included
     * @param outcome whether the jobs are stored, as far as known
     * @param cause the failure of the last try
     */
    public JobSubmissionException(String queue, List<String> jobIds, Outcome outcome, Throwable cause) {
        this(queue, jobIds, outcome, unconfirmed(queue, jobIds), cause);
    }

    /**
     * For some jobs of one queue that were submitted together with others.
     *
     * @param queue the queue
     * @param jobIds the jobs' ids, those made by delayjob included
     * @param outcome whether the jobs are stored, as far as known
     * @param results the results of the whole submit, in the order of its requests
     * @param cause the failure of the last try
     */
    public JobSubmissionException(
            String queue, List<String> jobIds, Outcome outcome, List<SubmitResult> results, Throwable cause) {
        super(message(queue, jobIds, outcome, cause), cause);
        this.queue = queue;
        this.jobIds = List.copyOf(jobIds);
        this.outcome = outcome;
        this.results = List.copyOf(results);
    }

    static List<SubmitResult> unconfirmed(String queue, List<String> jobIds) {
        return jobIds.stream()
                .map(id -> new SubmitResult(queue, id, SubmitResult.Outcome.UNCONFIRMED))
                .toList();
    }

    private static String message(String queue, List<String> jobIds, Outcome outcome, Throwable cause) {
        boolean one = jobIds.size() == 1;
        String jobs = one ? "job '" + jobIds.get(0) + "'" : jobIds.size() + " jobs, the first '" + jobIds.get(0) + "',";
        String again = "submit again with the same " + (one ? "id" : "ids") + " (an id that exists adds nothing)";
        String known = switch (outcome) {
            case NOT_STORED -> (one ? "is" : "are") + " not stored and will not run";
            case UNKNOWN -> "may or may not be stored; " + again;
            case NOT_REPLICATED ->
                (one ? "is" : "are")
                        + " stored on the master and will run unless the master is lost before its replicas have "
                        + (one ? "it" : "them") + "; to wait for them again, " + again;
        };
        return jobs + " for queue '" + queue + "' " + known + ": " + cause.getMessage();
    }

    /** {@return the name of the queue that the jobs were meant for} */
    public String queue() {
        return queue;
    }

    /** {@return the ids of the jobs that were not confirmed, at least one} */
    public List<String> jobIds() {
        return jobIds;
    }

    /**
     * The results of the whole submit, one for each request, in order. Jobs that Redis did not confirm, in this queue or another,
     * are {@link SubmitResult.Outcome#UNCONFIRMED}; all others have the same result as if nothing had failed.
     *
     * @return at least one result
     */
    public List<SubmitResult> results() {
        return results;
    }

    /** {@return whether the jobs are stored, as far as known} */
    public Outcome outcome() {
        return outcome;
    }
}
