package io.delayjob.support;

import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes text of others, such as a worker's error, safe to log: none of its lines can be taken for an entry of the log. */
public final class Logged {

    private static final char LINE_SEPARATOR = '\u2028';
    private static final char PARAGRAPH_SEPARATOR = '\u2029';

    private Logged() {}

    /** The text with a tab before each line but the first, as a stack trace has it, and with all other control characters escaped. */
    public static String text(@Nullable String text) {
        return text == null ? "null" : text.lines().map(Logged::line).collect(Collectors.joining("\n\t"));
    }

    private static String line(String line) {
        StringBuilder out = new StringBuilder(line.length());
        line.codePoints().forEach(character -> append(out, character));
        return out.toString();
    }

    private static void append(StringBuilder out, int character) {
        if (character != '\t' && (Character.isISOControl(character) || breaksLines(character))) {
            out.append(String.format("\\u%04x", character));
        } else {
            out.appendCodePoint(character);
        }
    }

    private static boolean breaksLines(int character) {
        return character == LINE_SEPARATOR || character == PARAGRAPH_SEPARATOR;
    }
}
