package io.delayjob.engine.internal.records;

import io.delayjob.DelayJobException;
import org.jspecify.annotations.Nullable;

/** A record in Redis that this node cannot make a job of. */
public final class UnreadableRecordException extends DelayJobException {

    private static final long serialVersionUID = 1L;

    /** What is wrong with it. */
    private final String reason;

    /** Whether a node with newer code may read it. */
    private final boolean newer;

    UnreadableRecordException(String reason, boolean newer, @Nullable Throwable cause) {
        super(reason, cause);
        this.reason = reason;
        this.newer = newer;
    }

    public String reason() {
        return reason;
    }

    public boolean newer() {
        return newer;
    }
}
