package io.delayjob.engine.memory;

import static io.delayjob.JobOptions.USUAL_PRIORITY;

import io.delayjob.Limits;
import io.delayjob.engine.ledger.Listing.Position;
import io.delayjob.engine.ledger.ShardLimits.Begins;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that wait, as in include/waiting.lua and include/keyed/in_lanes.lua: each with the time from which claims take it. The order in which claims
 * take them is decided here, and which of them limits hold back.
 */
final class Waiting {

    private final ScoredIds times = new ScoredIds();

    /** Of these, those without a key, by their priorities, the highest first. */
    private final NavigableMap<Integer, ScoredIds> levels = new TreeMap<>(Comparator.reverseOrder());

    final KeptLimits limits = new KeptLimits();

    /** The lanes of the keys, with the jobs that wait and those that run. */
    final Lanes lanes = new Lanes(times, limits);

    private final Bucket bucket = new Bucket();
    private final ScoredIds reserved;

    /**
     * Creates the waiting jobs of a shard.
     *
     * @param reserved the jobs that run
     */
    Waiting(ScoredIds reserved) {
        this.reserved = reserved;
    }

    /** Makes a job wait until a time; one that already waits gets the new time. */
    void add(MemoryJob job, long millis) {
        add(job, millis, millis, false);
    }

    /** Makes a job wait until a time, with the place of another time before other jobs of its key. */
    void restore(MemoryJob job, long millis, long placeMillis) {
        add(job, millis, placeMillis, false);
        String key = job.content.key();
        if (key != null) {
            lanes.restored(key);
        }
    }

    /** Makes a job wait again that a claim has handed out or passed on: in a lane with a strict order it keeps its seat. */
    void addBack(MemoryJob job, long millis) {
        add(job, millis, millis, true);
    }

    /** The time by which a job that waits until another time keeps its place before other jobs of its key; null if it is the same, or there is none. */
    @Nullable Long placeOf(MemoryJob job, long millis) {
        Lanes.Seat seat = job.content.key() == null ? null : job.seat;
        return seat == null || seat.millis() == Math.max(0, millis) ? null : (Long) seat.millis();
    }

    private void add(MemoryJob job, long millis, long placeMillis, boolean returns) {
        times.put(job.id, millis);
        String key = job.content.key();
        if (key != null) {
            lanes.add(job, key, millis, placeMillis, returns);
            return;
        }
        levels.computeIfAbsent(job.content.priority(), priority -> new ScoredIds())
                .put(job.id, millis);
    }

    void remove(MemoryJob job) {
        times.remove(job.id);
        String key = job.content.key();
        if (key != null) {
            lanes.remove(job, key);
        }
        levels.values().forEach(level -> level.remove(job.id));
    }

    /** The share that the shard has of the limits of its queue has changed. */
    void shareChanged(long now) {
        bucket.cap(limits.ofShard().rate(), now);
        lanes.open();
    }

    /** The limits of the queue have changed. */
    void limitsChanged(long now) {
        shareChanged(now);
        lanes.limitsChanged(now);
    }

    /** Counts the begin of a waiting job against the limits. */
    void begin(MemoryJob job, long now) {
        bucket.take(limits.ofShard().rate(), now);
        String key = job.content.key();
        if (key != null) {
            lanes.begin(key, now);
        }
    }

    /** Counts a job against the rates that begins once more because its lease ended. */
    void beginAgain(MemoryJob job, long now) {
        bucket.take(limits.ofShard().rate(), now);
        String key = job.content.key();
        if (key != null) {
            lanes.beginAgain(key, now);
        }
    }

    /** Takes back what {@link #begin} or {@link #beginAgain} counted of the rates. */
    void giveBack(MemoryJob job, long now) {
        long claimed = job.claimedMillis == null ? 0 : job.claimedMillis;
        bucket.giveBack(limits.ofShard().rate(), claimed, now);
        String key = job.content.key();
        if (key != null) {
            lanes.giveBack(key, claimed, now);
        }
    }

    /** Counts a job that runs. */
    void hold(MemoryJob job) {
        String key = job.content.key();
        if (key != null) {
            lanes.hold(job, key);
        }
    }

    /** A job runs no longer. */
    void letGo(MemoryJob job) {
        String key = job.content.key();
        if (key != null) {
            lanes.letGo(job, key);
        }
        if (limits.ofShard().concurrency() != null) {
            lanes.open();
        }
    }

    /** Counts a dead job. */
    void addDead(MemoryJob job) {
        String key = job.content.key();
        if (key != null) {
            lanes.addDead(job, key);
        }
    }

    /** A job is dead no longer. */
    void removeDead(MemoryJob job) {
        String key = job.content.key();
        if (key != null) {
            lanes.removeDead(job, key);
        }
    }

    /** The time by which a dead job that holds its key keeps its place when it is redriven; null of any other. */
    @Nullable Long placeOfDead(MemoryJob job) {
        String key = job.content.key();
        return key != null && job.seat != null && lanes.isHolding(key) ? (Long) job.seat.millis() : null;
    }

    /** The time of a job; null if it does not wait. */
    @Nullable Long until(String id) {
        return times.score(id);
    }

    /** Of the jobs that limits do not hold back for good, the one that may begin first; null if there is none. */
    @Nullable Position first() {
        if (free() == 0) {
            return null;
        }
        long from = beginsMillis();
        return Stream.concat(first(levels.values()), lanes.begins())
                .min(ScoredIds.ORDER)
                .map(first -> new Position(Math.max(first.millis(), from), first.id()))
                .orElse(null);
    }

    /** From when the next job may begin by the rate of the shard, or because it was slowed. */
    long beginsMillis() {
        return Math.max(limits.slowUntil(), bucket.nextMillis(limits.ofShard().rate()));
    }

