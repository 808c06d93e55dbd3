package io.delayjob.redisson.internal.ledger;

import java.time.Duration;
import java.util.List;

/** Wakes takers of one shard. No promise rests on it: a ring may be lost, late, doubled, or for nothing. */
public interface Doorbell {

    /** Waits until it rings on this node; false if it did not within {@code atMost} (whole seconds). */
    boolean awaitRing(Duration atMost);

    /** Rings now, on one of the nodes that wait. */
    void ring();

    /** Arranges rings; called on the holder only. */
    void arrange(List<Feed.Ring> rings);

    /** Takes back what {@link #arrange} holds on this node, when it is no longer the holder. */
    void leave();
}
