package io.delayjob.redisson.autoconfigure;

import io.delayjob.redisson.internal.redis.HeapTextCodec;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.Codec;

/**
 * Where the jobs are stored. It wraps the client, which is not a bean itself if delayjob creates it, so that nothing else in the
 * application uses it.
 *
 * @param redisson the client
 * @param keyPrefix the prefix of delayjob's keys
 * @param own whether delayjob created the client, and so shuts it down
 */
public record DelayJobRedis(RedissonClient redisson, String keyPrefix, boolean own) implements AutoCloseable {

    /**
     * Texts in UTF-8, for every call of delayjob's. Unlike Redisson's {@code StringCodec} it takes nothing of Netty's pool, which a call that
     * dies with its connection would not give back.
     */
    public static final Codec TEXT = HeapTextCodec.INSTANCE;

    /** Called after all beans that submit are closed, because they depend on this one. */
    @Override
    public void close() {
        if (own) {
            redisson.shutdown();
        }
    }
}
