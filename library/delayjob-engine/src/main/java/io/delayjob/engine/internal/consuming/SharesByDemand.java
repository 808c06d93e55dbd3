package io.delayjob.engine.internal.consuming;

import io.delayjob.Limits;
import io.delayjob.Limits.Rate;
import io.delayjob.engine.ledger.ShardLimits.Standing;
import io.delayjob.engine.settings.LimitShares;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Divides the limits of a queue among its shards by what waits in them. A shard that its share holds back gets what others do not use; several such shards get
 * as much each. A shard that uses less than its share keeps a little more than it uses, so that its next job begins at once, and gives away a rate by halves,
 * because a moment says little of it. While no shard is held back, or all are, nobody gets anything. If shares are more than the whole, because the limits have
 * changed or a shard has lost its data, each gets its even share.
 */
final class SharesByDemand {

    /** The parts of a rate. */
    private static final long PARTS = 1000;

    /** A shard keeps this part of its even share of a rate, whatever the others want. */
    private static final long KEPT = 10;

    /** A rate by which nothing began for so long, ms, is not used up. */
    private static final long UNUSED_MILLIS = 200;

    private static final double MICROS_IN_NANOS = 1000;

    private final List<Standing> shards;
    private final Limits whole;

    private SharesByDemand(List<Standing> shards) {
        this.shards = shards;
        this.whole = LimitShares.whole(shards.stream().map(Standing::even).toList());
    }

    /** The shares from now on, by shard. Together they are never more than the whole. */
    static List<Limits> of(List<Standing> shards) {
        return new SharesByDemand(shards).shares();
    }

    private List<Limits> shares() {
        List<@Nullable Integer> concurrencies = concurrencies();
        List<@Nullable Rate> rates = rates();
        List<Limits> shares = new ArrayList<>();
        for (int n = 0; n < shards.size(); n++) {
            shares.add(new Limits(concurrencies.get(n), rates.get(n), null, null, null));
        }
        return shares;
    }

    private List<@Nullable Integer> concurrencies() {
        List<@Nullable Integer> now = new ArrayList<>();
        shards.forEach(shard -> now.add(shard.share().concurrency()));
        Integer all = whole.concurrency();
        if (all == null || now.contains(null)) {
            return now;
        }
        long[] kept = new long[shards.size()];
        for (int n = 0; n < kept.length; n++) {
            Standing shard = shards.get(n);
            int share = now.get(n);
            boolean isHeldBack = shard.startable() > share - shard.running();
            kept[n] = isHeldBack ? -1 : Math.min(share, shard.running() + Math.max(1, shard.running() / 4));
        }
        if (!divide(all, kept)) {
            long sum = now.stream().mapToLong(Objects::requireNonNull).sum();
            return sum > all ? even(Limits::concurrency) : now;
        }
        List<@Nullable Integer> next = new ArrayList<>();
        for (long share : kept) {
            next.add((int) share);
        }
        return next;
    }

    private List<@Nullable Rate> rates() {
        List<@Nullable Rate> now = new ArrayList<>();
        shards.forEach(shard -> now.add(shard.share().rate()));
        Rate all = whole.rate();
        if (all == null || now.contains(null)) {
            return now;
        }
        long least = Math.max(1, Math.max(PARTS / (KEPT * shards.size()), leastParts(all)));
        long[] kept = new long[shards.size()];
        for (int n = 0; n < kept.length; n++) {
            Standing shard = shards.get(n);
            boolean isHeldBack = shard.startable() > 0 && shard.beginsMillis() > -UNUSED_MILLIS;
            kept[n] = isHeldBack ? -1 : Math.max(least, parts(all, now.get(n)) / 2);
        }
        if (divide(PARTS, kept)) {
            return rates(all, kept);
        }
        long sum = now.stream().mapToLong(rate -> parts(all, rate)).sum();
        return sum > PARTS ? even(Limits::rate) : now;
    }

    private <L> List<@Nullable L> even(Function<Limits, @Nullable L> limit) {
        List<@Nullable L> even = new ArrayList<>();
        shards.forEach(shard -> even.add(limit.apply(shard.even())));
        return even;
    }

    /** Puts what is left in the place of each -1; false if there is nothing to divide. */
    private static boolean divide(long all, long[] kept) {
        int heldBack = 0;
        long left = all;
        for (long its : kept) {
            heldBack += its < 0 ? 1 : 0;
            left -= Math.max(0, its);
        }
        if (heldBack == 0 || left < heldBack) {
            return false;
        }
        for (int n = 0; n < kept.length; n++) {
            if (kept[n] < 0) {
                kept[n] = (left + heldBack - 1) / heldBack;
                left -= kept[n];
                heldBack--;
            }
        }
        return true;
    }

    private static long parts(Rate all, @Nullable Rate share) {
        return share == null ? 0 : (long) (PARTS * nanos(all.per()) / nanos(share.per()));
    }

    /** A rate may not be slower than {@link Rate#LONGEST} says. */
    private static long leastParts(Rate all) {
        return (long) Math.ceil(PARTS * nanos(all.per()) / nanos(Rate.LONGEST));
    }

    private static double nanos(Duration time) {
        return time.getSeconds() * 1e9 + time.getNano();
    }

    private static List<@Nullable Rate> rates(Rate all, long[] parts) {
        List<@Nullable Rate> rates = new ArrayList<>();
        long partsLeft = PARTS;
        long burstLeft = all.burst();
        for (long its : parts) {
            // The last one gets what is left, so that they are the whole.
            long burst = partsLeft == 0 ? 0 : burstLeft * its / partsLeft;
            long micros = (long) Math.ceil(nanos(all.per()) / MICROS_IN_NANOS * PARTS / its);
            rates.add(new Rate(all.permits(), Duration.of(micros, ChronoUnit.MICROS), (int) burst));
            partsLeft -= its;
            burstLeft -= burst;
        }
        return rates;
    }

    /**
     * The shares from now on, where shards have less than they had, but as much as they use: what others get then is what is left.
     *
     * @param shards how the shards stood before
     * @param have what they have now
     * @param next what they are to have
     */
    static List<Limits> within(List<Standing> shards, List<Limits> have, List<Limits> next) {
        Integer all = new SharesByDemand(shards).whole.concurrency();
        long left = all == null ? 0 : all;
        for (Limits its : have) {
            left -= its.concurrency() == null ? 0 : its.concurrency();
        }
        List<Limits> shares = new ArrayList<>();
        for (int n = 0; n < have.size(); n++) {
            Integer concurrency = have.get(n).concurrency();
            Integer wanted = next.get(n).concurrency();
            if (concurrency != null && wanted != null) {
                int more = (int) Math.max(0, Math.min(left, wanted - concurrency));
                concurrency += more;
                left -= more;
            }
            shares.add(new Limits(concurrency, next.get(n).rate(), null, null, null));
        }
        return shares;
    }

    /** The share of a shard while its new one has not been given to it: less of each limit of the two. */
    static Limits lesser(Limits one, Limits other) {
        Integer concurrency = one.concurrency() == null || other.concurrency() == null
                ? one.concurrency()
                : (Integer) Math.min(one.concurrency(), other.concurrency());
        Rate rate = one.rate();
        Rate otherRate = other.rate();
        if (rate != null && otherRate != null) {
            Duration per = rate.per().compareTo(otherRate.per()) > 0 ? rate.per() : otherRate.per();
            rate = new Rate(rate.permits(), per, Math.min(rate.burst(), otherRate.burst()));
        }
        return new Limits(concurrency, rate, null, null, null);
    }
}
