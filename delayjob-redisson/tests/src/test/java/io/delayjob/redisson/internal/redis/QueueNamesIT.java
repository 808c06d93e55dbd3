package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.testing.OwnRedis;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RScoredSortedSet;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/** The names of queues, in a Redis of its own because they are one set for all. */
class QueueNamesIT {

    @Test
    void keepsTheTenThousandThatWereNamedLastAndLeavesGarbageOut() {
        try (OwnRedis redis = OwnRedis.start()) {
            Config config = new Config();
            config.useSingleServer().setAddress(redis.url());
            RedissonClient redisson = Redisson.create(config);
            try {
                RedisBackend backend = new RedisBackend(redisson, "delayjob", Runnable::run);
                RScoredSortedSet<String> names = redisson.getScoredSortedSet("delayjob:queues", StringCodec.INSTANCE);
                names.add(1, "oldest");
                names.add(2, "{garbage}");
                for (int chunk = 0; chunk < 49; chunk++) {
                    assertThat(backend.enlist(names(chunk)).join()).isTrue();
                }
                assertThat(backend.queues().join()).hasSize(9801).contains("oldest", "q-0", "q-9799");
                backend.enlist(names(49)).join();
                backend.enlist(names(49)).join();
                assertThat(names.size()).isEqualTo(10_000);
                assertThat(backend.queues().join()).hasSize(10_000).doesNotContain("oldest", "{garbage}");
            } finally {
                redisson.shutdown();
            }
        }
    }

    private static List<String> names(int chunk) {
        return IntStream.range(200 * chunk, 200 * (chunk + 1))
                .mapToObj(i -> "q-" + i)
                .toList();
    }
}
