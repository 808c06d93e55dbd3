package io.delayjob.spi;

import io.delayjob.JobEvent;

/**
 * Receives an event for every state change of a job that this node makes. Every bean of this type is called; the same events are
 * published as Spring application events, for {@code @EventListener} methods.
 *
 * <p>Events are for monitoring and carry no guarantee: a node that dies after a step publishes no event for it. Events are
 * delivered after the step, in the order in which the node learned of them (so a claim may come before its submit), one at a time
 * on a thread of their own, so that a slow listener slows no job. At most 10,000 events of each kind wait for that thread, so that
 * a flood of one kind takes no room from the others. Events beyond that are dropped, counted by the meter {@code
 * delayjob.events.dropped} and logged at most once a minute. What a listener throws is logged.
 *
 * <p>A bean of this type is called for every kind of event. An {@code @EventListener} method is called for the kind that its
 * parameter names. Events that nobody listens to are not created.
 */
@FunctionalInterface
public interface JobEventListener {

    /**
     * Called after a state change.
     *
     * @param event the state change
     */
    void onEvent(JobEvent event);
}
