package io.delayjob;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job moved from one state to another: one type for each edge of the state machine. Published on the node that made the step,
 * after Redis had confirmed it; see {@link io.delayjob.spi.JobEventListener} for what that promises. Kinds may be added: a
 * {@code switch} over them needs a {@code default}.
 */
public sealed interface JobEvent {

    /** {@return the name of the queue} */
    String queue();

    /** {@return the id of the job} */
    String id();

    /** Steps of an attempt, on the node that makes it. */
    sealed interface OfAttempt extends JobEvent {

        /** {@return what runs: bean class, {@link DelayJobName} or topic; null if the record cannot be read} */
        @Nullable String job();

        /** {@return which try it is, from 1} */
        int attempt();
    }

    /**
     * A submit was answered.
     *
     * @param id the job that stands now
     * @param outcome what the submit led to
     * @param request as it was submitted, interceptors included
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
     * The job was handed to a worker of this node, which tries it or gives it back. Of one that is given up untried, because its
     * attempts are used up, it is quarantined or too late, only {@link Buried} is published.
     *
     * @param dueAt when it was due, by Redis' clock
     * @param claimedAt when it was handed out, by Redis' clock; {@code dueAt} if that was before it was due
     */
    record Claimed(String queue, String id, @Nullable String job, int attempt, Instant dueAt, Instant claimedAt)
            implements OfAttempt {}

    /**
     * The attempt succeeded.
     *
     * @param duration how long it took, by this node's clock
     */
    record Completed(String queue, String id, @Nullable String job, int attempt, Duration duration)
            implements OfAttempt {}

    /**
     * The attempt failed and another one follows.
     *
     * @param failure why
     * @param backoff until the next attempt is due
     */
    record Retried(String queue, String id, @Nullable String job, int attempt, Throwable failure, Duration backoff)
            implements OfAttempt {}

    /**
     * The job is dead. The place for an alert; what must not be missed is to be looked for with {@link DelayJobAdmin#list},
     * because a node that dies in this moment says nothing.
     *
     * @param job what ran or should have; null if the record cannot be read
     * @param attempt the last try; 0 if there was none
     * @param reason why, with the stack trace of the failure, as it is kept
     * @param failure what the last attempt threw; null if no attempt threw
     * @param param its parameter as JSON; the raw record if that cannot be read
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

        /** Without what may be secret: the param, and what the failure says of it. */
        @Override
        public String toString() {
            return "Buried[queue=" + queue + ", id=" + id + ", job=" + job + ", attempt=" + attempt + "]";
        }
    }

    /**
     * The job was given back without spending an attempt: this node stops, or cannot run it.
     *
     * @param job what should have run; null if the record cannot be read
     * @param attempt the try that is not spent
     * @param reason why
     */
    record Released(String queue, String id, @Nullable String job, int attempt, String reason) implements OfAttempt {}

    /**
     * The lease was made longer.
     *
     * @param lease how long from now
     */
    record Renewed(String queue, String id, @Nullable String job, int attempt, Duration lease) implements OfAttempt {}

    /**
     * This node's attempt no longer counts: the lease ran out, or the job was cancelled while it ran.
     *
     * @param cancelled whether this node has heard that it was cancelled; else the job runs again, or was cancelled and the
     *     notice comes later than the ledger's answer
     */
    record Lost(String queue, String id, @Nullable String job, int attempt, boolean cancelled) implements OfAttempt {}

    /**
     * The job was called off, by this node.
     *
     * @param running whether an attempt was running, on whichever node
     */
    record Cancelled(String queue, String id, boolean running) implements JobEvent {}

    /**
     * The job got a new due time, by this node.
     *
     * @param delay from then
     */
    record Rescheduled(String queue, String id, Duration delay) implements JobEvent {}

    /** The dead job got another chance, by this node. */
    record Redriven(String queue, String id) implements JobEvent {}
}
