package io.delayjob.server.internal.idempotency;

import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.redis.ServerRedis;
import io.delayjob.server.web.ServerJson;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.redisson.api.RBucket;
import org.redisson.api.RScript;

/** Answers to requests with an idempotency key, kept in Redis for a day, so that any server can repeat them. */
public final class KeyStore {

    private static final Duration ANSWERED = Duration.ofHours(24);

    /** After this long a request whose server died may be made again. The ids of its jobs follow from its key, so none is stored twice. */
    private static final Duration UNDER_WAY = Duration.ofMinutes(1);

    /** How often a note is renewed while its request is under way. */
    static final Duration RENEWED = Duration.ofSeconds(10);

    /** Renews a key (KEYS[1]) for some milliseconds (ARGV[2]) if its value is ARGV[1]; 1 if it was. */
    private static final String RENEW = """
            if redis.call('GET', KEYS[1]) == ARGV[1] then
              return redis.call('PEXPIRE', KEYS[1], ARGV[2])
            end
            return 0
            """;

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

    /** Renews the note of a request, unless another one has taken its place. */
    CompletableFuture<Long> renew(String key, Kept note) {
        return redis.ask(() -> redis.client()
                .getScript(DelayJobRedis.TEXT)
                .evalAsync(
                        RScript.Mode.READ_WRITE,
                        RENEW,
                        RScript.ReturnType.LONG,
                        List.of(bucket(key).getName()),
                        write(note),
                        String.valueOf(UNDER_WAY.toMillis())));
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

    /** Forgets the note of a request, unless another one has taken its place. */
    CompletableFuture<Boolean> forget(String key, Kept note) {
        return redis.ask(() -> bucket(key).compareAndSetAsync(write(note), null));
    }

    private static String write(Kept kept) {
        return ServerJson.mapper().writeValueAsString(kept);
    }
}
