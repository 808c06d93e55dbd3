package io.delayjob.redisson.autoconfigure;

import org.redisson.api.RedissonClient;

/**
 * The client that stores the jobs. It wraps a client that delayjob creates, which is not a bean itself, so that nothing else in the
 * application uses it.
 *
 * @param redisson the client
 * @param own whether delayjob created the client, and so shuts it down
 */
record RedisClient(RedissonClient redisson, boolean own) implements AutoCloseable {

    /** Called after all beans that submit are closed, because they depend on this one. */
    @Override
    public void close() {
        if (own) {
            redisson.shutdown();
        }
    }
}
