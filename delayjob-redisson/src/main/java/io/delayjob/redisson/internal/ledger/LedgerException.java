package io.delayjob.redisson.internal.ledger;

import io.delayjob.DelayJobException;

/** A call to the ledger that got no answer. */
public final class LedgerException extends DelayJobException {

    private static final long serialVersionUID = 1L;

    /** What is known of a failed call. */
    public enum Kind {
        /** It did not run and a repeat will not either, until somebody mends Redis: out of memory, wrong type, no permission. */
        REFUSED,
        /** It did not run; a repeat may: no connection, loading, failing over. */
        NOT_RUN,
        /** It may have run: the reply was lost. */
        UNKNOWN,
        /** The client was shut down. */
        SHUT_DOWN
    }

    /** What is known. */
    private final Kind kind;

    /** A failure of this kind. */
    public LedgerException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** What is known of the call. */
    public Kind kind() {
        return kind;
    }
}
