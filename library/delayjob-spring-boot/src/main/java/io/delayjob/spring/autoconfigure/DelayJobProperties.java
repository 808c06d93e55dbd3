package io.delayjob.spring.autoconfigure;

import io.delayjob.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings of delayjob. Redis itself is configured by {@code spring.data.redis.*}, or {@code delayjob.redis.*}. The descriptions
 * are what IDEs and docs/properties.md show.
 *
 * @param enabled Whether delayjob is set up at all.
 * @param failFast Whether startup fails if Redis cannot be reached. If false, the application starts and keeps trying.
 * @param consume Whether this node runs jobs, or only submits them.
 * @param node Name of this node in Redis and in logs. Must be unique in the fleet. If not set, it is made of the host, the process id and
 *     a random part.
 * @param keyPrefix Prefix of all keys in Redis. Fleets that share a Redis but not their jobs need different prefixes.
 * @param defaultQueue Queue of jobs whose request names none.
 * @param redissonClient Name of the RedissonClient bean to use. If not set, it is the only or the primary one; if there is none, delayjob
 *     makes a client for itself.
 * @param maxParamSize Largest parameter of a job, as JSON.
 * @param submitTimeout How long a submit, cancel, reschedule or redrive may take before it throws, however many other calls are waiting.
 * @param noHandlerTimeout How long a job waits while no live node has a handler for it. Then it is dead.
 * @param shutdownTimeout How long running jobs may continue at shutdown before they are interrupted and given back. If not set, it is
 *     spring.lifecycle.timeout-per-shutdown-phase less two seconds.
 * @param concurrency How many jobs of a queue run at once on this node.
 * @param shards How many shards a queue is spread over, to use several masters of a cluster. Must be the same on every node.
 * @param lease How long a node may be silent before its jobs go to other nodes. At least 1 s.
 * @param maxAttempts How often a job is tried before it is dead.
 * @param timeout How long one attempt may run before it is interrupted; it has failed if it then throws. If not set, there is no limit.
 * @param timeToLive How long after its due time a job may start. A job that has not started by then is dead. If not set, there is no
 *     limit.
 * @param quarantineAfter After how many consecutive attempts that end with an expired lease a job is dead.
 * @param priorityBoost How much later a job may come due than another for each step of priority above it, and still begin first. 0 to 1
 *     day; 0: jobs begin in the order of their due times.
 * @param retryFor Exceptions that are retried although one of their superclasses is in no-retry-for. If not set, there are none.
 * @param noRetryFor Exceptions after which a job is not retried, besides NonRetryableException. If not set, there are no others.
 * @param submitAfterCommit Whether submits inside a transaction wait for its commit, unless their request says otherwise.
 * @param backoff Wait between attempts.
 * @param retention What is kept of finished jobs.
 * @param replication How many replicas acknowledge a submit.
 * @param queues Settings of single queues, by name. This node runs the jobs of these queues and of the default queue.
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
        @DefaultValue("10s") Duration priorityBoost,
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
     * @param initial Wait after the first failed attempt.
     * @param max Longest wait. At least the initial one.
     * @param multiplier Factor by which the wait grows with each failed attempt, 1 to 100.
     * @param jitter Random share of the wait that is added or subtracted, 0 to 1.
     * @param policy Name of a BackoffPolicy bean that computes the wait. Startup fails if other backoff values are set too. If not set, the
     *     wait is computed from those values.
     */
    public record Retry(
            @DefaultValue("2s") Duration initial,
            @DefaultValue("10m") Duration max,
            @DefaultValue("2") double multiplier,
            @DefaultValue("0.2") double jitter,
            @Nullable String policy) {}

    /**
     * What is kept of finished jobs: the latest {@code count} of those that ended within {@code time}.
     *
     * @param time How long finished jobs are kept for inspection. If not set, 7 days if the count is set; otherwise nothing is kept.
     * @param count How many finished jobs are kept, in each shard of a queue. If not set, 10000 if the time is set; otherwise nothing is
     *     kept.
     */
    public record Kept(@Nullable Duration time, @Nullable Integer count) {}

    /**
     * How many replicas of Redis acknowledge a submit.
     *
     * @param replicas How many replicas must acknowledge a submit before it is confirmed. 0: it is confirmed as soon as the master has it.
     * @param timeout How long to wait for the replicas before the submit throws. 1 ms to 1 h.
     */
    public record Copies(
            @DefaultValue("0") int replicas,
            @DefaultValue("1s") Duration timeout) {}

    /**
     * Settings of one queue; what is not set is as for all queues. The exceptions it names are added to those for all queues, and take
     * precedence over them.
     *
     * @param concurrency See {@link DelayJobProperties#concurrency()}.
     * @param shards See {@link DelayJobProperties#shards()}.
     * @param lease See {@link DelayJobProperties#lease()}.
     * @param maxAttempts See {@link DelayJobProperties#maxAttempts()}.
     * @param timeout See {@link DelayJobProperties#timeout()}.
     * @param timeToLive See {@link DelayJobProperties#timeToLive()}.
     * @param quarantineAfter See {@link DelayJobProperties#quarantineAfter()}.
     * @param priorityBoost See {@link DelayJobProperties#priorityBoost()}.
     * @param index What jobs are found by in a search: names of fields of params, such as orderId or customer.id, and tag; at most 8. Each costs memory in
     *     Redis for every job. It counts for the jobs that this application submits.
     * @param limits How many jobs may run at once and begin in a time, on all nodes together, unless others are set while they run.
     * @param retryFor See {@link DelayJobProperties#retryFor()}.
     * @param noRetryFor See {@link DelayJobProperties#noRetryFor()}.
     * @param backoff Wait between attempts.
     * @param retention What is kept of finished jobs.
     * @param replication How many replicas acknowledge a submit.
     * @param journal Whether the queue has a journal.
     */
    public record Queue(
            @Nullable Integer concurrency,
            @Nullable Integer shards,
            @Nullable Duration lease,
            @Nullable Integer maxAttempts,
            @Nullable Duration timeout,
            @Nullable Duration timeToLive,
            @Nullable Integer quarantineAfter,
            @Nullable Duration priorityBoost,
            @DefaultValue List<String> index,
            @DefaultValue QueueLimits limits,
            @DefaultValue List<Class<? extends Throwable>> retryFor,
            @DefaultValue List<Class<? extends Throwable>> noRetryFor,
            @DefaultValue QueueRetry backoff,
            @DefaultValue Kept retention,
            @DefaultValue QueueCopies replication,
            @DefaultValue QueueJournal journal) {}

    /**
     * Limits of one queue. They are divided among its shards.
     *
     * @param concurrency How many jobs of the queue may run at once on all nodes together, at least 1 for each shard. If not set, any number.
     * @param rate How many jobs of the queue may begin in a time. If not set, any number.
     * @param perKey Limits of the jobs with the same key.
     */
    public record QueueLimits(
            @Nullable Integer concurrency,
            @DefaultValue LimitRate rate,
            @DefaultValue KeyLimits perKey) {}

    /**
     * Limits of the jobs of a queue that have the same key.
     *
     * @param concurrency How many may run at once on all nodes together, at least 1. If not set, any number.
     * @param rate How many may begin in a time. If not set, any number.
     * @param order Whether others of its key go first while a failed job waits for its next attempt (SKIP), wait for it (STRICT), or also for a dead one until it is redriven or purged (STRICT_HOLD).
     */
    public record KeyLimits(
            @Nullable Integer concurrency, @DefaultValue LimitRate rate, Limits.@Nullable Order order) {}

    /**
     * How many jobs may begin in a time, evenly over it.
     *
     * @param permits How many, at least 1. If not set, any number.
     * @param per In which time, 1 ms to 366 days. If not set, 1 s.
     * @param burst How many more may begin at once after a time in which fewer did. If not set, none.
     */
    public record LimitRate(
            @Nullable Integer permits,
            @Nullable Duration per,
            @Nullable Integer burst) {}

    /**
     * Wait between attempts of one queue; what is not set is as for all queues.
     *
     * @param initial See {@link Retry#initial()}.
     * @param max See {@link Retry#max()}.
     * @param multiplier See {@link Retry#multiplier()}.
     * @param jitter See {@link Retry#jitter()}.
     * @param policy Name of a BackoffPolicy bean that computes the wait. Startup fails if the queue has other backoff values too.
     */
    public record QueueRetry(
            @Nullable Duration initial,
            @Nullable Duration max,
            @Nullable Double multiplier,
            @Nullable Double jitter,
            @Nullable String policy) {}

    /**
     * Whether a queue has a journal; what is not set is as for all queues.
     *
     * @param mode See {@link DelayJobJournalProperties#mode()}.
     */
    public record QueueJournal(DelayJobJournalProperties.@Nullable Mode mode) {}

    /**
     * How many replicas of Redis acknowledge a submit to one queue; what is not set is as for all queues.
     *
     * @param replicas See {@link Copies#replicas()}.
     * @param timeout See {@link Copies#timeout()}.
     */
    public record QueueCopies(
            @Nullable Integer replicas, @Nullable Duration timeout) {}
}
