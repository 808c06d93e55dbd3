package io.delayjob.engine.memory;

import io.delayjob.Limits;
import io.delayjob.engine.ledger.ShardLimits.Shared;
import io.delayjob.engine.ledger.ShardLimits.Standing;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The limits of a shard, as in include/lanes.lua. */
final class KeptLimits {

    private static final long STAYS_MILLIS = 60_000;
    private static final long REFRESH_MILLIS = 10_000;

    private @Nullable Shared set;
    private long version;

    private Limits declared = Limits.NONE;
    private String declaredBy = "";
    private long declaredMillis;
    private String round = "";
    private @Nullable Limits lent;
    final Map<String, Limits> keys = new TreeMap<>(ScoredIds.BY_BYTES);
    final NavigableSet<String> paused = new TreeSet<>(ScoredIds.BY_BYTES);
    private final Map<String, Long> slowKeys = new HashMap<>();
    private long slowShard;

    /**
     * Declares the limits in the settings of a node. If nodes have different ones, those stay that are there, until a minute after the node that
     * declared them has gone. Answers whether they have changed.
     */
    boolean declare(String node, Limits limits, long now) {
        boolean differs = !limits.equals(declared);
        boolean none = limits.equals(Limits.NONE);
        long age = declared.equals(Limits.NONE) ? Long.MAX_VALUE : now - declaredMillis;
        boolean stays = differs ? !declaredBy.equals(node) && age <= STAYS_MILLIS : none || age <= REFRESH_MILLIS;
        if (stays) {
            return false;
        }
        Limits before = Standing.shared(even());
        declared = limits;
        declaredBy = node;
        declaredMillis = now;
        if (!Standing.shared(even()).equals(before)) {
            endShare();
        }
        return differs;
    }

    /** Sets the limits of the queue, null to clear them, unless there is a later version; a share that a round has lent ends. Answers whether it did. */
    boolean set(@Nullable Shared limits, long newVersion) {
        if (newVersion < version) {
            return false;
        }
        version = newVersion;
        set = limits;
        endShare();
        return true;
    }

    /** The version in which the limits of the queue were set or cleared last. */
    long version() {
        return version;
    }

    /** A version that is later than all that there were here, and than another one. */
    long versionAfter(long known, long now) {
        return Math.max(now, Math.max(version, known) + 1);
    }

    /** The share that a round has lent ends, and the round under way moves none here. */
    private void endShare() {
        lent = null;
        round = "";
    }

    /** The limits of the queue that were set. */
    @Nullable Limits set() {
        return set == null ? null : set.whole();
    }

    Limits declared() {
        return declared;
    }

    /** The limits of the shard as a whole. */
    Limits ofShard() {
        return lent == null ? even() : lent;
    }

    /** The same if all shards have the same share. */
    Limits even() {
        return set == null ? declared : set.share();
    }

    /** Joins a round, unless that is an earlier one or there is nothing to share. */
    void join(String newRound) {
        if (isShared() && newRound.compareTo(round) > 0) {
            round = newRound;
        }
    }

    private boolean isShared() {
        return even().concurrency() != null || even().rate() != null;
    }

    String round() {
        return round;
    }

    /** Gives the shard another share, until its limits change, unless these or the round have changed already; answers it. */
    Optional<Limits> lend(String inRound, Limits instead, Limits share, int running) {
        if (!isShared() || !inRound.equals(round) || !instead.equals(Standing.shared(even()))) {
            return Optional.empty();
        }
        Integer had = ofShard().concurrency();
        Integer concurrency = share.concurrency();
        if (had != null && concurrency != null) {
            concurrency = Math.max(concurrency, Math.min(running, had));
        }
        lent = new Limits(concurrency, share.rate(), null, null, null);
        return Optional.of(lent);
    }

    /** The limits of a key. */
    Limits of(String key) {
        Limits own = keys.get(key);
        if (own != null) {
            return own;
        }
        Limits each = even().perKey();
        return each == null ? Limits.NONE : each;
    }

    /** Whether there are any limits for the key, or for all. */
    boolean areKnown(String key) {
        return set != null || !declared.equals(Limits.NONE) || keys.containsKey(key);
    }

    @Nullable Limits own(String key) {
        return keys.get(key);
    }

    boolean isPaused(String key) {
        return paused.contains(key);
    }

    /** Until when no job of a key may begin, in milliseconds since 1970. */
    long slowUntil(String key) {
        return slowKeys.getOrDefault(key, 0L);
    }

    /** Until when no job of the shard may begin. */
    long slowUntil() {
        return slowShard;
    }

    void slow(@Nullable String key, long untilMillis) {
        if (key == null) {
            slowShard = Math.max(slowShard, untilMillis);
        } else {
            slowKeys.merge(key, untilMillis, Math::max);
        }
    }

    /** Ends the time for which a key, or the shard if that is null, was slowed. */
    void endSlow(@Nullable String key) {
        if (key == null) {
            slowShard = 0;
        } else {
            slowKeys.remove(key);
        }
    }

    void prune(long now) {
        slowKeys.values().removeIf(until -> until <= now);
    }

    /** Whether one more key may be named. */
    boolean hasRoom(String key, int most) {
        return keys.size() + paused.size() < most
                || Stream.concat(keys.keySet().stream(), paused.stream())
                                .distinct()
                                .filter(other -> !other.equals(key))
                                .count()
                        < most;
    }
}
