package io.delayjob.engine.extension;

import org.jspecify.annotations.Nullable;

/**
 * A change of a queue, or of one of its keys, that somebody asked for.
 *
 * @param kind the kind
 * @param queue the queue
 * @param key the key that it is of; null if it is of the whole queue
 */
public record QueueChange(Kind kind, String queue, @Nullable String key) {

    /** Kinds of changes. */
    public enum Kind {
        /** It was paused. */
        PAUSED,
        /** It was resumed. */
        RESUMED,
        /** Its limits were set. */
        LIMITED,
        /** Its limits were cleared: it has those of the settings, or a key those of each key. */
        UNLIMITED
    }
}
