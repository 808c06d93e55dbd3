package io.delayjob.benchmarks.contender.redisson;

import io.delayjob.benchmarks.contender.Store;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Clients of a Redis with Redisson's defaults. */
final class Clients {

    private Clients() {}

    static RedissonClient open(Store store) {
        Config config = new Config();
        config.useSingleServer().setAddress(store.url());
        return Redisson.create(config);
    }

    static long delay(long dueMillis) {
        return Math.max(0, dueMillis - System.currentTimeMillis());
    }
}
