package io.delayjob.server.console.internal.jobs;

import io.delayjob.server.console.internal.pages.BadInput;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How far a search has come, in parts.
 *
 * @param found how many jobs were found
 * @param live how many were looked at in Redis
 * @param ended how many were looked at in the journal
 * @param parts how many parts it was asked for by the page itself
 */
record SoFar(long found, long live, long ended, int parts) {

    static final SoFar NOTHING = new SoFar(0, 0, 0, 0);

    private static final Pattern TEXT = Pattern.compile("(\\d{1,12})\\.(\\d{1,12})\\.(\\d{1,12})\\.(\\d{1,6})");

    /**
     * Reads what {@link #text} wrote; nothing if there is none.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static SoFar of(@Nullable String text) {
        Matcher numbers = TEXT.matcher(Objects.requireNonNullElse(text, NOTHING.text()));
        if (!numbers.matches()) {
            throw BadInput.of("place");
        }
        return new SoFar(
                Long.parseLong(numbers.group(1)),
                Long.parseLong(numbers.group(2)),
                Long.parseLong(numbers.group(3)),
                Integer.parseInt(numbers.group(4)));
    }

    SoFar and(Search.Found part) {
        return new SoFar(found + part.size(), live + part.examined(), ended + part.examinedEnded(), parts + 1);
    }

    /** The same on another page. */
    SoFar onNextPage() {
        return new SoFar(0, live, ended, 0);
    }

    String text() {
        return found + "." + live + "." + ended + "." + parts;
    }
}
