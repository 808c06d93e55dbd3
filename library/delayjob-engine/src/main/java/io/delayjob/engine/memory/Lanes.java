package io.delayjob.engine.memory;

import io.delayjob.Limits;
import io.delayjob.engine.ledger.Listing.Position;
import io.delayjob.engine.ledger.ShardLimits.Begins;
import io.delayjob.engine.ledger.ShardLimits.KeyView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The jobs with keys, as in include/lanes.lua: the lane of a key has those that wait in their order, those that run, and those that are dead. The keys that may
 * begin a job take turns: the one with the lowest pass is next, and each job that it begins adds to its pass.
 */
final class Lanes {

    private static final double TURN = 1000;

    /** The part of a turn by which a key that comes is at most behind the one that had the last turn, so that it is before the next one of that key. */
    private static final double ALMOST = 0.999;

    private final NavigableMap<String, Lane> lanes = new TreeMap<>(ScoredIds.BY_BYTES);
    private final ScoredIds times;
    private final KeptLimits limits;
    private long lastNumber;

    /**
     * The least pass of a key that takes turns from now on. It goes up by a turn while each key has one, so that a key that comes is behind those that
     * came before, and before those that have just had a turn.
     */
    private double lastPass;

    /** The lanes that may take turns now, or no longer. */
    private final Set<Lane> changed = new HashSet<>();

    /** How many keys took turns when jobs that may begin were last looked for. */
    private int takingTurns;

    /** Whether a key may begin a job that it could not begin before. */
    private boolean opened;

    /** Where a job is in its lane: in the order of the due times, then of the submits. */
    record Seat(long millis, long number) {}

    private record Waiting(Seat seat, MemoryJob job) {

        static final Comparator<Waiting> ORDER = Comparator.comparingLong((Waiting one) -> one.seat.millis)
                .thenComparingLong(one -> one.seat.number)
                .thenComparing(Waiting::id, ScoredIds.BY_BYTES);

        String id() {
            return job.id;
        }
    }

    private final class Lane {

        private final String key;
        private final NavigableSet<Waiting> waiting = new TreeSet<>(Waiting.ORDER);
        private final NavigableSet<String> running = new TreeSet<>(ScoredIds.BY_BYTES);
        private final NavigableSet<String> dead = new TreeSet<>(ScoredIds.BY_BYTES);
        private final Bucket bucket = new Bucket();
        private double pass;
        private boolean takesTurns;

        Lane(String key) {
            this.key = key;
        }

        /** Lets the key take turns from now on, or no longer, as it may begin a job or not. */
        void settle(long now) {
            boolean open = isOpen(now);
            if (open && !takesTurns) {
                pass = Math.max(pass, lastPass);
            }
            takesTurns = open;
        }

        /**
         * Unless the order is strict, lets jobs go first that are due before one that waits for another attempt: if that has kept its seat, because the
         * order was strict before, it gets that of its time.
         */
        private void followTimes(long now) {
            Long behind = isStrict() ? null : behindMillis();
            while (behind != null) {
                Waiting first = waiting.first();
                long millis = existing(times.score(first.id()));
                if (millis <= now || first.seat.millis >= millis || behind >= millis) {
                    return;
                }
                waiting.remove(first);
                first.job.seat = new Seat(millis, first.seat.number);
                waiting.add(new Waiting(first.job.seat, first.job));
                behind = behindMillis();
            }
        }

        /** The time of the seat behind the first one; null if there is none. */
        private @Nullable Long behindMillis() {
            return waiting.stream()
                    .skip(1)
                    .findFirst()
                    .map(second -> second.seat.millis)
                    .orElse(null);
        }

        /** Since when a job is due that is held back; null if none is. */
        @Nullable Long heldSince(long now) {
            if (waiting.isEmpty() || isOpen(now)) {
                return null;
            }
            long since = sinceMillis(now);
            return since > now ? null : (Long) since;
        }

