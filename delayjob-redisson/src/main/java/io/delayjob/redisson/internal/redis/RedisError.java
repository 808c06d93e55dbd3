package io.delayjob.redisson.internal.redis;

import java.util.regex.Pattern;

/**
 * A copy of an exception of the Redis client without the command's arguments: Redisson prints them into its messages, and those of
 * a submit contain params. It keeps the class name, the rest of the message and the stack trace.
 */
final class RedisError extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final Pattern SENT = Pattern.compile("(?is)[,;.]?\\s*(?:\\bcommand\\b|\\bparams\\b).*");

    private RedisError(Throwable failure) {
        super(words(failure));
        setStackTrace(failure.getStackTrace());
        if (failure.getCause() != null && failure.getCause() != failure) {
            initCause(of(failure.getCause()));
        }
    }

    static RedisError of(Throwable failure) {
        return new RedisError(failure);
    }

    private static String words(Throwable failure) {
        String message = failure.getMessage() == null ? "" : ": " + failure.getMessage();
        return failure.getClass().getName() + SENT.matcher(message).replaceFirst("");
    }
}
