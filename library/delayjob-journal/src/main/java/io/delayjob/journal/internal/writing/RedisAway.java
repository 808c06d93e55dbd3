package io.delayjob.journal.internal.writing;

import io.delayjob.DelayJobException;

/** A call to the ledger failed. */
final class RedisAway extends DelayJobException {

    private static final long serialVersionUID = 1L;

    private final boolean forGood;

    RedisAway(Throwable cause, boolean forGood) {
        super(String.valueOf(cause.getMessage()), cause);
        this.forGood = forGood;
    }

    /** Whether its client was shut down. */
    boolean forGood() {
        return forGood;
    }
}
