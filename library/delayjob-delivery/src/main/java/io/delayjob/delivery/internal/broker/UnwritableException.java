package io.delayjob.delivery.internal.broker;

/** No attempt can write a job as a message, such as one whose headers the client of the broker does not take. */
public final class UnwritableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UnwritableException(String message, Exception cause) {
        super(message, cause);
    }
}
