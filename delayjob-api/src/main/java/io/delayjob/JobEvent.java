package io.delayjob;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A state change of a job. Published on the node that made the change, after Redis has confirmed it; see {@link
 * io.delayjob.spi.JobEventListener} for how events are delivered. New kinds may be added: a {@code switch} over them needs a {@code
 * default}.
 */
public sealed interface JobEvent {

    /** {@return the name of the queue} */
    String queue();

    /** {@return the id of the job} */
    String id();

    /**
     * An event of an attempt, published on the node that makes the attempt. The attempts of workers elsewhere ({@link DelayJobClaims})
     * have the same events, each published on the node that made the claim or was given the settlement.
     */
    sealed interface OfAttempt extends JobEvent {

        /** {@return the name of the job's handler: bean class, {@link DelayJobName} or topic; null if the record cannot be read} */
        @Nullable String job();

        /** {@return the number of the attempt, from 1} */
        int attempt();
    }

    /**
     * A submit was answered.
     *
     * @param id the id of the job that exists now
     * @param outcome the result of the submit
     * @param request the request after all interceptors
     * @param delay its delay; null if it was given a due time
     * @param dueAt its due time; null if it was given a delay
     */
    record Submitted(
            String queue,
            String id,
            SubmitResult.Outcome outcome,
            DelayJobRequest<?> request,
            @Nullable Duration delay,
            @Nullable Instant dueAt)
            implements JobEvent {}

    /**
     * The job was handed to a worker of this node, which runs it or gives it back, or to a claim. For a job that is buried without an attempt,
     * because its attempts are used up, it is quarantined or it is too late, only {@link Buried} is published.
     *
     * @param dueAt when it was due, by Redis' clock
     * @param claimedAt when it was handed out, by Redis' clock; {@code dueAt} if it was handed out before that
     */
    record Claimed(String queue, String id, @Nullable String job, int attempt, Instant dueAt, Instant claimedAt)
            implements OfAttempt {}

    /**
     * The attempt succeeded.
     *
     * @param duration how long it took, by this node's clock; for a worker elsewhere, from when the job was handed out until this node
     *     was told, by the clocks of the two nodes, and zero if they disagree
     */
    record Completed(String queue, String id, @Nullable String job, int attempt, Duration duration)
            implements OfAttempt {}

    /**
     * The attempt failed and another one follows.
     *
     * @param failure the exception of the attempt; for a worker elsewhere, an exception whose message is the error that it stated
     * @param backoff the wait until the next attempt is due
     */
    record Retried(String queue, String id, @Nullable String job, int attempt, Throwable failure, Duration backoff)
            implements OfAttempt {}

    /**
     * The job is dead. Use this event for alerts, and {@link DelayJobAdmin#list} to find every dead job: a node that dies at this
     * moment publishes no event.
     *
     * @param job the name of the job's handler, whether or not it ran; null if the record cannot be read
     * @param attempt the number of the last attempt; 0 if there was none
     * @param reason why the job is dead, as stored in Redis; with the stack trace of the failure, if any
     * @param failure the exception of the last attempt; for a worker elsewhere, an exception whose message is the error that it stated;
     *     null if the job is dead for another reason
     * @param param the job's parameter as JSON; the raw record if that cannot be read
     */
    record Buried(
            String queue,
            String id,
            @Nullable String job,
            int attempt,
            String reason,
            @Nullable Throwable failure,
            String param)
            implements OfAttempt {

        /** Leaves out what may be secret: the param, and the reason and failure, which may quote it. */
        @Override
        public String toString() {
            return "Buried[queue=" + queue + ", id=" + id + ", job=" + job + ", attempt=" + attempt + "]";
        }
    }

    /**
     * The job was given back without spending an attempt, for example because this node is stopping or has no handler for it, or
     * because the claim that it was for was cancelled.
     *
     * @param job the name of the handler that should have run; null if the record cannot be read
     * @param attempt the number of the attempt that is not spent
     * @param reason why it was given back
     */
    record Released(String queue, String id, @Nullable String job, int attempt, String reason) implements OfAttempt {}

    /**
     * The lease was renewed.
     *
     * @param lease the length of the lease from now
     */
    record Renewed(String queue, String id, @Nullable String job, int attempt, Duration lease) implements OfAttempt {}

    /**
     * This node's attempt no longer counts: its lease was lost, or the job was cancelled while it ran. Not published for workers
     * elsewhere: they learn it by the answer to their settlement.
     *
     * @param cancelled true if this node knows that the job was cancelled; false if the job runs again, or if it was cancelled and
     *     this node has not been told yet
     */
    record Lost(String queue, String id, @Nullable String job, int attempt, boolean cancelled) implements OfAttempt {}

    /**
     * This node cancelled the job.
     *
     * @param running whether an attempt was running on any node
     */
    record Cancelled(String queue, String id, boolean running) implements JobEvent {}

    /**
     * This node gave the job a new due time.
     *
     * @param delay the new delay, from the moment of the change
     */
    record Rescheduled(String queue, String id, Duration delay) implements JobEvent {}

    /** This node made the dead job ready again. */
    record Redriven(String queue, String id) implements JobEvent {}
}
