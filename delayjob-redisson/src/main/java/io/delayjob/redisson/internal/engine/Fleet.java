package io.delayjob.redisson.internal.engine;

import java.time.Duration;

/**
 * How many nodes serve a shard, as its feeder last heard. Every period belongs to the fleet: it grows with the number of nodes,
 * so that the load on Redis does not. Thread-safe.
 */
final class Fleet {

    private volatile int nodes = 1;

    void nodes(int alive) {
        nodes = Math.max(1, alive);
    }

    /** A period of the fleet on this node. */
    Duration period(Duration alone) {
        return alone.multipliedBy(nodes);
    }
}