        /** Since when a job is due that waits: the next one, or one behind it that is due before. */
        long sinceMillis(long now) {
            long next = existing(times.score(waiting.first().id()));
            Long behind = next > now ? behindMillis() : null;
            return behind == null ? next : Math.min(next, behind);
        }

        /** How many due jobs are held back, if any is. Behind the next one, jobs are due from the times of their seats. */
        int limited(long now) {
            long due = waiting.stream()
                    .takeWhile(one -> one.seat.millis() <= now)
                    .filter(one -> one != waiting.first() || existing(times.score(one.id())) <= now)
                    .count();
            return (int) Math.max(1, due);
        }

        Limits terms() {
            return limits.of(key);
        }

        /** How many jobs may begin beside those that run; 0 if the key is paused, or a dead job holds it. */
        int free() {
            return limits.isPaused(key) || !holding().isEmpty()
                    ? 0
                    : Math.max(0, terms().mostAtOnce() - running.size());
        }

        /** Some of the dead jobs that hold it. */
        List<String> holding() {
            return terms().order() == Limits.Order.STRICT_HOLD ? first(dead) : List.of();
        }

        static List<String> first(NavigableSet<String> ids) {
            return ids.stream().limit(KeyView.MOST_HOLDERS).toList();
        }

        /** When its next job may begin because of its time and the rate; null if none waits. */
        @Nullable Long beginsMillis() {
            return waiting.isEmpty()
                    ? null
                    : (Long) Math.max(
                            existing(times.score(waiting.first().id())),
                            Math.max(limits.slowUntil(key), bucket.nextMillis(terms().rate())));
        }

        /** The same, and why it is not earlier. */
        Begins begins(long now) {
            return waiting.isEmpty()
                    ? Begins.AT_ONCE
                    : Begins.of(
                            existing(times.score(waiting.first().id())),
                            limits.slowUntil(key),
                            bucket.nextMillis(terms().rate()),
                            now);
        }

        /** Its first jobs that may begin now. */
        List<Position> startable(int most, long now) {
            Long begins = beginsMillis();
            if (begins == null || begins > now) {
                return List.of();
            }
            return waiting.stream()
                    .map(one -> new Position(existing(times.score(one.id())), one.id()))
                    .takeWhile(place -> place.millis() <= now)
                    .limit(Math.min(most, Math.min(free(), bucket.permits(terms().rate(), now))))
                    .toList();
        }

        /** Whether its next job may begin now. */
        boolean isOpen(long now) {
            Long begins = beginsMillis();
            return begins != null && begins <= now && free() > 0;
        }

        boolean isStrict() {
            Limits.Order order = terms().order();
            return order != null && order.isStrict();
        }

        boolean isLimited() {
            return terms().mostAtOnce() < Integer.MAX_VALUE || terms().rate() != null;
        }

        double step() {
            Integer weight = terms().weight();
            return TURN / (weight == null ? 1 : weight);
        }

        boolean isIdle(long now) {
            return waiting.isEmpty() && running.isEmpty() && dead.isEmpty() && bucket.isFull(now);
        }
    }

    /**
     * Creates the lanes of a shard.
     *
     * @param times the times of all jobs that wait
     */
    Lanes(ScoredIds times, KeptLimits limits) {
        this.times = times;
        this.limits = limits;
    }

    /**
     * Makes a job wait in its lane, at the seat of its time; or at the seat that it had, if it returns to a lane with a strict order and is not due before.
     *
     * @param placeMillis the time of its seat in place of its own, if it does not return
     */
    void add(MemoryJob job, String key, long millis, long placeMillis, boolean returns) {
        Lane lane = lane(key);
        Seat had = job.seat;
        if (had != null) {
            lane.waiting.remove(new Waiting(had, job));
        }
        Seat seat;
        if (had == null || !returns) {
            seat = new Seat(Math.max(0, placeMillis), ++lastNumber);
        } else if (lane.isStrict() && had.millis <= millis) {
            seat = had;
        } else {
            seat = new Seat(Math.max(0, millis), had.number);
        }
        job.seat = seat;
        lane.waiting.add(new Waiting(seat, job));
        opened = true;
    }

