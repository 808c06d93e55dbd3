package io.delayjob.server.console.internal.jobs;

import io.delayjob.server.console.internal.pages.BadInput;
import io.delayjob.support.Checks;
import io.delayjob.support.Digests;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The cause that the errors of many jobs have in common: the exception, and where it was thrown.
 *
 * @param what the name of the exception; of an error without one, its first line with numbers, ids and quoted texts replaced
 * @param place where it was thrown: the first line of the stack trace that is no library's; empty if there is none
 */
public record Fault(String what, String place) {

    private static final Pattern EXCEPTION = Pattern.compile("^([\\w.$]*(?:Exception|Error|Throwable|Failure))\\b.*");
    /** The prefix of the error of a last attempt, set by the engine; the errors of earlier attempts have none. */
    private static final Pattern LAST_ATTEMPT = Pattern.compile("^attempt \\d+ of \\d+ failed: ");

    private static final Pattern VARYING =
            Pattern.compile("\"[^\"]*\"|'[^']*'|\\b[0-9a-fA-F]{8,}(?:-[0-9a-fA-F]+)*\\b|\\d+");
    private static final List<String> LIBRARIES = List.of(
            "java.", "jdk.", "sun.", "javax.", "jakarta.", "org.springframework.", "io.delayjob.engine.", "reactor.");
    private static final int LONGEST = 160;
    private static final int KEY = 16;
    private static final Pattern KEYS = Pattern.compile("[0-9a-f]{16}");

    /** That of the text of an error. */
    public static Fault of(String error) {
        String first =
                LAST_ATTEMPT.matcher(error.lines().findFirst().orElse("")).replaceFirst("");
        Matcher exception = EXCEPTION.matcher(first);
        String what = exception.matches()
                ? exception.group(1)
                : VARYING.matcher(first).replaceAll("#");
        return new Fault(what.length() > LONGEST ? what.substring(0, LONGEST) + "…" : what, place(error));
    }

    private static String place(String error) {
        List<String> lines = error.lines()
                .map(String::strip)
                .filter(line -> line.startsWith("at "))
                .map(line -> line.substring("at ".length()))
                .toList();
        Optional<String> own = lines.stream()
                .filter(line -> LIBRARIES.stream().noneMatch(withoutModule(line)::startsWith))
                .findFirst();
        return own.or(() -> lines.stream().findFirst()).orElse("");
    }

    private static String withoutModule(String line) {
        int slash = line.lastIndexOf('/', Math.max(0, line.indexOf('(')));
        return line.substring(slash + 1);
    }

    /** Names it in an address. */
    public String key() {
        return Digests.sha256(what + "\n" + place).substring(0, KEY);
    }

    /**
     * Whether an error has the fault of a {@link #key()}.
     *
     * @param error the error; null if there is none
     */
    public static boolean isOf(@Nullable String error, String key) {
        return error != null && of(error).key().equals(key);
    }

    /** A {@link #key()} that somebody gave, if it can be one. */
    static String checked(String key) {
        if (!KEYS.matcher(key).matches()) {
            throw BadInput.of("fault", Checks.shown(key));
        }
        return key;
    }

    /** The fault as text for people: the exception, and where it was thrown. */
    public String text() {
        return place.isEmpty() ? what : what + " " + place;
    }

    /** The exception without its package. */
    public String shortName() {
        return isException() ? what.substring(what.lastIndexOf('.') + 1) : what;
    }

    /** Whether what failed is named by an exception, and not by a message without its numbers. */
    public boolean isException() {
        return EXCEPTION.matcher(what).matches();
    }
}
