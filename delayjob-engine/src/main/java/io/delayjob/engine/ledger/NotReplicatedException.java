package io.delayjob.engine.ledger;

/** A call that ran on the master, and that too few replicas acknowledged in time. */
public final class NotReplicatedException extends LedgerException {

    private static final long serialVersionUID = 1L;

    /** How many replicas were to acknowledge it. */
    private final int required;

    /** How many did. */
    private final int reached;

    /** So many of so many. */
    public NotReplicatedException(int required, int reached, String message) {
        super(Kind.NOT_REPLICATED, message, null);
        this.required = required;
        this.reached = reached;
    }

    /** The last try says all that is known. */
    @Override
    public LedgerException afterATryThatMayHaveRun() {
        return this;
    }

    /** How many replicas were to acknowledge it. */
    public int required() {
        return required;
    }

    /** How many did. */
    public int reached() {
        return reached;
    }
}
