package io.delayjob.redisson.internal.redis;

import org.jspecify.annotations.Nullable;

/** The facts of a job, unpacked as include/facts.lua packs them; {@link #NONE} where there are none, or something else. */
record Facts(
        String token,
        int attempt,
        @Nullable Long dueMillis,
        @Nullable Long leaseMillis,
        @Nullable Long sinceMillis,
        @Nullable String node) {

    private static final Facts NONE = new Facts("", 0, null, null, null, null);

    static Facts unpack(String packed) {
        String[] parts = packed.split("\\|", -1);
        if (parts.length != 6) {
            return NONE;
        }
        try {
            return new Facts(
                    parts[0],
                    Integer.parseInt(parts[1]),
                    number(parts[2]),
                    number(parts[3]),
                    number(parts[4]),
                    parts[5].isEmpty() ? null : parts[5]);
        } catch (NumberFormatException e) {
            return NONE;
        }
    }

    private static @Nullable Long number(String text) {
        return text.isEmpty() ? null : Long.valueOf(text);
    }
}
