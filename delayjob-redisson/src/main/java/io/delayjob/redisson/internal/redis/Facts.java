package io.delayjob.redisson.internal.redis;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a job, but for its dedupe key, unpacked as include/facts.lua packs them; {@link #NONE} where there are none, or
 * something else.
 */
record Facts(
        String token,
        int attempt,
        @Nullable Long dueMillis,
        @Nullable Long leaseMillis,
        @Nullable Long sinceMillis,
        @Nullable String node,
        int lost,
        @Nullable Long claimedMillis) {

    /** As include/facts.lua takes it: counts of at most 9 digits, times of at most 15. */
    private static final Pattern PACKED = Pattern.compile(
            "token=([^|]*)\\|attempt=(\\d{1,9})\\|due=(\\d{0,15})\\|lease=(\\d{0,15})\\|since=(\\d{0,15})\\|node=([^|]*)"
                    + "\\|lost=(\\d{0,9})\\|claimed=(\\d{0,15})(?:\\|.*)?\\|key=.*",
            Pattern.DOTALL);

    private static final Facts NONE = new Facts("", 0, null, null, null, null, 0, null);

    /** Of a job in a claim's answer, which names the due time alone of one that had no facts before. */
    static Facts claimed(String known, String token) {
        return known.indexOf('|') < 0
                ? new Facts(token, 1, Long.valueOf(known), null, null, null, 0, null)
                : unpack(known);
    }

    static Facts unpack(String packed) {
        Matcher parts = PACKED.matcher(packed);
        if (!parts.matches()) {
            return NONE;
        }
        return new Facts(
                parts.group(1),
                Integer.parseInt(parts.group(2)),
                number(parts.group(3)),
                number(parts.group(4)),
                number(parts.group(5)),
                present(parts.group(6)),
                parts.group(7).isEmpty() ? 0 : Integer.parseInt(parts.group(7)),
                number(parts.group(8)));
    }

    static @Nullable Long number(String text) {
        return text.isEmpty() ? null : Long.valueOf(text);
    }

    static @Nullable String present(String text) {
        return text.isEmpty() ? null : text;
    }
}
