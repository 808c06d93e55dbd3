package io.delayjob.engine.extension;

import io.delayjob.DelayJobException;

/** A job is just being brought from the journal to the ledger, so neither can act on it alone. The ledger has it in a moment. */
public final class JobOnItsWayException extends DelayJobException {

    private static final long serialVersionUID = 1L;

    public JobOnItsWayException(String queue, String id) {
        super(
                "job '" + id + "' of queue '" + queue
                        + "' is just being brought to Redis, and was not there in time; try again in a moment",
                null);
    }
}
