package io.delayjob.engine.settings;

import io.delayjob.Limits;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.spi.BackoffPolicy;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * The settings of one queue on this node.
 *
 * @param shards the number of shards that the queue is spread over, 1 to 1024; must be the same on every node
 * @param concurrency how many jobs run at once on this node, at least 1
 * @param lease how long a node may be silent before its jobs go to others, at least 1 s
 * @param attempts how its jobs are tried; its number of attempts and backoff must not be null
 * @param quarantineAfter how many attempts of a job in a row may end with an expired lease before the job is buried, at least 1
 * @param retention which finished jobs are kept, and for how long
 * @param priorityBoost how much later than another a job may come due for each step of priority above it, and still begin first, 0 to 1 day;
 *     0 for the order of the due times
 * @param index what its jobs are found by: names of fields of params, and {@code tag}; see {@link Checks#indexWords}; empty for no index
 * @param limits the limits of the queue and of its keys, unless others are set while it runs
 * @param replication how many replicas must acknowledge a submit
 */
public record QueueSettings(
        int shards,
        int concurrency,
        Duration lease,
        AttemptPolicy attempts,
        int quarantineAfter,
        Retention retention,
        Duration priorityBoost,
        List<String> index,
        Limits limits,
        Replication replication) {

    /** The default of {@code delayjob.queues.<queue>.priority-boost}. */
    public static final Duration USUAL_BOOST = Duration.ofSeconds(10);

    private static final Duration LONGEST_BOOST = Duration.ofDays(1);
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
        if (priorityBoost.isNegative() || priorityBoost.compareTo(LONGEST_BOOST) > 0) {
            throw new IllegalArgumentException("priorityBoost must be 0 to " + LONGEST_BOOST + ": " + priorityBoost);
        }
        index = Checks.indexWords(index);
        checkShares(limits.forQueue(), shards);
    }

    /** The concurrency of the limits is another one than that of this node. */
    private static void checkShares(Limits limits, int shards) {
        try {
            LimitShares.share(limits, 0, shards);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("limits." + e.getMessage(), e);
        }
    }

    /** With the usual boost of priorities, and without an index and limits. */
    public QueueSettings(
            int shards,
            int concurrency,
            Duration lease,
            AttemptPolicy attempts,
            int quarantineAfter,
            Retention retention,
            Replication replication) {
        this(
                shards,
                concurrency,
                lease,
                attempts,
                quarantineAfter,
                retention,
                USUAL_BOOST,
                List.of(),
                Limits.NONE,
                replication);
    }

    /** The wait between attempts, unless the request or the handler sets another. */
    public BackoffPolicy backoff() {
        return Objects.requireNonNull(attempts.backoff());
    }

    /**
     * These settings with another number of attempts.
     *
     * @param maxAttempts how often a job is tried, at least 1
     * @param newQuarantineAfter how many attempts in a row may end with an expired lease
     */
    public QueueSettings withAttempts(int maxAttempts, int newQuarantineAfter) {
        AttemptPolicy more = new AttemptPolicy(maxAttempts, null, null, null, ExceptionRules.NONE).over(attempts);
        return new QueueSettings(
                shards,
                concurrency,
                lease,
                more,
                newQuarantineAfter,
                retention,
                priorityBoost,
                index,
                limits,
                replication);
    }

    /**
     * These settings with another limit of lost leases.
     *
     * @param newQuarantineAfter how many attempts in a row may end with an expired lease
     */
    public QueueSettings withQuarantineAfter(int newQuarantineAfter) {
        return new QueueSettings(
                shards,
                concurrency,
                lease,
                attempts,
                newQuarantineAfter,
                retention,
                priorityBoost,
                index,
                limits,
                replication);
    }

    /** These settings, with what a handler sets for its queue. */
    public QueueSettings with(ConsumedQueue consumed) {
        return new QueueSettings(
                shards,
                consumed.concurrency() == null ? concurrency : consumed.concurrency(),
                consumed.lease() == null ? lease : consumed.lease(),
                attempts,
                quarantineAfter,
                retention,
                priorityBoost,
                index,
                limits,
                replication);
    }
}
