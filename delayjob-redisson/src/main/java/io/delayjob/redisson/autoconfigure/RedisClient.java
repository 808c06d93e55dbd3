package io.delayjob.redisson.autoconfigure;

import org.redisson.api.RedissonClient;

/**
 * The client that jobs are kept with. It holds a client of delayjob's own, which is no bean, so that nothing in the application takes it
 * for another's.
 *
 * @param redisson the client
 * @param own whether delayjob made it, and shuts it down
 */
record RedisClient(RedissonClient redisson, boolean own) implements AutoCloseable {

    /** After all that submits has been closed: those are beans that depend on this one. */
    @Override
    public void close() {
        if (own) {
            redisson.shutdown();
        }
    }
}
