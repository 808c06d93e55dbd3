package io.delayjob.delivery;

/** A {@link Maker} may not do this with a topic. Nothing was changed. */
public final class RefusedBindingException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** Why it may not. */
    public enum Reason {
        /** The topic or target belongs to a queue that is not its own. */
        NOT_ITS_OWN,
        /** This maker, or all makers together, have made as much as they may. */
        TOO_MANY
    }

    /**
     * A refusal.
     *
     * @param reason why
     * @param message the same in words, and what to do
     */
    public RefusedBindingException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /**
     * Why it was refused.
     *
     * @return the reason
     */
    public Reason reason() {
        return reason;
    }
}