    /** A job was put back. Jobs of the key keep their seats until limits are known, see {@link Lane#followTimes}. */
    void restored(String key) {
        if (!limits.areKnown(key)) {
            changed.remove(lane(key));
        }
    }

    /** Removes a waiting job. */
    void remove(MemoryJob job, String key) {
        Lane lane = known(key);
        if (lane != null && job.seat != null && lane.waiting.remove(new Waiting(job.seat, job))) {
            opened = true;
            if (lane.waiting.isEmpty()) {
                lane.pass = 0;
                lane.takesTurns = false;
            }
        }
    }

    /** Counts the turn and the rate of a job that begins; it is then removed. */
    void begin(String key, long now) {
        Lane lane = lane(key);
        double share = Math.max(1, Math.floor(lane.step() / takingTurns));
        lastPass =
                Math.max(Math.max(lastPass, lane.pass), Math.min(lastPass + share, lane.pass + ALMOST * lane.step()));
        lane.pass += lane.step();
        lane.bucket.take(lane.terms().rate(), now);
    }

    /** Lets the keys that have changed take turns from now on, or no longer. */
    void settle(long now) {
        changed.forEach(lane -> {
            lane.followTimes(now);
            lane.settle(now);
        });
        changed.clear();
    }

    private Lane lane(String key) {
        Lane lane = lanes.computeIfAbsent(key, Lane::new);
        changed.add(lane);
        return lane;
    }

    private @Nullable Lane known(String key) {
        return lanes.containsKey(key) ? lane(key) : null;
    }

    /** Counts the rate of a job that begins once more because its lease ended. It had its turn. */
    void beginAgain(String key, long now) {
        Lane lane = lane(key);
        lane.bucket.take(lane.terms().rate(), now);
    }

    /** Takes back what {@link #begin} or {@link #beginAgain} counted of the rate. */
    void giveBack(String key, long claimedMillis, long now) {
        Lane lane = known(key);
        if (lane != null) {
            lane.bucket.giveBack(lane.terms().rate(), claimedMillis, now);
        }
    }

    /** Counts a job that runs. */
    void hold(MemoryJob job, String key) {
        lane(key).running.add(job.id);
    }

    /** A job runs no longer. */
    void letGo(MemoryJob job, String key) {
        Lane lane = known(key);
        opened |= lane != null && lane.running.remove(job.id);
    }

    /** Counts a dead job. */
    void addDead(MemoryJob job, String key) {
        lane(key).dead.add(job.id);
    }

    /** A job is dead no longer. */
    void removeDead(MemoryJob job, String key) {
        Lane lane = known(key);
        opened |= lane != null && lane.dead.remove(job.id);
    }

    /** Whether dead jobs hold a key. */
    boolean isHolding(String key) {
        return limits.of(key).order() == Limits.Order.STRICT_HOLD;
    }

    /** Gives a dead job that is put back a seat by this time. */
    void seatDead(MemoryJob job, long placeMillis) {
        job.seat = new Seat(Math.max(0, placeMillis), ++lastNumber);
    }

    /** The jobs that may begin now, in the order of their keys' turns; at most {@code mostLimited} of keys with a concurrency or a rate. */
    List<Position> startable(int most, int mostLimited, long now) {
        // The time of some may have come.
        lanes.values().forEach(lane -> lane.settle(now));
        PriorityQueue<Turn> turns = new PriorityQueue<>();
        for (Lane lane : lanes.values()) {
            List<Position> jobs = most > 0 ? lane.startable(most, now) : List.of();
            if (!jobs.isEmpty()) {
                turns.add(new Turn(lane, lane.pass, jobs));
            }
        }
        takingTurns = turns.size();
        List<Position> found = new ArrayList<>();
        int limited = 0;
        while (found.size() < most && !turns.isEmpty()) {
            Turn turn = turns.remove();
            if (turn.lane.isLimited() && limited++ >= mostLimited) {
                continue;
            }
            found.add(turn.jobs.get(0));
            if (turn.jobs.size() > 1) {
                turns.add(new Turn(turn.lane, turn.pass + turn.lane.step(), turn.jobs.subList(1, turn.jobs.size())));
            }
        }
        return found;
    }

