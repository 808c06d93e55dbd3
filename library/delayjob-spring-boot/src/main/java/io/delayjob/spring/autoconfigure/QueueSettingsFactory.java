package io.delayjob.spring.autoconfigure;

import io.delayjob.Backoff;
import io.delayjob.Limits;
import io.delayjob.Limits.Rate;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.settings.AttemptPolicy;
import io.delayjob.engine.settings.ExceptionRules;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.spi.BackoffPolicy;
import io.delayjob.spring.autoconfigure.DelayJobProperties.Copies;
import io.delayjob.spring.autoconfigure.DelayJobProperties.Kept;
import io.delayjob.spring.autoconfigure.DelayJobProperties.KeyLimits;
import io.delayjob.spring.autoconfigure.DelayJobProperties.LimitRate;
import io.delayjob.spring.autoconfigure.DelayJobProperties.Queue;
import io.delayjob.spring.autoconfigure.DelayJobProperties.QueueCopies;
import io.delayjob.spring.autoconfigure.DelayJobProperties.QueueLimits;
import io.delayjob.spring.autoconfigure.DelayJobProperties.QueueRetry;
import io.delayjob.spring.autoconfigure.DelayJobProperties.Retry;
import io.delayjob.spring.internal.listener.BackoffBeans;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the settings of queues. */
record QueueSettingsFactory(DelayJobProperties properties, BackoffBeans policies) {

    private static final Duration KEPT_TIME = Duration.ofDays(7);
    private static final int KEPT_COUNT = 10_000;

    /** The settings of queues that have none of their own. */
    QueueSettings defaults() {
        return PropertyChecks.under(
                "delayjob",
                () -> new QueueSettings(
                        properties.shards(),
                        properties.concurrency(),
                        properties.lease(),
                        new AttemptPolicy(
                                properties.maxAttempts(),
                                backoff(properties.backoff()),
                                properties.timeout(),
                                properties.timeToLive(),
                                rules("delayjob", properties.retryFor(), properties.noRetryFor())),
                        properties.quarantineAfter(),
                        retention(properties.retention()),
                        properties.priorityBoost(),
                        List.of(),
                        Limits.NONE,
                        replication(properties.replication())));
    }

    private BackoffPolicy backoff(Retry retry) {
        checkMax("delayjob", retry.initial(), retry.max(), Backoff.DEFAULT.max());
        Backoff values = new Backoff(retry.initial(), retry.max(), retry.multiplier(), retry.jitter());
        String property = "delayjob.backoff.policy";
        return retry.policy() == null ? values : policy(property, retry.policy(), values.equals(Backoff.DEFAULT));
    }

    /** A longest wait that nobody set is not at fault. */
    private static void checkMax(String prefix, Duration initial, Duration max, Duration unset) {
        if (max.equals(unset) && max.compareTo(initial) < 0) {
            throw new IllegalArgumentException("backoff max must be at least its initial " + initial + ": " + max
                    + "; raise " + prefix + ".backoff.max too");
        }
    }

    private BackoffPolicy policy(String property, String name, boolean alone) {
        return PropertyChecks.of(property, () -> {
            if (!alone) {
                throw new IllegalArgumentException(
                        "the bean '" + name + "' computes the wait alone; remove the other values of backoff");
            }
            return policies.named(name);
        });
    }

    /** Of a queue with settings; what is not set is as for all queues. */
    QueueSettings merged(String name, Queue queue, QueueSettings defaults) {
        String prefix = "delayjob.queues." + name;
        return PropertyChecks.under(
                prefix,
                () -> new QueueSettings(
                        first(queue.shards(), defaults.shards()),
                        first(queue.concurrency(), defaults.concurrency()),
                        first(queue.lease(), defaults.lease()),
                        attempts(prefix, queue, defaults),
                        first(queue.quarantineAfter(), defaults.quarantineAfter()),
                        retention(merged(queue.retention(), properties.retention())),
                        first(queue.priorityBoost(), defaults.priorityBoost()),
                        index(prefix + ".index", queue.index()),
                        limits(prefix + ".limits", queue.limits()),
                        replication(queue.replication(), defaults.replication())));
    }

