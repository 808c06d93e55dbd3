package io.delayjob.engine.settings;

import io.delayjob.Limits;
import io.delayjob.Limits.Rate;
import io.delayjob.engine.ledger.ShardLimits.Shared;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Divides the limits of a queue among its shards. All shards have the same limits for each key. */
public final class LimitShares {

    private LimitShares() {}

    /**
     * The share of a shard: the shares of all shards together are the whole.
     *
     * @param number the number of the shard, from 0
     * @throws IllegalArgumentException if the concurrency does not suffice for one job in each shard
     */
    public static Limits share(Limits whole, int number, int shards) {
        return shards == 1
                ? whole
                : new Limits(
                        concurrency(whole, number, shards),
                        rate(whole.rate(), number, shards),
                        null,
                        null,
                        whole.perKey());
    }

    /** Limits of a queue with the share of a shard; null for none. */
    public static @Nullable Shared shared(@Nullable Limits whole, int number, int shards) {
        return whole == null ? null : new Shared(whole, share(whole.forQueue(), number, shards));
    }

    private static @Nullable Integer concurrency(Limits whole, int number, int shards) {
        Integer concurrency = whole.concurrency();
        if (concurrency != null && concurrency < shards) {
            throw new IllegalArgumentException("concurrency must be at least the number of shards, " + shards
                    + ", because each has a share of it: " + concurrency + "; raise it, or use fewer shards");
        }
        return concurrency == null ? null : (Integer) (concurrency / shards + (number < concurrency % shards ? 1 : 0));
    }

    /** A share of a rate: as many permits in a longer time, which divides them exactly. */
    private static @Nullable Rate rate(@Nullable Rate whole, int number, int shards) {
        if (whole == null) {
            return null;
        }
        Duration per = whole.per().multipliedBy(shards);
        if (per.compareTo(Rate.LONGEST) > 0) {
            throw new IllegalArgumentException("rate.per must be at most " + Rate.LONGEST.toDays()
                    + " days divided by the number of shards, " + shards + ": " + whole.per());
        }
        return new Rate(whole.permits(), per, whole.burst() / shards + (number < whole.burst() % shards ? 1 : 0));
    }

    /** The limits of which these are the shares. */
    public static Limits whole(List<Limits> shares) {
        Limits first = shares.get(0);
        boolean complete =
                shares.stream().allMatch(share -> (share.concurrency() == null) == (first.concurrency() == null));
        Integer concurrency = first.concurrency() == null || !complete
                ? null
                : (Integer) shares.stream().mapToInt(Limits::concurrency).sum();
        Rate rate = first.rate() == null
                ? null
                : new Rate(
                        first.rate().permits(),
                        first.rate().per().dividedBy(shares.size()),
                        shares.stream()
                                .map(Limits::rate)
                                .mapToInt(one -> one == null ? 0 : one.burst())
                                .sum());
        return new Limits(concurrency, rate, null, null, first.perKey());
    }
}
