package io.delayjob.redisson.internal.redis;

import io.delayjob.engine.ledger.Attempt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The facts of a job that nodes read, in the format of include/facts.lua; {@link #NONE} if they are missing or invalid. */
record Facts(
        String token,
        Attempt attempt,
        @Nullable Long leaseMillis,
        @Nullable String node,
        int lost,
        boolean begun) {

    /** The same pattern as in include/facts.lua: counts of at most 9 digits, times of at most 15. */
    private static final Pattern PACKED = Pattern.compile(
            "token=([^|]*)\\|attempt=(\\d{1,9})\\|due=(\\d{0,15})\\|lease=(\\d{0,15})\\|since=(\\d{0,15})\\|node=([^|]*)"
                    + "\\|lost=(\\d{0,9})\\|claimed=(\\d{0,15})((?:\\|.*?)?)\\|key=.*",
            Pattern.DOTALL);

    private static final Facts NONE = new Facts("", Attempt.NONE, null, null, 0, false);

    /** Reads the facts of a job in the answer to a claim, which contains only the due time of a job that had no facts before. */
    static Facts claimed(String known, String token, long now) {
        return known.indexOf('|') < 0
                ? new Facts(token, first(Long.parseLong(known), now), null, null, 0, false)
                : unpack(known);
    }

    private static Attempt first(long due, long now) {
        return new Attempt(1, due, Math.max(due, now), null);
    }

    static Facts unpack(String packed) {
        Matcher parts = PACKED.matcher(packed);
        if (!parts.matches()) {
            return NONE;
        }
        return new Facts(
                parts.group(1),
                attempt(parts),
                number(parts.group(4)),
                present(parts.group(6)),
                parts.group(7).isEmpty() ? 0 : Integer.parseInt(parts.group(7)),
                (parts.group(9) + "|").contains("|begun=1|"));
    }

    private static Attempt attempt(Matcher parts) {
        return new Attempt(
                Integer.parseInt(parts.group(2)),
                number(parts.group(3)),
                number(parts.group(8)),
                number(parts.group(5)));
    }

    static @Nullable Long number(String text) {
        return text.isEmpty() ? null : Long.valueOf(text);
    }

    static @Nullable String present(String text) {
        return text.isEmpty() ? null : text;
    }
}
