package io.delayjob;

import java.util.Set;

/**
 * The {@link DelayJobListener}s of this application, by their ids. A queue is consumed as a whole: starting or stopping a listener
 * starts or stops the consumption of its queue on this node, and so every listener and {@link DelayJob} that has jobs there. To
 * stop the whole fleet, use {@link DelayJobAdmin#pause}. Thread-safe.
 */
public interface DelayJobListenerRegistry {

    /** {@return the ids of all listeners} */
    Set<String> ids();

    /**
     * Whether the queue of a listener is consumed on this node.
     *
     * @param id the listener's id
     * @return whether it is
     * @throws IllegalArgumentException if there is no such listener
     */
    boolean isRunning(String id);

    /**
     * Consumes the queue of a listener on this node; does nothing if it already is. A restart of the application context goes
     * back to what {@link DelayJobListener#autoStartup} says.
     *
     * @param id the listener's id
     * @throws IllegalArgumentException if there is no such listener
     * @throws IllegalStateException if this node runs no jobs: before the application has started, after its stop, or with
     *     {@code delayjob.consume=false}
     */
    void start(String id);

    /**
     * Stops consuming the queue of a listener on this node, as at shutdown: running jobs may end within
     * {@code delayjob.shutdown-timeout}, and no attempt is spent. A job that does not even end when it is interrupted keeps its
     * lease until it does. Does nothing if the queue is not consumed.
     *
     * @param id the listener's id
     * @throws IllegalArgumentException if there is no such listener
     * @throws IllegalStateException if a job of that queue calls it, which would wait for its own end
     */
    void stop(String id);
}
