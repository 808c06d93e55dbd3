package io.delayjob.spi;

import io.delayjob.JobEvent;

/**
 * Hears of every step of every job that this node makes. Every bean of this type is called; the same events are published as
 * Spring application events, for {@code @EventListener} methods.
 *
 * <p>Events are for watching, not for promises: a node that dies after a step says nothing of it. They are delivered after the
 * step, one after the other in the order in which the node learnt of them (of a claim, say, before the submit), on one thread of
 * their own, so that a slow listener slows no job; when more than 10,000 wait, further ones are dropped and counted in a warning. What a listener throws is logged.
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
