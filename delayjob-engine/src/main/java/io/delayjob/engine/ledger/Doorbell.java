package io.delayjob.engine.ledger;

import org.jspecify.annotations.Nullable;

/** Wakes takers of one shard, through {@link Rings}. No promise rests on it: a ring may be lost, late, doubled, or for nothing. */
public interface Doorbell {

    /** Rings now, on one of the nodes that wait. Waits for nothing; a ring that fails is a ring lost. */
    void ring();

    /** Arranges rings; called on the holder only. Waits for nothing. */
    void arrange(Feed.@Nullable Ring ring);

    /** Takes back what {@link #arrange} holds on this node, when it is no longer the holder. Waits for nothing. */
    void leave();
}
