package io.delayjob.engine.settings;

import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.spi.BackoffPolicy;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.Objects;

/**
 * How one queue is run on this node.
 *
 * @param shards over how many keys the queue is spread, 1 to 1024; the same on every node
 * @param concurrency how many jobs run at once on this node
 * @param lease how long a node may be silent before its jobs go to others
 * @param attempts how its jobs are tried; leaves neither the number of attempts nor the backoff open
 * @param quarantineAfter how many attempts of a job in a row may end with their lease running out before it is buried
 * @param retention what is kept of finished jobs
 * @param replication how many replicas acknowledge a submit
 */
public record QueueSettings(
        int shards,
        int concurrency,
        Duration lease,
        AttemptPolicy attempts,
        int quarantineAfter,
        Retention retention,
        Replication replication) {

    private static final int MOST_SHARDS = 1024;

    /** Checks the values. */
    public QueueSettings {
        if (shards < 1 || shards > MOST_SHARDS) {
            throw new IllegalArgumentException("shards must be 1 to " + MOST_SHARDS + ": " + shards);
        }
        Checks.atLeastOne(concurrency, "concurrency");
        Checks.lease(lease);
        Checks.notNull(attempts.maxAttempts(), "maxAttempts");
        Checks.notNull(attempts.backoff(), "backoff");
        Checks.atLeastOne(quarantineAfter, "quarantineAfter");
    }

    /** The wait between attempts, where neither request nor handler says another. */
    public BackoffPolicy backoff() {
        return Objects.requireNonNull(attempts.backoff());
    }

    /** As a handler wants the queue that it has this node consume. */
    public QueueSettings with(ConsumedQueue consumed) {
        return new QueueSettings(
                shards,
                consumed.concurrency() == null ? concurrency : consumed.concurrency(),
                consumed.lease() == null ? lease : consumed.lease(),
                attempts,
                quarantineAfter,
                retention,
                replication);
    }
}
