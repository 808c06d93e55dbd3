package io.delayjob.redisson.autoconfigure;

import org.redisson.api.RedissonClient;

/**
 * Where the jobs are stored. It wraps the client, which is not a bean itself if delayjob creates it, so that nothing else in the
 * application uses it.
 *
 * @param redisson the client
 * @param keyPrefix the prefix of delayjob's keys
 * @param own whether delayjob created the client, and so shuts it down
 */
public record DelayJobRedis(RedissonClient redisson, String keyPrefix, boolean own) implements AutoCloseable {

    /** Called after all beans that submit are closed, because they depend on this one. */
    @Override
    public void close() {
        if (own) {
            redisson.shutdown();
        }
    }
}
