package io.delayjob;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a queue, and what they hold back. Read from each shard in turn, so that the parts may be of slightly different times.
 *
 * @param queue the queue
 * @param set the limits that were set with {@link DelayJobAdmin#setLimits(String, Limits)}; null if those of the settings apply
 * @param configured the limits in the settings of the nodes that run the queue's jobs; without any, {@link Limits#NONE}
 * @param keys the limits of keys that have their own
 * @param pausedKeys the keys that are paused
 * @param heldKeys how many keys have a job that is due and may not begin, because as many as may at once run, because of a rate, because the key
 *     is paused or was slowed, or because another of its jobs, which is dead or waits for its next attempt, comes first in a strict order
 * @param limitedJobs how many due jobs are held back: all, if the limits of the queue let none begin now, else those of held keys. Of more than 200 held
 *     keys of a shard, each of the others counts as one job
 * @param keyedJobs how many jobs with a key wait, due or not
 * @param longest those of the held keys whose next job has waited longest, first the longest; at most {@value #MOST_LONGEST}
 */
public record DelayJobLimits(
        String queue,
        @Nullable Limits set,
        Limits configured,
        Map<String, Limits> keys,
        List<String> pausedKeys,
        long heldKeys,
        long limitedJobs,
        long keyedJobs,
        List<HeldKey> longest) {

    /** How many keys are named. */
    public static final int MOST_LONGEST = 20;

    /** Copies the collections. */
    public DelayJobLimits {
        keys = Map.copyOf(keys);
        pausedKeys = List.copyOf(pausedKeys);
        longest = List.copyOf(longest);
    }

    /** Whether limits were set, so that those in the settings of the nodes do not apply. */
    public boolean areSet() {
        return set != null;
    }

    /** The limits of the queue that apply. */
    public Limits effective() {
        return set == null ? configured : set;
    }

    /**
     * A key that may begin no job.
     *
     * @param key the key
     * @param paused whether it is paused
     * @param next the id of its next job
     * @param since since when a job of the key is due, by Redis' clock: that one, or in a strict order one behind it
     * @param beginsAt when the next job may begin at the earliest, because of a rate, a time for which the key was slowed, or its next attempt; null if
     *     nothing but a pause, jobs that run or dead ones hold it back
     * @param waiting how many of its jobs wait, due or not
     * @param running how many of its jobs run
     * @param holders the ids of some of these, at most 10
     * @param dead the ids of some of the dead jobs that hold it, at most 10; none unless its order is {@link Limits.Order#STRICT_HOLD}
     */
    public record HeldKey(
            String key,
            boolean paused,
            String next,
            Instant since,
            @Nullable Instant beginsAt,
            long waiting,
            long running,
            List<String> holders,
            List<String> dead) {

        /** Copies the lists. */
        public HeldKey {
            holders = List.copyOf(holders);
            dead = List.copyOf(dead);
        }
    }

    /**
     * A key, whether it is held back or not.
     *
     * @param queue the queue
     * @param key the key
     * @param set the limits that were set for it; null if those of each key apply
     * @param each the limits of each key of the queue that has none of its own; without any, {@link Limits#NONE}
     * @param paused whether it is paused
     * @param next the id of its next job; null if none waits
     * @param dueAt when that job is due, by Redis' clock; null if none waits
     * @param beginsAt when it may begin at the earliest, because of its time, a rate or a time for which the key was slowed; null if at once, or if none waits
     * @param waiting how many of its jobs wait, due or not
     * @param running how many of its jobs run
     * @param holders the ids of some of these, at most 10
     * @param dead the ids of some of the dead jobs that hold it, at most 10; none unless its order is {@link Limits.Order#STRICT_HOLD}
     */
    public record OfKey(
            String queue,
            String key,
            @Nullable Limits set,
            Limits each,
            boolean paused,
            @Nullable String next,
            @Nullable Instant dueAt,
            @Nullable Instant beginsAt,
            long waiting,
            long running,
            List<String> holders,
            List<String> dead) {

        /** Copies the lists. */
        public OfKey {
            holders = List.copyOf(holders);
            dead = List.copyOf(dead);
        }

        /** The limits of the key that apply. */
        public Limits effective() {
            return set == null ? each : set;
        }
    }
}
