package io.delayjob.engine.internal.records;

import io.delayjob.DelayJobException;
import org.jspecify.annotations.Nullable;

/** Thrown when this node cannot read a record in Redis as a job. */
public final class UnreadableRecordException extends DelayJobException {

    private static final long serialVersionUID = 1L;

    /** The reason why the record cannot be read. */
    private final String reason;

    /** Whether a node with newer code may be able to read it. */
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
