package io.delayjob.spring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings of delayjob. Redis itself is configured by {@code spring.data.redis.*}, or {@code delayjob.redis.*}.
 *
 * @param enabled Whether delayjob is set up at all.
 * @param failFast Whether the start fails when Redis cannot be reached. If false, the application starts and keeps trying.
 * @param consume Whether this node runs jobs, or only submits them.
 * @param node Name of this node in Redis and in logs, unique in the fleet. Made of host, process and a random part if not set.
 * @param keyPrefix What all keys in Redis begin with. Fleets that share a Redis and not their jobs need different ones.
 * @param defaultQueue Queue of jobs whose request names none.
 * @param redissonClient Name of the RedissonClient bean that jobs are kept with. If not set, the only or the primary one; without any,
 *     a client that is delayjob's alone.
 * @param maxParamSize Largest param of a job, as JSON.
 * @param submitTimeout By when a submit, cancel, reschedule or redrive is answered or throws, however many wait beside it.
 * @param noHandlerTimeout How long a job waits while no live node has a bean or listener for it, before it is dead.
 * @param shutdownTimeout How long running jobs may go on at shutdown before they are interrupted and given back. If not set,
 *     two seconds less than spring.lifecycle.timeout-per-shutdown-phase.
 * @param concurrency How many jobs of a queue run at once on this node.
 * @param shards Over how many keys a queue is spread, to use several masters of a cluster. The same on every node.
 * @param lease How long a node may be silent before its jobs go to others. At least 1 s.
 * @param maxAttempts How often a job is tried before it is dead.
 * @param timeout How long one attempt may run before it is interrupted and counts as failed. No limit if not set.
 * @param timeToLive How long after its due time a job may begin; one that has not begun by then is dead. No limit if not set.
 * @param quarantineAfter How many attempts of a job in a row may end with their lease running out before it is dead.
 * @param retryFor Exceptions that are retried although a class above them is in no-retry-for. None if not set.
 * @param noRetryFor Exceptions after which no further attempt is made, besides NonRetryableException. None if not set.
 * @param submitAfterCommit Whether submits inside a transaction wait for its commit, unless their request says otherwise.
 * @param backoff Wait between attempts.
 * @param retention What is kept of finished jobs for looking at.
 * @param replication How many replicas of Redis acknowledge a submit before it is confirmed.
 * @param queues Settings that differ for a queue, by its name. This node runs the jobs of these queues and of the default one.
 */
@ConfigurationProperties("delayjob")
public record DelayJobProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("true") boolean failFast,
        @DefaultValue("true") boolean consume,
        @Nullable String node,
        @DefaultValue("delayjob") String keyPrefix,
        @DefaultValue("default") String defaultQueue,
        @Nullable String redissonClient,
        @DefaultValue("256KB") DataSize maxParamSize,
        @DefaultValue("10s") Duration submitTimeout,
        @DefaultValue("10m") Duration noHandlerTimeout,
        @Nullable Duration shutdownTimeout,
        @DefaultValue("16") int concurrency,
        @DefaultValue("1") int shards,
        @DefaultValue("9s") Duration lease,
        @DefaultValue("10") int maxAttempts,
        @Nullable Duration timeout,
        @Nullable Duration timeToLive,
        @DefaultValue("3") int quarantineAfter,
        @DefaultValue List<Class<? extends Throwable>> retryFor,
        @DefaultValue List<Class<? extends Throwable>> noRetryFor,
        @DefaultValue("false") boolean submitAfterCommit,
        @DefaultValue Retry backoff,
        @DefaultValue Kept retention,
        @DefaultValue Copies replication,
        @DefaultValue Map<String, Queue> queues) {

    /**
     * Wait between attempts: {@code initial × multiplier^(attempt − 1)}, at most {@code max}; or what a bean decides.
     *
     * @param initial Wait after the first attempt.
     * @param max Longest wait.
     * @param multiplier Growth per attempt, 1 to 100.
     * @param jitter Random share added or taken, 0 to 1.
     * @param policy Name of a BackoffPolicy bean that decides instead; the other values are then left alone. None if not set.
     */
    public record Retry(
            @DefaultValue("2s") Duration initial,
            @DefaultValue("10m") Duration max,
            @DefaultValue("2") double multiplier,
            @DefaultValue("0.2") double jitter,
            @Nullable String policy) {}

    /**
     * What is kept of finished jobs for looking at: the latest {@code count} of those that ended within {@code time}.
     *
     * @param time How long. If not set, 7 days where the count is set, else nothing is kept.
     * @param count How many, in each shard of a queue. If not set, 10000 where the time is set, else nothing is kept.
     */
    public record Kept(@Nullable Duration time, @Nullable Integer count) {}

    /**
     * How many replicas of Redis acknowledge a submit before it is confirmed.
     *
     * @param replicas How many. 0 for none: a submit is confirmed when the master has it.
     * @param timeout How long they are waited for before the submit throws. 1 ms to 1 h.
     */
    public record Copies(
            @DefaultValue("0") int replicas,
            @DefaultValue("1s") Duration timeout) {}

    /**
     * Settings of one queue; what is not set is as for all queues.
     *
     * @param concurrency How many of its jobs run at once on this node.
     * @param shards Over how many keys it is spread. The same on every node.
     * @param lease How long a node may be silent before its jobs go to others.
     * @param maxAttempts How often a job is tried before it is dead.
     * @param timeout How long one attempt may run.
     * @param timeToLive How long after its due time a job may begin.
     * @param quarantineAfter How many attempts of a job in a row may end with their lease running out before it is dead.
     * @param retryFor Exceptions that are retried, besides those for all queues, and before them.
     * @param noRetryFor Exceptions after which no further attempt is made, besides those for all queues, and before them.
     * @param backoff Wait between attempts.
     * @param retention What is kept of finished jobs for looking at.
     * @param replication How many replicas of Redis acknowledge a submit before it is confirmed.
     */
    public record Queue(
            @Nullable Integer concurrency,
            @Nullable Integer shards,
            @Nullable Duration lease,
            @Nullable Integer maxAttempts,
            @Nullable Duration timeout,
            @Nullable Duration timeToLive,
            @Nullable Integer quarantineAfter,
            @DefaultValue List<Class<? extends Throwable>> retryFor,
            @DefaultValue List<Class<? extends Throwable>> noRetryFor,
            @DefaultValue QueueRetry backoff,
            @DefaultValue Kept retention,
            @DefaultValue QueueCopies replication) {}

    /**
     * Wait between attempts of one queue; what is not set is as for all queues.
     *
     * @param initial Wait after the first attempt.
     * @param max Longest wait.
     * @param multiplier Growth per attempt, 1 to 100.
     * @param jitter Random share added or taken, 0 to 1.
     * @param policy Name of a BackoffPolicy bean that decides instead; the other values are then not set.
     */
    public record QueueRetry(
            @Nullable Duration initial,
            @Nullable Duration max,
            @Nullable Double multiplier,
            @Nullable Double jitter,
            @Nullable String policy) {}

    /**
     * How many replicas of Redis acknowledge a submit to one queue; what is not set is as for all queues.
     *
     * @param replicas How many. 0 for none.
     * @param timeout How long they are waited for before the submit throws.
     */
    public record QueueCopies(
            @Nullable Integer replicas, @Nullable Duration timeout) {}
}
