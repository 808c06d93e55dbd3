package io.delayjob;

import org.jspecify.annotations.Nullable;

/** The superclass of everything that delayjob throws, except for invalid arguments and calls in the wrong state. */
public class DelayJobException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * With a message and its cause.
     *
     * @param message what went wrong and what can be done
     * @param cause what led to it, or null
     */
    public DelayJobException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