    private AttemptPolicy attempts(String prefix, Queue queue, QueueSettings defaults) {
        return new AttemptPolicy(
                        queue.maxAttempts(),
                        backoff(prefix, queue.backoff(), defaults.backoff()),
                        queue.timeout(),
                        queue.timeToLive(),
                        rules(prefix, queue.retryFor(), queue.noRetryFor()))
                .over(defaults.attempts());
    }

    private static List<String> index(String property, List<String> words) {
        return PropertyChecks.of(property, () -> Checks.indexWords(words));
    }

    private static Limits limits(String prefix, QueueLimits limits) {
        Limits perKey = PropertyChecks.under(prefix + ".per-key", () -> limits(limits.perKey()));
        return PropertyChecks.under(
                prefix, () -> new Limits(limits.concurrency(), rate(limits.rate()), null, null, perKey));
    }

    private static @Nullable Limits limits(KeyLimits perKey) {
        Limits limits = new Limits(perKey.concurrency(), rate(perKey.rate()), perKey.order(), null, null);
        return limits.equals(Limits.NONE) ? null : limits;
    }

    private static @Nullable Rate rate(LimitRate rate) {
        if (rate.permits() != null) {
            return new Rate(rate.permits(), first(rate.per(), Duration.ofSeconds(1)), first(rate.burst(), 0));
        } else if (rate.per() != null || rate.burst() != null) {
            throw new IllegalArgumentException("rate.permits must be set where "
                    + (rate.per() == null ? "rate.burst is: " + rate.burst() : "rate.per is: " + rate.per()));
        }
        return null;
    }

    private static <V> V first(@Nullable V one, V other) {
        return one == null ? other : one;
    }

    private BackoffPolicy backoff(String prefix, QueueRetry retry, BackoffPolicy defaults) {
        boolean none =
                retry.initial() == null && retry.max() == null && retry.multiplier() == null && retry.jitter() == null;
        if (retry.policy() != null) {
            return policy(prefix + ".backoff.policy", retry.policy(), none);
        }
        return none ? defaults : merged(prefix, retry, defaults instanceof Backoff backoff ? backoff : Backoff.DEFAULT);
    }

    private static Backoff merged(String prefix, QueueRetry retry, Backoff others) {
        Duration initial = first(retry.initial(), others.initial());
        Duration max = first(retry.max(), others.max());
        checkMax(prefix, initial, max, others.max());
        return new Backoff(
                initial, max, first(retry.multiplier(), others.multiplier()), first(retry.jitter(), others.jitter()));
    }

    private static ExceptionRules rules(
            String prefix, List<Class<? extends Throwable>> retryFor, List<Class<? extends Throwable>> noRetryFor) {
        return PropertyChecks.of(
                prefix + ".retry-for",
                () -> new ExceptionRules(
                        exceptions(prefix + ".retry-for", retryFor), exceptions(prefix + ".no-retry-for", noRetryFor)));
    }

    /** The binder takes any class. */
    private static Set<Class<? extends Throwable>> exceptions(
            String property, List<Class<? extends Throwable>> classes) {
        for (Class<?> type : classes) {
            PropertyChecks.of(property, () -> {
                if (!Throwable.class.isAssignableFrom(type)) {
                    throw new IllegalArgumentException("it must name exceptions: " + type.getName());
                }
                return type;
            });
        }
        return Set.copyOf(classes);
    }

    private static Kept merged(Kept queue, Kept all) {
        return new Kept(
                queue.time() == null ? all.time() : queue.time(), queue.count() == null ? all.count() : queue.count());
    }

    private static Retention retention(Kept kept) {
        return kept.time() == null && kept.count() == null
                ? Retention.NONE
                : new Retention(first(kept.time(), KEPT_TIME), first(kept.count(), KEPT_COUNT));
    }

    private static Replication replication(Copies all) {
        return new Replication(all.replicas(), all.timeout());
    }

    private static Replication replication(QueueCopies queue, Replication all) {
        return new Replication(first(queue.replicas(), all.replicas()), first(queue.timeout(), all.timeout()));
    }
}
