package io.delayjob;

import io.delayjob.support.Checks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Limits a queue to one job of a key at a time. Redis checks the key in the same step that stores the job, so the limit holds for
 * any number of concurrent submitters.
 *
 * <pre>{@code
 * DelayJobRequest.toTopic("reindex", shop).withDedupe(Dedupe.untilStarted("reindex-" + shop.id()).postponing())
 * }</pre>
 *
 * <p>A dead job no longer holds its key, and a redrive does not take the key back: a redriven job may exist beside another job of
 * the same key.
 *
 * @param key the key that duplicates share, 1 to 256 characters without control characters; each queue has its own keys
 * @param scope how long a job keeps its key
 * @param mode how a second job whose key is taken is handled
 * @param window how long the key is kept after the submit, by Redis' clock, at least 1 ms; null unless {@link Scope#WINDOW}
 */
public record Dedupe(
        String key, Scope scope, Mode mode, @Nullable Duration window) {

    /** How long a job keeps its key. */
    public enum Scope {
        /** Until its first attempt begins. */
        UNTIL_STARTED,
        /** Until it is completed, cancelled or dead. */
        UNTIL_FINISHED,
        /** For a fixed time, whatever happens to the job. */
        WINDOW
    }

    /** How a second job whose key is taken is handled. */
    public enum Mode {
        /** It is not stored: the first job stays as it is. */
        KEEP_FIRST,
        /**
         * It replaces the first job, which is removed, if that is waiting for its first attempt; else the first job stays as it is.
         */
        REPLACE,
        /**
         * If the first job is waiting for its first attempt, it keeps its id and gets everything else from the second, including
         * its due time and its param; else the first job stays as it is. So a series of submits runs once, after the last of them,
         * with the last param. While the job runs, a submit with {@link Scope#UNTIL_STARTED} becomes a new job, so that its param
         * is run too, and a submit with {@link Scope#UNTIL_FINISHED} is dropped.
         */
        POSTPONE
    }

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a value is out of range; the message names it
     */
    public Dedupe {
        Checks.dedupeKey(key);
        Checks.notNull(scope, "dedupe scope");
        Checks.notNull(mode, "dedupe mode");
        if (scope == Scope.WINDOW) {
            Checks.positive(window, "dedupe window");
        } else if (window != null) {
            throw new IllegalArgumentException("dedupe window must be null unless the scope is WINDOW: " + window);
        }
    }

    /**
     * A key that is kept until the first attempt begins.
     *
     * @param key 1 to 256 characters
     * @return with {@link Mode#KEEP_FIRST}
     */
    public static Dedupe untilStarted(String key) {
        return new Dedupe(key, Scope.UNTIL_STARTED, Mode.KEEP_FIRST, null);
    }

    /**
     * A key that is kept until the job is completed, cancelled or dead.
     *
     * @param key 1 to 256 characters
     * @return with {@link Mode#KEEP_FIRST}
     */
    public static Dedupe untilFinished(String key) {
        return new Dedupe(key, Scope.UNTIL_FINISHED, Mode.KEEP_FIRST, null);
    }

    /**
     * A key that is kept for a fixed time after the submit; a submit that replaces or postpones the job starts the time again.
     *
     * @param key 1 to 256 characters
     * @param window how long, at least 1 ms
     * @return with {@link Mode#KEEP_FIRST}
     */
    public static Dedupe within(String key, Duration window) {
        return new Dedupe(key, Scope.WINDOW, Mode.KEEP_FIRST, window);
    }

    /** {@return a copy with {@link Mode#REPLACE}} */
    public Dedupe replacing() {
        return new Dedupe(key, scope, Mode.REPLACE, window);
    }

    /** {@return a copy with {@link Mode#POSTPONE}} */
    public Dedupe postponing() {
        return new Dedupe(key, scope, Mode.POSTPONE, window);
    }
}
