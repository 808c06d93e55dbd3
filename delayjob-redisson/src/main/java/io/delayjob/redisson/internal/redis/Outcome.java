package io.delayjob.redisson.internal.redis;

import io.delayjob.Progress;
import org.jspecify.annotations.Nullable;

/** How a retained job ended, unpacked as include/retain.lua packs it; {@link #NONE} where there is none, or something else. */
record Outcome(
        int attempt,
        @Nullable Long dueMillis,
        @Nullable Long claimedMillis,
        @Nullable Progress progress,
        @Nullable String result) {

    private static final Outcome NONE = new Outcome(0, null, null, null, null);

    static Outcome unpack(String packed) {
        int line = packed.indexOf('\n');
        String[] parts = packed.substring(0, Math.max(0, line)).split("\\|", 5);
        if (parts.length < 4) {
            return NONE;
        }
        try {
            return new Outcome(
                    Integer.parseInt(parts[1]),
                    Facts.number(parts[2]),
                    Facts.number(parts[3]),
                    progress(parts.length == 5 ? parts[4] : ""),
                    Facts.present(packed.substring(line + 1)));
        } catch (NumberFormatException e) {
            return NONE;
        }
    }

    /** A progress as the scripts keep it: percent|text; null if it is none. */
    static @Nullable Progress progress(String packed) {
        int bar = packed.indexOf('|');
        try {
            return bar < 0 ? null : new Progress(Integer.parseInt(packed.substring(0, bar)), packed.substring(bar + 1));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    static String pack(Progress progress) {
        return progress.percent() + "|" + progress.text();
    }
}
