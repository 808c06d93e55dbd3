package io.delayjob.engine.ledger;

import io.delayjob.Limits;
import org.jspecify.annotations.Nullable;

/**
 * The limits that were set for a queue, or for a key, as a shard has them.
 *
 * @param key the key; empty for the queue
 * @param limits those of the queue as a whole, or of the key; null if none were set
 * @param paused whether the key is paused
 */
public record SetLimits(String key, @Nullable Limits limits, boolean paused) {

    /** Whether nothing was set, or all was cleared. */
    public boolean isNothing() {
        return limits == null && !paused;
    }

    /**
     * Reads what {@link #text()} wrote.
     *
     * @param text null for nothing
     */
    public static SetLimits read(String key, @Nullable String text) {
        String[] lines = (text == null ? "" : text).split("\n", -1);
        String more = lines.length < 2 ? "" : lines[1];
        boolean isOfKey = !key.isEmpty();
        Limits limits = lines[0].isEmpty() ? null : PackedLimits.read(lines[0], isOfKey ? "" : more);
        return new SetLimits(key, limits, isOfKey && !more.isEmpty());
    }

    /**
     * Two lines: the limits, see {@link PackedLimits#marked}; and for the queue the limits of each key, for a key 1 if it is paused. Null for nothing.
     */
    public @Nullable String text() {
        if (isNothing()) {
            return null;
        }
        String own = limits == null ? "" : PackedLimits.marked(limits);
        String each = limits == null ? "" : PackedLimits.of(limits.perKey());
        return own + "\n" + (key.isEmpty() ? each : paused ? "1" : "");
    }
}
