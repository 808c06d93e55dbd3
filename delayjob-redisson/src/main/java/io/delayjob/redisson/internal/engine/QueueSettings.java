package io.delayjob.redisson.internal.engine;

import io.delayjob.Backoff;
import io.delayjob.DelayJobRequest;
import io.delayjob.internal.Checks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How one queue is run. What a job's own request says goes before it.
 *
 * @param shards over how many keys the queue is spread; the same on every node
 * @param concurrency how many jobs run at once on this node
 * @param lease how long a node may be silent before its jobs go to others
 * @param maxAttempts how often a job is tried
 * @param backoff the wait between attempts
 * @param timeout how long one attempt may run; null for as long as it likes
 */
public record QueueSettings(
        int shards,
        int concurrency,
        Duration lease,
        int maxAttempts,
        Backoff backoff,
        @Nullable Duration timeout) {

    private static final int MOST_SHARDS = 1024;

    /** Checks the values. */
    public QueueSettings {
        if (shards < 1 || shards > MOST_SHARDS) {
            throw new IllegalArgumentException("shards must be 1 to " + MOST_SHARDS + ": " + shards);
        }
        Checks.atLeastOne(concurrency, "concurrency");
        Checks.atLeastOne(maxAttempts, "maxAttempts");
        if (Checks.positive(lease, "lease").compareTo(DelayJobRequest.SHORTEST_LEASE) < 0) {
            throw new IllegalArgumentException(
                    "lease must be at least " + DelayJobRequest.SHORTEST_LEASE + ": " + lease);
        }
        if (timeout != null) {
            Checks.positive(timeout, "timeout");
        }
    }
}
