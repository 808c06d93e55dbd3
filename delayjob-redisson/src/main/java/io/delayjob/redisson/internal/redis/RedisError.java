package io.delayjob.redisson.internal.redis;

import java.util.regex.Pattern;

/**
 * What the Redis client threw, without what it was about to send: Redisson prints a command's arguments into its messages, and those
 * of a submit are params. Class, words and stack trace are as they were.
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
