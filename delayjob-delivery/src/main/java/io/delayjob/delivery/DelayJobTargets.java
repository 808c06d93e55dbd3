package io.delayjob.delivery;

import java.util.List;
import java.util.Optional;

/**
 * Binds topics to targets at run time. What it does is kept in Redis, survives restarts, and is seen by all nodes within a second. A
 * method waits for Redis, and throws a {@link io.delayjob.DelayJobException} if it does not answer. Thread-safe.
 */
public interface DelayJobTargets {

    /** The most topics that can be bound. */
    int MOST = 1000;

    /**
     * Binds a topic, or binds it anew if it is bound already: it is then neither paused nor closed.
     *
     * @param binding the topic and its target
     * @throws IllegalArgumentException if no transport of this node knows the target's scheme, its transport refuses the target, the queue
     *     is another topic's or one of beans and listeners of this application, or too many topics are bound; the message says what to do
     */
    void bind(Binding binding);

    /**
     * Unbinds a topic. Its jobs wait in their queue until it is bound again. Calls under way are finished. A binding by property or bean is
     * closed, which outlasts restarts.
     *
     * @param topic the topic
     * @return whether it was bound
     */
    boolean unbind(String topic);

    /**
     * Pauses the deliveries of a topic. Calls under way are finished.
     *
     * @param topic the topic
     * @return whether it is bound
     */
    boolean pause(String topic);

    /**
     * Resumes the deliveries of a topic that was paused or closed.
     *
     * @param topic the topic
     * @return whether it is bound
     */
    boolean resume(String topic);

    /**
     * The binding of a topic, as this node knows it.
     *
     * @param topic the topic
     * @return empty if there is none
     */
    Optional<BindingStatus> find(String topic);

    /**
     * All bindings, as this node knows them.
     *
     * @return sorted by topic
     */
    List<BindingStatus> list();
}