    /** The same, and why it is not earlier. */
    Begins begins(long now) {
        return Begins.of(
                0, limits.slowUntil(), bucket.nextMillis(limits.ofShard().rate()), now);
    }

    /** The same by the rate alone, in milliseconds from now; 0 without a rate. */
    long rateMillis(long now) {
        Limits.Rate rate = limits.ofShard().rate();
        return rate == null ? 0 : bucket.nextMillis(rate) - now;
    }

    private static Stream<Position> first(Collection<ScoredIds> levels) {
        return levels.stream().map(ScoredIds::first).flatMap(Stream::ofNullable);
    }

    /** The earliest time of a job that limits do not hold back now; null if there is none. */
    @Nullable Long oldest(long now) {
        if (free() == 0 || beginsMillis() > now) {
            return null;
        }
        return Stream.concat(first(levels.values()).map(Position::millis), lanes.timesOfStartable(now))
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** From when a claim is worthwhile that hands out jobs before they are due; null if there is none to hand out. */
    @Nullable Long worthwhileAt(int aheadMillis, long now) {
        Position next = first();
        if (next == null || hasLimits(now)) {
            return next == null ? null : next.millis();
        }
        long early = first(levels.values()).mapToLong(Position::millis).min().orElse(Long.MAX_VALUE) - aheadMillis / 2;
        return Math.min(next.millis(), early);
    }

    /**
     * The jobs that a claim takes next, at most {@code most}: those with the lowest ranks among those with a time up to {@code by}; those with a
     * time after {@code now} come last. The rank is the time, less the boost for each step of priority above the usual one. Between them and the
     * keys whose turn it is, the job that has been due longer is next. At most {@code mostLimited} are subject to limits, and none of those is handed out before it is due, nor
     * any other with a key.
     */
    List<Position> due(long by, int most, long boostMillis, long now, int mostLimited) {
        boolean limited = hasLimits(now);
        int room = limited ? Math.min(Math.min(most, mostLimited), room(now)) : most;
        List<Ranked> usual = ranked(limited ? Math.min(by, now) : by, room, boostMillis, now);
        List<Position> keyed = lanes.startable(room, mostLimited, now);
        List<Position> found = new ArrayList<>();
        int a = 0;
        int b = 0;
        while (found.size() < room && (a < usual.size() || b < keyed.size())) {
            boolean keyedFirst = a == usual.size()
                    || (b < keyed.size()
                            && keyed.get(b).millis() <= usual.get(a).rank());
            found.add(keyedFirst ? keyed.get(b++) : usual.get(a++).place());
        }
        return found;
    }

    private List<Ranked> ranked(long by, int most, long boostMillis, long now) {
        return levels.entrySet().stream()
                .flatMap(level -> level.getValue().upTo(by, most).stream()
                        .map(place ->
                                new Ranked(place.millis() - (level.getKey() - USUAL_PRIORITY) * boostMillis, place)))
                .sorted(Comparator.comparing((Ranked one) -> one.place().millis() > now)
                        .thenComparing(Ranked.ORDER))
                .limit(most)
                .toList();
    }

    /** The sort is stable, so jobs with the same rank and time stay in the order of their priorities and ids. */
    private record Ranked(long rank, Position place) {

        private static final Comparator<Ranked> ORDER = Comparator.comparingLong(Ranked::rank)
                .thenComparingLong(ranked -> ranked.place().millis());
    }

    /** Whether the shard limits all of its jobs now. */
    private boolean hasLimits(long now) {
        Limits shard = limits.ofShard();
        return shard.concurrency() != null || shard.rate() != null || limits.slowUntil() > now;
    }

    /** How many jobs may begin now by the limits of the shard as a whole. */
    private int room(long now) {
        return limits.slowUntil() > now
                ? 0
                : Math.min(free(), bucket.permits(limits.ofShard().rate(), now));
    }

    private int free() {
        Integer concurrency = limits.ofShard().concurrency();
        return concurrency == null ? Integer.MAX_VALUE : Math.max(0, concurrency - reserved.size());
    }

    /** Any of the jobs, at most {@code most}, the earliest first. */
    List<Position> any(int most) {
        return times.upTo(Long.MAX_VALUE - 1, most);
    }

    /** How many jobs have a time up to {@code by}. */
    int count(long by) {
        return times.countTo(by);
    }

    /** How many jobs may begin up to {@code by}; of a key it counts one. */
    int countStartable(long by) {
        int usual =
                levels.values().stream().mapToInt(level -> level.countTo(by)).sum();
        return usual
                + (int) lanes.begins().filter(place -> place.millis() <= by).count();
    }

    /**
     * The first job that may begin after {@code after} and up to {@code by}; null if there is none. Of the keys that may begin a job now it looks at the
     * one whose turn is next.
     */
    @Nullable Position next(long after, long by, long now) {
        Stream<Position> usual = levels.values().stream()
                .flatMap(level ->
                        level.behind(ScoredIds.beforeAll(after + 1)).stream().limit(1));
        Stream<Position> keyed = Stream.concat(
                lanes.startable(1, 1, now).stream(), lanes.begins().filter(place -> place.millis() > now));
        // Of equal times the first counts, which is that of the higher priority, and then of the first key.
        return Stream.concat(usual, keyed.filter(place -> place.millis() > after))
                .min(Comparator.comparingLong(Position::millis))
                .filter(place -> place.millis() <= by)
                .orElse(null);
    }

    int size() {
        return times.size();
    }

    /** How many due jobs limits hold back, of the shard or of their keys. */
    int limited(long now) {
        return room(now) == 0 ? count(now) : lanes.limited(now);
    }

    /** The jobs after a position, in the order of their times and ids. */
    Collection<Position> behind(Position place) {
        return times.behind(place);
    }
}
