package io.delayjob.engine.ledger;

import io.delayjob.Limits;
import org.jspecify.annotations.Nullable;

/**
 * All that was set for a queue, or for a key, as a shard has it.
 *
 * @param key the key; empty for the queue
 * @param limits those of the queue as a whole, or of the key; null if none were set
 * @param paused whether the queue or the key is paused
 */
public record SetLimits(String key, @Nullable Limits limits, boolean paused) {

    /** Nothing. */
    public static SetLimits nothing(String key) {
        return new SetLimits(key, null, false);
    }

    /** The same limits, paused or not. */
    public SetLimits withPaused(boolean isPaused) {
        return new SetLimits(key, limits, isPaused);
    }

    /** These others; these limits if the others have none; and paused if either is. */
    public SetLimits overriddenBy(SetLimits others) {
        return new SetLimits(key, others.limits == null ? limits : others.limits, paused || others.paused);
    }

    /** Whether they are those of the queue. */
    public boolean isOfQueue() {
        return key.isEmpty();
    }

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
        Limits limits = lines[0].isEmpty() ? null : PackedLimits.read(lines[0], lines.length > 1 ? lines[1] : "");
        return new SetLimits(key, limits, lines.length > 2 && !lines[2].isEmpty());
    }

    /**
     * Three lines: the limits, see {@link PackedLimits#marked}; those of each key, if they are those of the queue; and 1 if it is paused. Null for nothing.
     */
    public @Nullable String text() {
        if (isNothing()) {
            return null;
        }
        String own = limits == null ? "" : PackedLimits.marked(limits);
        String each = limits == null ? "" : PackedLimits.of(limits.perKey());
        return own + "\n" + each + "\n" + (paused ? "1" : "");
    }
}
