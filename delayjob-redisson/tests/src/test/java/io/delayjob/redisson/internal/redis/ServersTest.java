package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.redisson.config.Config;

class ServersTest {

    @ParameterizedTest
    @CsvSource({
        "redis://redis.example.com:6379, redis.example.com:6379",
        "rediss://ann:s3cret@redis.example.com:6380/2?timeout=1s, redis.example.com:6380",
        "redis://:p@ss@[::1]:6379, [::1]:6379",
        "redis.example.com:6379, redis.example.com:6379"
    })
    void namesHostAndPortAlone(String address, String named) {
        assertThat(Servers.hostAndPort(address)).isEqualTo(named);
    }

    @Test
    void namesAllSeeds() {
        Config single = new Config();
        single.useSingleServer().setAddress("redis://one:1");
        assertThat(Servers.of(single)).isEqualTo("Redis at one:1");
        Config sentinels = new Config();
        sentinels.useSentinelServers().addSentinelAddress("redis://one:1", "redis://two:2");
        assertThat(Servers.of(sentinels)).isEqualTo("Redis at one:1, two:2");
        Config cluster = new Config();
        cluster.useClusterServers().addNodeAddress("redis://one:1", "redis://two:2");
        assertThat(Servers.of(cluster)).isEqualTo("Redis at one:1, two:2");
        assertThat(Servers.of(new Config())).isEqualTo("Redis");
    }
}
