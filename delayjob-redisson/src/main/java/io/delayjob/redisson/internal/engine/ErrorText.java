package io.delayjob.redisson.internal.engine;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/** Errors as they are kept in Redis: with stack trace, cut to a length that bounds what a million of them take. */
final class ErrorText {

    private static final int LONGEST = 8192;

    private ErrorText() {}

    /** With stack trace. What an application throws may throw itself when it is asked for its message. */
    static String of(Throwable failure) {
        try {
            StringWriter text = new StringWriter();
            failure.printStackTrace(new PrintWriter(text, true));
            return cut(text.toString());
        } catch (RuntimeException | Error e) {
            return nameOf(failure);
        }
    }

    /** In a line. */
    static String lineOf(Throwable failure) {
        try {
            return cut(failure.toString());
        } catch (RuntimeException | Error e) {
            return nameOf(failure);
        }
    }

    private static String nameOf(Throwable failure) {
        return failure.getClass().getName() + " (which cannot tell its message)";
    }

    static String of(String reason, @Nullable Throwable failure) {
        return failure == null ? cut(reason) : cut(reason + ": " + of(failure));
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
