package io.delayjob.engine.ledger;

import java.time.Duration;

/**
 * How many replicas must acknowledge a submit before it is confirmed.
 *
 * @param replicas the number of replicas; zero for none
 * @param timeout how long to wait for them, 1 ms to 1 h
 */
public record Replication(int replicas, Duration timeout) {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    /** Submits are confirmed as soon as the master has them. */
    public static final Replication NONE = new Replication(0, Duration.ofSeconds(1));

    /** Checks the values; to Redis, a timeout of zero would mean no timeout. */
    public Replication {
        if (replicas < 0) {
            throw new IllegalArgumentException("replication replicas must be zero or more: " + replicas);
        }
        if (timeout.compareTo(SHORTEST) < 0 || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("replication timeout must be 1 ms to 1 h: " + timeout);
        }
    }

    /** Whether submits wait for replicas. */
    public boolean waits() {
        return replicas > 0;
    }
}
