package io.delayjob.redisson.internal.redis;

import java.util.Collection;
import java.util.List;
import org.redisson.api.RedissonClient;
import org.redisson.api.redisnode.RedisNodeAsync;
import org.redisson.api.redisnode.RedisNodes;
import org.redisson.config.Config;

/** The masters of a client. */
final class Masters {

    private Masters() {}

    /** The masters that the client knows. A client that connects lazily connects for this, and the call waits for that. */
    static Collection<? extends RedisNodeAsync> of(RedissonClient redisson) {
        Config config = redisson.getConfig();
        if (config.isSingleConfig()) {
            return List.of(redisson.getRedisNodes(RedisNodes.SINGLE).getInstance());
        } else if (config.isSentinelConfig()) {
            return List.of(
                    redisson.getRedisNodes(RedisNodes.SENTINEL_MASTER_SLAVE).getMaster());
        }
        // A master with replicas is asked for in the same way, whether it was configured or discovered.
        return config.isClusterConfig()
                ? redisson.getRedisNodes(RedisNodes.CLUSTER).getMasters()
                : List.of(redisson.getRedisNodes(RedisNodes.MASTER_SLAVE).getMaster());
    }
}