    private record Turn(Lane lane, double pass, List<Position> jobs) implements Comparable<Turn> {

        @Override
        public int compareTo(Turn other) {
            int byPass = Double.compare(pass, other.pass);
            return byPass != 0 ? byPass : ScoredIds.BY_BYTES.compare(lane.key, other.lane.key);
        }
    }

    /** The times at which keys may begin a job, apart from those that are held back by a concurrency, a pause or a dead job; each with the job. */
    Stream<Position> begins() {
        return lanes.values().stream()
                .filter(lane -> lane.free() > 0 && !lane.waiting.isEmpty())
                .map(lane -> new Position(
                        existing(lane.beginsMillis()), lane.waiting.first().id()));
    }

    /** The time of the next job of each key that may begin one now. */
    Stream<Long> timesOfStartable(long now) {
        return lanes.values().stream()
                .filter(lane -> lane.isOpen(now))
                .map(lane -> existing(times.score(lane.waiting.first().id())));
    }

    /** Whether a key may begin a job that it could not begin when this was last asked. */
    boolean wasOpened() {
        boolean was = opened;
        opened = false;
        return was;
    }

    /** Something has changed that may let keys begin jobs. */
    void open() {
        opened = true;
    }

    /** The limits of all keys may have changed. */
    void limitsChanged(long now) {
        lanes.values().forEach(lane -> lane.bucket.cap(lane.terms().rate(), now));
        changed.addAll(lanes.values());
        open();
    }

    /** The limits of a key may have changed. */
    void limitsChanged(String key, long now) {
        Lane lane = known(key);
        if (lane != null) {
            lane.bucket.cap(lane.terms().rate(), now);
        }
        open();
    }

    /** Forgets keys without jobs, once their rate no longer counts. */
    void prune(long now) {
        lanes.values().removeIf(lane -> lane.isIdle(now));
    }

    /** How many keys limits hold back though a job of theirs is due. */
    int held(long now) {
        return (int) heldBack(now).count();
    }

    /** How many due jobs limits hold back. */
    int limited(long now) {
        return heldBack(now).mapToInt(lane -> lane.limited(now)).sum();
    }

    /** The held keys whose next jobs have waited longest, the longest first. */
    List<KeyView> longest(long now, int most) {
        return heldBack(now)
                .sorted(Comparator.comparingLong((Lane lane) -> existing(lane.heldSince(now))))
                .limit(most)
                .map(lane -> view(lane, now))
                .toList();
    }

    private Stream<Lane> heldBack(long now) {
        return lanes.values().stream().filter(lane -> lane.heldSince(now) != null);
    }

    int jobs() {
        return lanes.values().stream().mapToInt(lane -> lane.waiting.size()).sum();
    }

    KeyView view(String key, long now) {
        return view(lanes.getOrDefault(key, new Lane(key)), now);
    }

    private KeyView view(Lane lane, long now) {
        String next = lane.waiting.isEmpty() ? null : lane.waiting.first().id();
        return new KeyView(
                lane.key,
                limits.own(lane.key),
                limits.isPaused(lane.key),
                lane.waiting.size(),
                next,
                next == null ? 0 : existing(times.score(next)),
                next == null ? 0 : lane.sinceMillis(now),
                lane.begins(now),
                Lane.first(lane.running),
                lane.running.size(),
                lane.holding());
    }

    private static long existing(@Nullable Long value) {
        if (value == null) {
            throw new IllegalStateException("a job in a lane does not wait");
        }
        return value;
    }
}
