package io.delayjob;

import io.delayjob.support.Checks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs may run at once, how many may begin in a time, and in which order. The limits of a queue count all of its jobs on all nodes. Those for
 * each key, {@code perKey}, count the jobs of one {@link JobOptions#key key}, and jobs without a key not at all. A job that a limit holds back waits in
 * Redis, and keeps neither a worker nor other jobs waiting. Immutable; each {@code with…} method returns a changed copy.
 *
 * <pre>{@code
 * admin.setLimits("orders", Limits.NONE.withConcurrency(40).withPerKey(Limits.NONE.withConcurrency(1)));
 * }</pre>
 *
 * @param concurrency how many jobs may run at once, at least 1; null for any number. A job counts from the time at which a node takes it until it is
 *     settled or its lease ends
 * @param rate how many jobs may begin in a time; null for any number
 * @param order the order of the jobs of a key; null for {@link Order#SKIP}. Only for keys
 * @param weight how many turns a key has for each turn of a key with the weight 1, 1 to 1000; null for 1. Only for keys
 * @param perKey the limits of each key that has none of its own; null for none. Only for a queue
 */
public record Limits(
        @Nullable Integer concurrency,
        @Nullable Rate rate,
        @Nullable Order order,
        @Nullable Integer weight,
        @Nullable Limits perKey) {

    /** No limits. */
    public static final Limits NONE = new Limits(null, null, null, null, null);

    private static final int MOST_WEIGHT = 1000;

    /** The order of the jobs of a key. */
    public enum Order {
        /** The job with the earliest due time is next. One that failed has a later due time, so others go first. */
        SKIP,
        /**
         * Jobs begin in the order of the due times that they were submitted with, and of equal ones in that of the submits. One that failed keeps its
         * place, and the key waits for it; when it is dead, the next one follows. Without a concurrency of its own the key runs one job at a time.
         */
        STRICT,
        /**
         * Jobs begin as with {@link #STRICT}, but a dead job holds its key too: no job of the key begins until each dead one is redriven, which gives it its
         * place back, or purged.
         */
        STRICT_HOLD;

        /** Whether a job that failed keeps its place. */
        public boolean isStrict() {
            return this != SKIP;
        }
    }

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a value is out of range; the message names it
     */
    public Limits {
        Checks.ifGiven(concurrency, value -> Checks.atLeastOne(value, "concurrency"));
        Checks.ifGiven(weight, value -> Checks.range(value, 1, MOST_WEIGHT, "weight"));
        if (perKey != null && perKey.perKey != null) {
            throw new IllegalArgumentException("perKey has a perKey of its own; only the limits of a queue have one");
        }
        if (perKey != null && (order != null || weight != null)) {
            throw new IllegalArgumentException("order and weight are for keys: set them in perKey");
        }
    }

    /**
     * How many jobs may begin in a time. They begin evenly over it, so that 100 in a second are one each 10 ms.
     *
     * @param permits how many, at least 1
     * @param per in which time, at least 1 ms, and at least 1 µs for each permit
     * @param burst how many more may begin at once after a time in which fewer did, 0 or more
     */
    public record Rate(int permits, Duration per, int burst) {

        /** The longest time in which permits may be given out. */
        public static final Duration LONGEST = Duration.ofDays(366);

        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException if a value is out of range; the message names it
         */
        public Rate {
            Checks.atLeastOne(permits, "rate.permits");
            Checks.notNull(per, "rate.per");
            if (per.compareTo(Duration.ofMillis(1)) < 0 || per.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException("rate.per must be 1 ms to 366 days: " + per);
            }
            if (per.toNanos() / 1000 < permits) {
                throw new IllegalArgumentException(
                        "rate.per must be at least 1 µs for each of " + permits + " permits: " + per);
            }
            if (burst < 0) {
                throw new IllegalArgumentException("rate.burst must be at least 0: " + burst);
            }
        }

        /** The time from one job to the next, in microseconds. */
        public double spacingMicros() {
            return per.toNanos() / 1000.0 / permits;
        }
    }

    /** How many jobs may run at once: one if the order is strict and no other number is set; {@link Integer#MAX_VALUE} for any number. */
    public int mostAtOnce() {
        if (concurrency != null) {
            return concurrency;
        }
        return order != null && order.isStrict() ? 1 : Integer.MAX_VALUE;
    }

    /** With this many jobs at once, at least 1. */
    public Limits withConcurrency(int newConcurrency) {
        return new Limits(newConcurrency, rate, order, weight, perKey);
    }

    /** With this rate. */
    public Limits withRate(Rate newRate) {
        return new Limits(concurrency, Checks.notNull(newRate, "rate"), order, weight, perKey);
    }

    /** With so many jobs that may begin in a time, evenly over it. */
    public Limits withRate(int permits, Duration per) {
        return withRate(new Rate(permits, per, 0));
    }

    /** With this order of the jobs of a key. */
    public Limits withOrder(Order newOrder) {
        return new Limits(concurrency, rate, Checks.notNull(newOrder, "order"), weight, perKey);
    }

    /** With this weight of a key, 1 to 1000. */
    public Limits withWeight(int newWeight) {
        return new Limits(concurrency, rate, order, newWeight, perKey);
    }

    /** With these limits for each key that has none of its own. */
    public Limits withPerKey(Limits newPerKey) {
        return new Limits(concurrency, rate, order, weight, Checks.notNull(newPerKey, "perKey"));
    }

    /**
     * Checks that these are limits of a queue.
     *
     * @throws IllegalArgumentException if they have an order or a weight
     */
    public Limits forQueue() {
        if (order != null || weight != null) {
            throw new IllegalArgumentException("order and weight are for keys: set them in perKey");
        }
        return this;
    }

    /**
     * Checks that these are limits of a key.
     *
     * @throws IllegalArgumentException if they have limits for each key
     */
    public Limits forKey() {
        if (perKey != null) {
            throw new IllegalArgumentException("perKey is for a queue: a key has no keys");
        }
        return this;
    }
}
