package io.delayjob;

import java.util.Set;

/**
 * Starts and stops the {@link DelayJobListener}s of this application, by their ids. A queue is consumed as a whole: starting or
 * stopping a listener starts or stops the consumption of its queue on this node, and with it every listener and {@link DelayJob} of
 * that queue. To stop the queue on all nodes, use {@link DelayJobAdmin#pause}. Thread-safe.
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
     * Starts consuming the queue of a listener on this node; does nothing if it is already consumed. A restart of the application
     * context follows {@link DelayJobListener#autoStartup} again.
     *
     * @param id the listener's id
     * @throws IllegalArgumentException if there is no such listener
     * @throws IllegalStateException if this node runs no jobs: before the application has started, after its stop, or with
     *     {@code delayjob.consume=false}
     */
    void start(String id);

    /**
     * Stops consuming the queue of a listener on this node, as at shutdown: running jobs have {@code delayjob.shutdown-timeout} to
     * end, then they are interrupted and released, which spends no attempt. A job that does not end when it is interrupted keeps
     * its lease until it ends. Does nothing if the queue is not consumed.
     *
     * @param id the listener's id
     * @throws IllegalArgumentException if there is no such listener
     * @throws IllegalStateException if a job of that queue calls it, because it would wait for its own end
     */
    void stop(String id);
}
