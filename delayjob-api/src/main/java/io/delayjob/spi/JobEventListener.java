package io.delayjob.spi;

import io.delayjob.JobEvent;

/**
 * Hears of every step of every job that this node makes. Every bean of this type is called; the same events are published as
 * Spring application events, for {@code @EventListener} methods.
 *
 * <p>Events are for watching, not for promises: a node that dies after a step says nothing of it. They are delivered after the
 * step, one after the other in the order in which the node learnt of them (of a claim, say, before the submit), on one thread of
 * their own, so that a slow listener slows no job. At most 10,000 of each kind wait for it: a flood of one kind takes no room from
 * the others. What is more is dropped, counted by the meter {@code delayjob.events.dropped} and told of in the log, once a minute at
 * most. What a listener throws is logged.
 *
 * <p>A bean of this type is called for every kind. A method {@code @EventListener} with a kind as its parameter is called for that
 * one, and events that nobody listens to are not made.
 */
@FunctionalInterface
public interface JobEventListener {

    /**
     * A step was made.
     *
     * @param event which
     */
    void onEvent(JobEvent event);
}
