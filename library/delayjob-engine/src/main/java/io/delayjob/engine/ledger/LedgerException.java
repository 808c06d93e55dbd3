package io.delayjob.engine.ledger;

import io.delayjob.DelayJobException;
import org.jspecify.annotations.Nullable;

/** Thrown when a call to the ledger fails; {@link #kind()} says what is known of the call. */
public sealed class LedgerException extends DelayJobException permits NotReplicatedException {

    private static final long serialVersionUID = 1L;

    /** The outcome of a failed call, as far as it is known. */
    public enum Kind {
        /**
         * It did not run, and a repeat will not run either until somebody repairs Redis: out of memory, wrong type, no permission.
         */
        REFUSED,
        /** It did not run, but a repeat may: no connection, Redis is loading or failing over. */
        NOT_RUN,
        /** It may have run, but the reply was lost. */
        UNKNOWN,
        /** It ran, but fewer replicas than required acknowledged it in time; see {@link NotReplicatedException}. */
        NOT_REPLICATED,
        /** It ran, now or before, but its answer is invalid; a repeat would get the same answer. */
        GARBLED,
        /** The client was shut down. */
        SHUT_DOWN
    }

    /** The outcome of the call, as far as it is known. */
    private final Kind kind;

    /** Creates an exception of this kind. */
    public LedgerException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** The exception for a call whose last try failed like this, and of which an earlier try may have run. */
    public LedgerException afterATryThatMayHaveRun() {
        return new LedgerException(Kind.UNKNOWN, String.valueOf(getMessage()), this);
    }

    /** Whether the call has or may have taken effect. */
    public boolean mayHaveRun() {
        return kind == Kind.UNKNOWN || kind == Kind.NOT_REPLICATED;
    }

    /** The outcome of the call, as far as it is known. */
    public Kind kind() {
        return kind;
    }
}
