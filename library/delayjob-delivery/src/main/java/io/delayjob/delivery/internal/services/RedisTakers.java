package io.delayjob.delivery.internal.services;

import io.delayjob.ClaimedJob;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.redisson.api.RSet;
import org.redisson.api.RedissonClient;

/** Keeps in Redis which instances took a job, for a week from the last one. */
public final class RedisTakers implements FanOut.Takers {

    private static final Duration KEPT = Duration.ofDays(7);

    private final RedissonClient redisson;
    private final String keyPrefix;

    public RedisTakers(RedissonClient redisson, String keyPrefix) {
        this.redisson = redisson;
        this.keyPrefix = keyPrefix;
    }

    private RSet<String> set(ClaimedJob job) {
        return redisson.getSet(keyPrefix + ":taken:" + job.queue() + ":" + job.id(), DelayJobRedis.TEXT);
    }

    @Override
    public CompletionStage<Set<String>> of(ClaimedJob job) {
        return set(job).readAllAsync();
    }

    @Override
    public CompletionStage<?> add(ClaimedJob job, String instance) {
        RSet<String> set = set(job);
        return set.addAsync(instance).thenCompose(added -> set.expireAsync(KEPT));
    }

    @Override
    public CompletionStage<?> forget(ClaimedJob job) {
        return set(job).deleteAsync();
    }
}
