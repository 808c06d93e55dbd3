package io.delayjob.engine.ledger;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Waits for the {@link Doorbell}s of many shards at once. Thread-safe. */
public interface Rings {

    /**
     * Waits for the next ring of one of these shards, and takes it, so that no other node gets it; empty if none rang in time. A
     * call that is cancelled may still have taken a ring.
     *
     * @param shards the shards, one to {@link #together}
     * @param atMost the longest wait, in whole seconds
     */
    CompletableFuture<Optional<ShardId>> next(List<ShardId> shards, Duration atMost);

    /** How many shards one call can wait for. */
    int together();

    /** How many calls may be under way at once. */
    int atOnce();

    /**
     * A sentence for the log that says which setting to change to wait for this many shards at a time; used when there are too
     * many.
     */
    String remedy(int shards);
}
