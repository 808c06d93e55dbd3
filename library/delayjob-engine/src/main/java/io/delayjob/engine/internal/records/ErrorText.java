package io.delayjob.engine.internal.records;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** The text of errors as it is stored in Redis: with the stack trace, cut to a length that bounds the memory of many errors. */
public final class ErrorText {

    private static final int LONGEST = 8192;
    private static final int SUMMARY = 300;

    private ErrorText() {}

    /** The failure with its stack trace. An application's exception may itself throw when it is asked for its message. */
    public static String of(Throwable failure) {
        try {
            StringWriter text = new StringWriter();
            failure.printStackTrace(new PrintWriter(text, true));
            return cut(text.toString());
        } catch (RuntimeException | Error e) {
            return nameOf(failure);
        }
    }

    /** The failure in one line. */
    public static String lineOf(Throwable failure) {
        try {
            return inOneLine(cut(failure.toString()).lines());
        } catch (RuntimeException | Error e) {
            return nameOf(failure);
        }
    }

    /** The message of a stored error, without the stack trace, in one line. */
    public static String summary(String text) {
        String message = inOneLine(text.lines().takeWhile(line -> !line.startsWith("\tat ")));
        return message.length() <= SUMMARY ? message : message.substring(0, SUMMARY) + "…";
    }

    private static String inOneLine(Stream<String> lines) {
        return lines.map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.joining(" "));
    }

    /** The failure's class and its place in the JSON, without the value. */
    public static String placeOf(Throwable failure) {
        String path = failure instanceof JacksonException jackson ? jackson.getPathReference() : "";
        return failure.getClass().getName() + (path.isEmpty() ? "" : " at " + path);
    }

    private static String nameOf(Throwable failure) {
        return failure.getClass().getName() + " (its message could not be read)";
    }

    public static String of(String reason, @Nullable Throwable failure) {
        return failure == null ? cut(reason) : cut(reason + ": " + of(failure));
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
