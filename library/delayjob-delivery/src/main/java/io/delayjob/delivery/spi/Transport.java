package io.delayjob.delivery.spi;

import io.delayjob.ClaimedJob;
import io.delayjob.delivery.Binding;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Delivers jobs to the targets of some schemes. Every bean of this type is used. A client that waits for its answers extends {@link
 * BlockingTransport} instead. Must be thread-safe.
 */
public interface Transport {

    /**
     * The schemes of its targets, in lower case; no other transport of the application may have one of them.
     *
     * @return such as {@code kafka}
     */
    Set<String> schemes();

    /**
     * Checks a target when a topic is bound to it, at every start, and again every ten seconds while it throws. Must not need the target to be
     * there: an application starts while its broker is down.
     *
     * @param binding the binding to check
     * @throws IllegalArgumentException if it cannot be delivered to; the message names the value and what to do
     */
    void check(Binding binding);

    /**
     * Why nothing can be delivered to a target now though it may later, such as that a service has no instance. Then no job is claimed for
     * it. Asked before each claim, and about once a second while there is a reason; must be quick.
     *
     * @param binding the binding
     * @return empty if jobs can be delivered
     */
    default Optional<String> obstacle(Binding binding) {
        return Optional.empty();
    }

    /**
     * Whether this node knows that nobody is there who could take the jobs of a binding. While an {@link #obstacle} lasts and this is true, on a node
     * where no other one can deliver either, jobs that have waited for {@code delayjob.delivery.no-instance-timeout} are given up. False of a node that
     * may only be unable to see who is there.
     *
     * @param binding the binding
     * @return false unless a transport says otherwise: jobs wait
     */
    default boolean isAbsent(Binding binding) {
        return false;
    }

    /**
     * Delivers a job: one attempt. Called by a thread that must not wait.
     *
     * @param binding the binding of the job's topic
     * @param job the job
     * @return completes with the outcome once the target has confirmed the job, within {@link Binding#timeout()}. If it fails, or does
     *     not complete within five seconds after that time, the attempt counts as {@link DeliveryOutcome.Failed}. Until it completes, the
     *     call is one of {@link Binding#calls()}
     */
    CompletionStage<DeliveryOutcome> deliver(Binding binding, ClaimedJob job);

    /**
     * A binding that this transport has delivered for is not used any more on this node; what it keeps for it can be closed.
     *
     * @param binding the binding
     */
    default void unbound(Binding binding) {}
}
