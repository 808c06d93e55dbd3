package io.delayjob.engine.ledger;

import io.delayjob.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one shard, and the keys of its jobs. Limits that were set count before those that nodes declare in their {@link Feed.Terms}. Each step
 * is safe to repeat.
 */
public interface ShardLimits {

    /** The most keys of a shard that may have limits of their own or a pause. */
    int MOST_KEYS = 10_000;

    /**
     * Sets the limits of the shard's queue, or clears them, so that those count that nodes declare; unless they were set or cleared in a later version. Answers
     * the version that the shard has then. A share that a round has lent ends, because that of another shard may have changed.
     *
     * @param limits null to clear them
     * @param version the version that this shard or another one has told
     */
    CompletableFuture<Long> set(@Nullable Shared limits, long version);

    /**
     * The same, in a version that is later than all that this shard has had. Answers it.
     *
     * @param limits null to clear them
     * @param known the latest version that other shards have told, which the new one is later than as well; 0 for none
     */
    CompletableFuture<Long> setAfter(@Nullable Shared limits, long known);

    /**
     * Sets the limits of a key in place of those for each key, or clears them. Answers false, and sets nothing, if {@link #MOST_KEYS} others have limits or
     * are paused.
     *
     * @param limits null to clear them
     */
    CompletableFuture<Boolean> set(String key, @Nullable Limits limits);

    /**
     * Lets no job of a key begin until it is resumed, which also ends a time for which it was slowed. Answers false if {@link #MOST_KEYS} others are paused
     * or have limits.
     */
    CompletableFuture<Boolean> pause(String key, boolean paused);

    /** Lets no job of a key, or of the shard if that is null, begin for some time from now. A longer time that was set before stays. */
    CompletableFuture<Boolean> slow(@Nullable String key, Duration time);

    /**
     * Looks again at some of the keys that limits hold back, after limits have changed. Answers whether there are more; the feeds of the holder do
     * the same, more slowly.
     */
    CompletableFuture<Boolean> reconsider();

    /**
     * Joins a round in which the shares of a queue's limits are moved between its shards, and says how this shard stands. From then on, earlier rounds change
     * nothing here. A shard whose queue has no limits joins nothing.
     *
     * @param round its name; a later round has a name that is higher by its characters
     */
    CompletableFuture<Standing> join(String round);

    /**
     * Gives the shard another share of the limits of its queue. Of its concurrency, what runs stays: it gets no less than that, unless it had. Answers the
     * share that it has then; or nothing, and changes nothing, if it has joined another round since, or if the limits have changed.
     *
     * @param round the round that the shard has joined
     * @param even the even share that it told of then
     * @param share the share from now on, without limits for each key
     */
    CompletableFuture<Optional<Limits>> lend(String round, Limits even, Limits share);

    /** Reads the limits, and the keys whose next job has waited longest, at most so many. */
    CompletableFuture<View> read(int most);

    /** Reads what is known about a key. */
    CompletableFuture<KeyView> read(String key);

    /**
     * The limits of a queue, and the share of one of its shards.
     *
     * @param whole those of the queue
     * @param share the same with the shard's share of the concurrency and of the rate
     */
    record Shared(Limits whole, Limits share) {

        /** The limits of a queue with a single shard. */
        public static Shared of(Limits limits) {
            return new Shared(limits, limits);
        }
    }

    /**
     * How a shard stands in a round.
     *
     * @param round the round that it has joined last; another one if that is later; empty for none
     * @param even its even share of the limits of the queue, which it has until a round gives it another
     * @param share the share that it has
     * @param running how many of its jobs run
     * @param startable how many jobs of it could begin now if the queue had no limits; of a key it counts one
     * @param beginsMillis from when the next job may begin by the rate, in milliseconds from now, less than 0 if that was before; 0 without a rate
     * @param version the version in which limits of its queue were set or cleared last; 0 if they never were
     */
    record Standing(
            String round, Limits even, Limits share, int running, int startable, long beginsMillis, long version) {

        /** These limits without those for each key, which shards do not share. */
        public static Limits shared(Limits limits) {
            return new Limits(limits.concurrency(), limits.rate(), null, null, null);
        }

        /** Whether the queue has limits that its shards share. */
        public boolean isLimited() {
            return !even.equals(Limits.NONE);
        }
    }

