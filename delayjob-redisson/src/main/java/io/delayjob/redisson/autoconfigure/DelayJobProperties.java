package io.delayjob.redisson.autoconfigure;

import io.delayjob.Backoff;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings of delayjob. Redis itself is configured by {@code spring.data.redis.*}.
 *
 * @param enabled Whether delayjob is set up at all.
 * @param failFast Whether the start fails when Redis cannot be reached. If false, the application starts and keeps trying.
 * @param consume Whether this node runs jobs, or only submits them.
 * @param node Name of this node in Redis and in logs, unique in the fleet. Made of host, process and a random part if not set.
 * @param keyPrefix What all keys in Redis begin with. Fleets that share a Redis and not their jobs need different ones.
 * @param defaultQueue Queue of jobs whose request names none.
 * @param maxParamSize Largest param of a job, as JSON.
 * @param submitTimeout How long a submit tries to reach Redis before it throws.
 * @param unableTimeout How long a job that no node has a bean for is passed around before it is dead.
 * @param shutdownTimeout How long running jobs may go on at shutdown before they are interrupted and given back. If not set,
 *     two seconds less than spring.lifecycle.timeout-per-shutdown-phase.
 * @param concurrency How many jobs of a queue run at once on this node.
 * @param shards Over how many keys a queue is spread, to use several masters of a cluster. The same on every node.
 * @param lease How long a node may be silent before its jobs go to others. At least 1 s.
 * @param maxAttempts How often a job is tried before it is dead.
 * @param timeout How long one attempt may run before it is interrupted and counts as failed. No limit if not set.
 * @param backoff Wait between attempts.
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
        @DefaultValue("256KB") DataSize maxParamSize,
        @DefaultValue("10s") Duration submitTimeout,
        @DefaultValue("10m") Duration unableTimeout,
        @Nullable Duration shutdownTimeout,
        @DefaultValue("16") int concurrency,
        @DefaultValue("1") int shards,
        @DefaultValue("30s") Duration lease,
        @DefaultValue("10") int maxAttempts,
        @Nullable Duration timeout,
        @DefaultValue Retry backoff,
        @DefaultValue Map<String, Queue> queues) {

    /**
     * Wait between attempts: {@code initial × multiplier^(attempt − 1)}, at most {@code max}.
     *
     * @param initial Wait after the first attempt.
     * @param max Longest wait.
     * @param multiplier Growth per attempt, 1 to 100.
     * @param jitter Random share added or taken, 0 to 1.
     */
    public record Retry(
            @DefaultValue("2s") Duration initial,
            @DefaultValue("10m") Duration max,
            @DefaultValue("2") double multiplier,
            @DefaultValue("0.2") double jitter) {

        /**
         * As the engine knows it.
         *
         * @return the backoff
         * @throws IllegalArgumentException if a value is out of its range
         */
        Backoff toBackoff() {
            return new Backoff(initial, max, multiplier, jitter);
        }
    }

    /**
     * Settings of one queue; what is not set is as for all queues.
     *
     * @param concurrency How many of its jobs run at once on this node.
     * @param shards Over how many keys it is spread. The same on every node.
     * @param lease How long a node may be silent before its jobs go to others.
     * @param maxAttempts How often a job is tried before it is dead.
     * @param timeout How long one attempt may run.
     * @param backoff Wait between attempts.
     */
    public record Queue(
            @Nullable Integer concurrency,
            @Nullable Integer shards,
            @Nullable Duration lease,
            @Nullable Integer maxAttempts,
            @Nullable Duration timeout,
            @DefaultValue QueueRetry backoff) {}

    /**
     * Wait between attempts of one queue; what is not set is as for all queues.
     *
     * @param initial Wait after the first attempt.
     * @param max Longest wait.
     * @param multiplier Growth per attempt, 1 to 100.
     * @param jitter Random share added or taken, 0 to 1.
     */
    public record QueueRetry(
            @Nullable Duration initial,
            @Nullable Duration max,
            @Nullable Double multiplier,
            @Nullable Double jitter) {

        /**
         * As the engine knows it.
         *
         * @param defaults what is not set
         * @return the backoff
         * @throws IllegalArgumentException if a value is out of its range
         */
        Backoff toBackoff(Backoff defaults) {
            return new Backoff(
                    initial == null ? defaults.initial() : initial,
                    max == null ? defaults.max() : max,
                    multiplier == null ? defaults.multiplier() : multiplier,
                    jitter == null ? defaults.jitter() : jitter);
        }
    }
}
