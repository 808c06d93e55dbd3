package io.delayjob.engine.ledger;

/** Thrown when a call ran on the master, but too few replicas acknowledged it in time. */
public final class NotReplicatedException extends LedgerException {

    private static final long serialVersionUID = 1L;

    /** How many replicas were to acknowledge it. */
    private final int required;

    /** How many did. */
    private final int reached;

    /** Creates an exception with the two numbers of replicas. */
    public NotReplicatedException(int required, int reached, String message) {
        super(Kind.NOT_REPLICATED, message, null);
        this.required = required;
        this.reached = reached;
    }

    /** The call ran: an earlier try that may have run adds nothing. */
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