    /**
     * The limits of a shard, and what they hold back.
     *
     * @param set the limits of the queue that were set; null for none
     * @param version the version in which these were set or cleared last; 0 if they never were
     * @param declared those that nodes declare
     * @param share the shard's share of them, which is what holds its jobs back
     * @param keys the limits of keys that have their own
     * @param isPaused whether claims of the shard are paused, see {@link Ledger#pause}
     * @param paused the keys that are paused
     * @param held how many keys limits hold back though a job of theirs is due
     * @param limited how many due jobs limits hold back, as {@link Tally#limitedJobs}
     * @param jobs how many jobs with a key wait
     * @param longest the held keys whose next job has waited longest
     * @param running how many jobs of the shard run, with a key or without
     * @param holders some of these, at most {@value KeyView#MOST_HOLDERS}
     * @param begins from when the next job may begin by the rate of the queue, or because it was slowed
     */
    record View(
            @Nullable Limits set,
            long version,
            Limits declared,
            Limits share,
            Map<String, Limits> keys,
            boolean isPaused,
            List<String> paused,
            int held,
            int limited,
            int jobs,
            List<KeyView> longest,
            int running,
            List<String> holders,
            Begins begins) {

        /** All that was set, for the queue and for keys. */
        public List<SetLimits> allSet() {
            Stream<SetLimits> ofQueue = Stream.of(ofQueue()).filter(limits -> !limits.isNothing());
            Stream<SetLimits> ofKeys = Stream.concat(keys.keySet().stream(), paused.stream())
                    .distinct()
                    .map(key -> new SetLimits(key, keys.get(key), paused.contains(key)));
            return Stream.concat(ofQueue, ofKeys).toList();
        }

        /** All that was set for the queue. */
        public SetLimits ofQueue() {
            return new SetLimits("", set, isPaused);
        }

        /** The limits of the queue that apply. */
        public Limits effective() {
            return set == null ? declared : set;
        }
    }

    /**
     * From when a job may begin.
     *
     * @param millis the time, in milliseconds since 1970; 0 if it has come
     * @param because the reason why it is not earlier; {@link Because#TIME} if it has come
     */
    record Begins(long millis, Because because) {

        /** It has come. */
        public static final Begins AT_ONCE = new Begins(0, Because.TIME);

        /** The time; null if it has come. */
        public @Nullable Instant at() {
            return millis == 0 ? null : Instant.ofEpochMilli(millis);
        }

        /** Reasons. */
        public enum Because {
            /** The due time of a job, that of its next attempt, or in a strict order that of the job before it. */
            TIME,
            /** A handler was told to slow down. */
            SLOWED,
            /** A rate. */
            RATE
        }

        /** The latest of three times, in milliseconds since 1970; of equal ones the first counts. */
        public static Begins of(long timeMillis, long slowedMillis, long rateMillis, long nowMillis) {
            long latest = Math.max(timeMillis, Math.max(slowedMillis, rateMillis));
            if (latest <= nowMillis) {
                return AT_ONCE;
            }
            Because because =
                    latest == timeMillis ? Because.TIME : latest == slowedMillis ? Because.SLOWED : Because.RATE;
            return new Begins(latest, because);
        }
    }

    /**
     * A key.
     *
     * @param key the key
     * @param own its own limits; null for those of each key
     * @param paused whether it is paused
     * @param waiting how many of its jobs wait
     * @param next the job that is next; null if none waits
     * @param nextMillis when that job is due, in milliseconds since 1970; 0 if none waits
     * @param sinceMillis since when a job is due that waits: that one, or in a strict order one behind it that is due before; 0 if none waits
     * @param begins when it may begin at the earliest because of its time, a rate or a time for which the key was slowed
     * @param holders some of its jobs that run, at most {@value #MOST_HOLDERS}
     * @param running how many of its jobs run
     * @param dead some of the dead jobs that hold it, at most {@value #MOST_HOLDERS}; none unless its order is {@link Limits.Order#STRICT_HOLD}
     */
    record KeyView(
            String key,
            @Nullable Limits own,
            boolean paused,
            int waiting,
            @Nullable String next,
            long nextMillis,
            long sinceMillis,
            Begins begins,
            List<String> holders,
            int running,
            List<String> dead) {

        /** How many holders are named. */
        public static final int MOST_HOLDERS = 10;
    }
}
