package io.delayjob.engine.ledger;

import org.jspecify.annotations.Nullable;

/**
 * Wakes the takers of one shard, through {@link Rings}. Nothing may depend on a ring: it can be lost, late, doubled or unnecessary.
 */
public interface Doorbell {

    /** Rings now, which wakes one of the waiting nodes. Does not block; if it fails, the ring is lost. */
    void ring();

    /**
     * Arranges a later ring; with null, only takes over the rings that the last holder arranged. Called on the holder only. Does
     * not block.
     */
    void arrange(Feed.@Nullable Ring ring);

    /** Frees what {@link #arrange} uses on this node, when it is no longer the holder. Does not block. */
    void leave();
}
