package io.delayjob.engine.ledger;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Waits for the {@link Doorbell}s of many shards at once. Thread-safe. */
public interface Rings {

    /**
     * The next ring of one of these shards, which is then nobody else's; empty if none rang in time. A call that is cancelled may have
     * taken a ring nevertheless.
     *
     * @param shards one to {@link #together} of them
     * @param atMost whole seconds
     */
    CompletableFuture<Optional<ShardId>> next(List<ShardId> shards, Duration atMost);

    /** For how many shards one call may wait. */
    int together();

    /** How many calls may be under way at once. */
    int atOnce();

    /** What has to be set to wait for so many shards at a time, as a sentence; asked when they are too many. */
    String remedy(int shards);
}
