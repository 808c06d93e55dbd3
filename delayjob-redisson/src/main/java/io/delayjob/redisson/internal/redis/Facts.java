package io.delayjob.redisson.internal.redis;

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

    private static final Facts NONE = new Facts("", 0, null, null, null, null, 0, null);

    static Facts unpack(String packed) {
        String[] parts = packed.split("\\|", 9);
        if (parts.length != 9) {
            return NONE;
        }
        try {
            return new Facts(
                    parts[0],
                    Integer.parseInt(parts[1]),
                    number(parts[2]),
                    number(parts[3]),
                    number(parts[4]),
                    present(parts[5]),
                    parts[6].isEmpty() ? 0 : Integer.parseInt(parts[6]),
                    number(parts[7]));
        } catch (NumberFormatException e) {
            return NONE;
        }
    }

    static @Nullable Long number(String text) {
        return text.isEmpty() ? null : Long.valueOf(text);
    }

    static @Nullable String present(String text) {
        return text.isEmpty() ? null : text;
    }
}
