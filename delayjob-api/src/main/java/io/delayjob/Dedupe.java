package io.delayjob;

import io.delayjob.support.Checks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Lets at most one job of a key stand in a queue at a time. Redis decides it in the step that stores the job, so it holds for any
 * number of concurrent submitters.
 *
 * <pre>{@code
 * DelayJobRequest.toTopic("reindex", shop).withDedupe(Dedupe.untilStarted("reindex-" + shop.id()).postponing())
 * }</pre>
 *
 * <p>A dead job has given its key up, and a redrive does not take it back: the job that it makes ready again may stand beside
 * another one of its key.
 *
 * @param key what makes jobs alike, 1 to 256 characters without control characters; one space of keys for each queue
 * @param scope how long a job keeps its key
 * @param mode what becomes of a second job of a key that is taken
 * @param window how long from the submit the key is kept, by Redis' clock; null unless {@link Scope#WINDOW}
 */
public record Dedupe(
        String key, Scope scope, Mode mode, @Nullable Duration window) {

    /** How long a job keeps its key. */
    public enum Scope {
        /** Until its first attempt begins. */
        UNTIL_STARTED,
        /** Until it is completed, cancelled or dead. */
        UNTIL_FINISHED,
        /** For a time, whatever becomes of the job. */
        WINDOW
    }

    /** What becomes of a second job of a key that is taken. */
    public enum Mode {
        /** Nothing: the first one stands. */
        KEEP_FIRST,
        /**
         * It takes the place of the first one, which is removed, if that is waiting for its first attempt; else the first one
         * stands.
         */
        REPLACE,
        /**
         * The first one keeps its id and gets everything else of the second, its due time and its param included, if it is waiting
         * for its first attempt; else the first one stands. So a stream of submits is run once, when it has ended, with the last
         * param. With {@link Scope#UNTIL_STARTED} a submit that comes while the job runs is a new job, so that its param is run too;
         * with {@link Scope#UNTIL_FINISHED} it is dropped.
         */
        POSTPONE
    }

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is out of its range, naming it
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
     * A key that is kept for a time from the submit; replacing and postponing begin it anew.
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
