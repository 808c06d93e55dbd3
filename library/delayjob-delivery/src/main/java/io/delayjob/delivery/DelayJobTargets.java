package io.delayjob.delivery;

import io.delayjob.support.Checks;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

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
     * @throws IllegalArgumentException if no transport of this node knows the target's scheme, its transport refuses the target, or the queue
     *     is another topic's or one of beans and listeners of this application; the message says what to do
     * @throws RefusedBindingException if too many topics are bound, or the topic belongs to a queue that is not the {@link #as maker's}
     */
    default void bind(Binding binding) {
        bind(Checks.notNull(binding, "binding").topic(), now -> binding);
    }

    /**
     * Binds a topic to what a function makes of its present binding, whatever others do to it at the same time.
     *
     * @param topic the topic
     * @param change makes the new binding of the present one, empty if the topic is not bound; called again if others change bindings meanwhile
     * @throws IllegalArgumentException as {@link #bind(Binding)}, or if the new binding is of another topic
     * @throws RefusedBindingException as {@link #bind(Binding)}
     */
    void bind(String topic, Function<Optional<Binding>, Binding> change);

    /**
     * Binds those of some topics that nobody has bound. One that is bound otherwise, paused or closed stays so.
     *
     * @param bindings the topics and their targets
     * @throws IllegalArgumentException as {@link #bind(Binding)}; then none is bound
     * @throws RefusedBindingException as {@link #bind(Binding)}; also if a target is that of a topic of a queue that is not the {@link #as maker's}
     */
    void bindNew(Collection<Binding> bindings);

    /**
     * Unbinds a topic. Its jobs wait in their queue until it is bound again. Calls under way are finished. A binding by property or bean is
     * closed, which outlasts restarts.
     *
     * @param topic the topic
     * @return whether it was bound
     */
    boolean unbind(String topic);

    /**
     * Unbinds all topics that a maker has bound and nobody has bound anew, at once.
     *
     * @param maker the name of the maker
     * @return how many
     */
    int unbindAll(String maker);

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

    /**
     * The same bindings as a maker sees and changes them: those of queues that are not its own are not there for it, and cannot be changed by
     * it, whatever else happens to them at the same time.
     *
     * @param maker the maker
     * @return the bindings
     */
    DelayJobTargets as(Maker maker);
}
