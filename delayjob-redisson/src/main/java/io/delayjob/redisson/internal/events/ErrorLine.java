package io.delayjob.redisson.internal.events;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Why an attempt failed or a job was given up, in one short line, without what may quote the job's param. */
final class ErrorLine {

    private static final int LONGEST = 300;

    private ErrorLine() {}

    /** The failure; only its class if it may quote the param. An application's exception may itself throw when it is asked. */
    static String of(Throwable failure) {
        try {
            return mayQuoteTheParam(failure) ? failure.getClass().getName() : first(failure.toString());
        } catch (RuntimeException | Error e) {
            return failure.getClass().getName();
        }
    }

    /**
     * The reason, as far as it is delayjob's own, and the failure.
     *
     * @param reason the reason, with the failure and its stack trace after the first colon if there is one
     */
    static String of(String reason, @Nullable Throwable failure) {
        if (failure == null) {
            return first(reason);
        }
        int end = reason.indexOf(": ");
        return first((end < 0 ? "" : first(reason.substring(0, end)) + ": ") + of(failure));
    }

    /** Whether the failure may come from binding a param or header to its type: its message may then name the value. */
    private static boolean mayQuoteTheParam(Throwable failure) {
        for (Throwable one = failure; one != null && one != one.getCause(); one = one.getCause()) {
            if (one instanceof JacksonException
                    || one.getClass().getSimpleName().contains("Conversion")) {
                return true;
            }
        }
        return false;
    }

    private static String first(String text) {
        String line = text.strip().lines().findFirst().orElse("");
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
    }
}
