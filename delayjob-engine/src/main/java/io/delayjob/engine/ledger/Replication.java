package io.delayjob.engine.ledger;

import java.time.Duration;

/**
 * How many replicas acknowledge a submit before it is confirmed.
 *
 * @param replicas how many; zero for none
 * @param timeout how long they are waited for
 */
public record Replication(int replicas, Duration timeout) {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    /** A submit is confirmed when the master has it. */
    public static final Replication NONE = new Replication(0, Duration.ofSeconds(1));

    /** Checks the values: Redis takes a timeout of zero as one without an end. */
    public Replication {
        if (replicas < 0) {
            throw new IllegalArgumentException("replication replicas must be zero or more: " + replicas);
        }
        if (timeout.compareTo(SHORTEST) < 0 || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("replication timeout must be 1 ms to 1 h: " + timeout);
        }
    }

    /** Whether replicas are waited for. */
    public boolean waits() {
        return replicas > 0;
    }
}
