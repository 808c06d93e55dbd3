package io.delayjob.engine.settings;

import io.delayjob.engine.handler.ExceptionRules;
import io.delayjob.engine.handler.ListenedQueue;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.spi.BackoffPolicy;
import io.delayjob.support.Checks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How one queue is run. What a job's request says goes before it, then what its bean or listener states.
 *
 * @param shards over how many keys the queue is spread; the same on every node
 * @param concurrency how many jobs run at once on this node
 * @param lease how long a node may be silent before its jobs go to others
 * @param maxAttempts how often a job is tried
 * @param backoff the wait between attempts
 * @param timeout how long one attempt may run; null for as long as it likes
 * @param timeToLive how long after its due time a job may begin; null for as late as it likes
 * @param quarantineAfter how many attempts of a job in a row may end with their lease running out before it is buried
 * @param exceptions which exceptions are retried
 * @param retention what is kept of finished jobs
 * @param replication how many replicas acknowledge a submit
 */
public record QueueSettings(
        int shards,
        int concurrency,
        Duration lease,
        int maxAttempts,
        BackoffPolicy backoff,
        @Nullable Duration timeout,
        @Nullable Duration timeToLive,
        int quarantineAfter,
        ExceptionRules exceptions,
        Retention retention,
        Replication replication) {

    private static final int MOST_SHARDS = 1024;

    /** Checks the values. */
    public QueueSettings {
        if (shards < 1 || shards > MOST_SHARDS) {
            throw new IllegalArgumentException("shards must be 1 to " + MOST_SHARDS + ": " + shards);
        }
        Checks.atLeastOne(concurrency, "concurrency");
        Checks.atLeastOne(maxAttempts, "maxAttempts");
        Checks.lease(lease);
        Checks.ifGiven(timeout, value -> Checks.positive(value, "timeout"));
        Checks.ifGiven(timeToLive, value -> Checks.positive(value, "timeToLive"));
        Checks.atLeastOne(quarantineAfter, "quarantineAfter");
    }

    /** As a listener wants it. */
    public QueueSettings with(ListenedQueue listened) {
        return new QueueSettings(
                shards,
                listened.concurrency() == null ? concurrency : listened.concurrency(),
                listened.lease() == null ? lease : listened.lease(),
                maxAttempts,
                backoff,
                timeout,
                timeToLive,
                quarantineAfter,
                exceptions,
                retention,
                replication);
    }
}
