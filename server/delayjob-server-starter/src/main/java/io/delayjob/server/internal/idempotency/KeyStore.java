package io.delayjob.server.internal.idempotency;

import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.redis.ServerRedis;
import io.delayjob.server.web.ServerJson;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.redisson.api.RBucket;

/** Answers to requests with an idempotency key, kept in Redis for a day, so that any server can repeat them. */
public final class KeyStore {

    private static final Duration ANSWERED = Duration.ofHours(24);

    /** After this long a request whose server died may be made again. The ids of its jobs follow from its key, so none is stored twice. */
    private static final Duration UNDER_WAY = Duration.ofMinutes(1);

    /** The bytes that Redis needs for a key beside its value. */
    private static final int BESIDE = 300;

    private final ServerRedis redis;

    /** The keys in a Redis. */
    public KeyStore(ServerRedis redis) {
        this.redis = redis;
    }

    private RBucket<String> bucket(String key) {
        return redis.client().getBucket(redis.key("idempotency:" + key), DelayJobRedis.TEXT);
    }

    /** Notes that a request has begun; true unless another one of its key has. */
    CompletableFuture<Boolean> begin(String key, Kept kept) {
        return redis.ask(() -> bucket(key).setIfAbsentAsync(write(kept), UNDER_WAY));
    }

    /** The record of a key; a record that is gone counts as under way, so that the caller asks again. */
    CompletableFuture<Kept> find(String key) {
        return redis.ask(() -> bucket(key).getAsync())
                .thenApply(text ->
                        text == null ? Kept.begun("") : ServerJson.stored().readValue(text, Kept.class));
    }

    /** Stores an answer; how many bytes it takes, more or less. */
    CompletableFuture<Integer> answered(String key, Kept kept) {
        String text = write(kept);
        return redis.ask(() -> bucket(key).setAsync(text, ANSWERED)).thenApply(stored -> BESIDE + text.length());
    }

    CompletableFuture<Boolean> forget(String key) {
        return redis.ask(() -> bucket(key).deleteAsync());
    }

    private static String write(Kept kept) {
        return ServerJson.mapper().writeValueAsString(kept);
    }
}
