package io.delayjob.spring.internal.listener;

import io.delayjob.Backoff;
import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobPolicy;
import io.delayjob.JobBackoff;
import io.delayjob.engine.settings.AttemptPolicy;
import io.delayjob.engine.settings.ExceptionRules;
import io.delayjob.spi.BackoffPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the job options that an annotation states. */
record StatedOptions(BackoffBeans policies) {

    /**
     * The options of a listener.
     *
     * @param queues the backoff of its queue
     */
    AttemptPolicy of(DelayJobListener listener, Attributes attributes, BackoffPolicy queues) {
        return new AttemptPolicy(
                attributes.count("maxAttempts", listener.maxAttempts()),
                backoff(listener.backoff(), attributes, queues),
                attributes.duration("timeout", listener.timeout()),
                attributes.duration("timeToLive", listener.timeToLive()),
                exceptions(listener.retryFor(), listener.noRetryFor(), attributes));
    }

    /**
     * The options of a bean class.
     *
     * @param defaults the backoff of its queue, or of queues without settings if it states none
     */
    AttemptPolicy of(DelayJobPolicy policy, Attributes attributes, BackoffPolicy defaults) {
        return new AttemptPolicy(
                attributes.count("maxAttempts", policy.maxAttempts()),
                backoff(policy.backoff(), attributes, defaults),
                attributes.duration("timeout", policy.timeout()),
                attributes.duration("timeToLive", policy.timeToLive()),
                exceptions(policy.retryFor(), policy.noRetryFor(), attributes));
    }

    private static ExceptionRules exceptions(
            Class<? extends Throwable>[] retryFor, Class<? extends Throwable>[] noRetryFor, Attributes attributes) {
        return attributes.checked(
                "retryFor", () -> new ExceptionRules(Set.copyOf(List.of(retryFor)), Set.copyOf(List.of(noRetryFor))));
    }

    private @Nullable BackoffPolicy backoff(JobBackoff stated, Attributes attributes, BackoffPolicy others) {
        String policy = attributes.text("backoff.policy", stated.policy());
        @Nullable Backoff values = values(stated, attributes, others instanceof Backoff backoff ? backoff : Backoff.DEFAULT);
        if (policy == null) {
            return values;
        }
        if (values != null) {
            throw attributes.invalid(
                    "backoff.policy",
                    "'" + policy + "' computes the wait alone; leave the other values of backoff empty",
                    null);
        }
        return attributes.checked("backoff.policy", () -> policies.named(policy));
    }

    /** Null if none is stated. */
    private static @Nullable Backoff values(JobBackoff stated, Attributes attributes, Backoff others) {
        Duration initial = attributes.duration("backoff.initial", stated.initial());
        Duration max = attributes.duration("backoff.max", stated.max());
        Double multiplier = attributes.decimal("backoff.multiplier", stated.multiplier());
        Double jitter = attributes.decimal("backoff.jitter", stated.jitter());
        if (initial == null && max == null && multiplier == null && jitter == null) {
            return null;
        }
        if (initial != null && max == null && others.max().compareTo(initial) < 0) {
            throw attributes.invalid(
                    "backoff",
                    "backoff max must be at least its initial " + initial + ": " + others.max() + "; state its max too",
                    null);
        }
        return attributes.checked(
                "backoff",
                () -> new Backoff(
                        initial == null ? others.initial() : initial,
                        max == null ? others.max() : max,
                        multiplier == null ? others.multiplier() : multiplier,
                        jitter == null ? others.jitter() : jitter));
    }
}
