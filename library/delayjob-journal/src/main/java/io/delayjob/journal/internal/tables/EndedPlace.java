package io.delayjob.journal.internal.tables;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Behind which job a page of those that have ended begins.
 *
 * @param millis when it ended; 0 in the order of ids, and of one that has not ended in the order of a mark
 * @param seq the number of its row; 0 in the order of ids
 * @param id its id; empty in the order of ends
 */
public record EndedPlace(long millis, long seq, String id) {

    private static final Pattern TIME = Pattern.compile("t(-?\\d{1,18}):(\\d{1,18})");

    static EndedPlace behind(long millis, long seq) {
        return new EndedPlace(millis, seq, "");
    }

    static EndedPlace behind(String id) {
        return new EndedPlace(0, 0, id);
    }

    /**
     * Reads what {@link #toString} wrote.
     *
     * @param byId in which order the page is
     * @throws IllegalArgumentException if it is something else, or of the other order
     */
    public static @Nullable EndedPlace of(@Nullable String cursor, boolean byId) {
        if (cursor == null) {
            return null;
        }
        Matcher time = TIME.matcher(cursor);
        if (byId && cursor.startsWith("i") && cursor.length() > 1) {
            return behind(cursor.substring(1));
        } else if (!byId && time.matches()) {
            return behind(Long.parseLong(time.group(1)), Long.parseLong(time.group(2)));
        }
        throw new IllegalArgumentException("cursor is not the next of a page of such a search: '" + cursor + "'");
    }

    @Override
    public String toString() {
        return id.isEmpty() ? "t" + millis + ":" + seq : "i" + id;
    }
}
