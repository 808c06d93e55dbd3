package io.delayjob.journal.internal.tables;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Beginnings of ids, in databases that compare bytes (UTF-8) and in H2, which compares Java's characters. */
final class Prefixes {

    /** From here on, the order of characters and that of bytes differ. */
    private static final char ORDERS_DIFFER = '\uD7FF';

    /** The order of bytes. */
    static final Comparator<String> BYTES =
            (a, b) -> Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

    private Prefixes() {}

    /** The first text, in both orders, that is behind all that begin with a prefix; others may be before it too. Null if there is none. */
    static @Nullable String endOf(String prefix) {
        int last = prefix.length() - 1;
        while (last >= 0 && prefix.charAt(last) >= ORDERS_DIFFER) {
            last--;
        }
        return last < 0 ? null : prefix.substring(0, last) + (char) (prefix.charAt(last) + 1);
    }
}
