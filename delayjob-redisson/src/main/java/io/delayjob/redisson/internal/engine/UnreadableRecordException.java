package io.delayjob.redisson.internal.engine;

import io.delayjob.DelayJobException;
import org.jspecify.annotations.Nullable;

/** A record in Redis that this node cannot make a job of. */
final class UnreadableRecordException extends DelayJobException {

    private static final long serialVersionUID = 1L;

    /** Whether a node with newer code may read it. */
    private final boolean newer;

    UnreadableRecordException(String message, boolean newer, @Nullable Throwable cause) {
        super(message, cause);
        this.newer = newer;
    }

    boolean newer() {
        return newer;
    }
}
