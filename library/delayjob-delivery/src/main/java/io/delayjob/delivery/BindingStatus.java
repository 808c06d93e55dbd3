package io.delayjob.delivery;

import org.jspecify.annotations.Nullable;

/**
 * A binding, and how it is doing as this node sees it.
 *
 * @param binding the binding
 * @param origin where it comes from
 * @param state whether its jobs are delivered
 * @param reason why they are not; null if they are
 * @param maker the name of the {@link Maker} that bound it; null if the application did
 */
public record BindingStatus(
        Binding binding,
        Origin origin,
        State state,
        @Nullable String reason,
        @Nullable String maker) {

    /** Where a binding comes from; one that was made at run time goes before a bean, and a bean before a property. */
    public enum Origin {
        /** A property of this application. */
        PROPERTY,
        /** A bean of this application. */
        BEAN,
        /** It was made at run time, and is kept in Redis. */
        RUN_TIME
    }

    /** Whether jobs are delivered. */
    public enum State {
        /** They are. */
        OPEN,
        /** It is paused: jobs wait until it is resumed. */
        PAUSED,
        /** It was unbound, by a call or because its target said that it is gone: jobs wait until the topic is bound again. */
        CLOSED,
        /** The target does not work now, as its last calls have shown, or asked to be left alone: jobs wait. */
        HELD,
        /** This node cannot deliver there; others may. */
        UNUSABLE
    }
}
