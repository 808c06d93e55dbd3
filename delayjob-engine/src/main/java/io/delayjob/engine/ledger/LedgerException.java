package io.delayjob.engine.ledger;

import io.delayjob.DelayJobException;
import org.jspecify.annotations.Nullable;

/** A call to the ledger that got no answer. */
public sealed class LedgerException extends DelayJobException permits NotReplicatedException {

    private static final long serialVersionUID = 1L;

    /** What is known of a failed call. */
    public enum Kind {
        /** It did not run and a repeat will not either, until somebody repairs Redis: out of memory, wrong type, no permission. */
        REFUSED,
        /** It did not run; a repeat may: no connection, loading, failing over. */
        NOT_RUN,
        /** It may have run: the reply was lost. */
        UNKNOWN,
        /** It ran, and fewer replicas than wanted acknowledged it in time; see {@link NotReplicatedException}. */
        NOT_REPLICATED,
        /** It ran, now or before, and the answer makes no sense: neither would that to a repeat. */
        GARBLED,
        /** The client was shut down. */
        SHUT_DOWN
    }

    /** What is known. */
    private final Kind kind;

    /** A failure of this kind. */
    public LedgerException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** What is known of a call that failed so in the end, and of which an earlier try may have run. */
    public LedgerException afterATryThatMayHaveRun() {
        return new LedgerException(Kind.UNKNOWN, String.valueOf(getMessage()), this);
    }

    /** Whether the call may have taken effect, or has. */
    public boolean mayHaveRun() {
        return kind == Kind.UNKNOWN || kind == Kind.NOT_REPLICATED;
    }

    /** What is known of the call. */
    public Kind kind() {
        return kind;
    }
}
