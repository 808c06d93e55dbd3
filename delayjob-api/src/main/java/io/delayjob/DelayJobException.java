package io.delayjob;

import org.jspecify.annotations.Nullable;

/** The superclass of everything that delayjob throws, except for invalid arguments and calls in the wrong state. */
public class DelayJobException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * With a message and its cause.
     *
     * @param message the problem and its remedy
     * @param cause the cause, or null
     */
    public DelayJobException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
