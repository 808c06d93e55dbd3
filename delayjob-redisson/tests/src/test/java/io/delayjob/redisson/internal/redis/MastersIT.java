package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.testing.OwnRedis;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.ReadMode;

/** The masters of clients that connect lazily, by whatever kind of configuration, and their first connection. */
class MastersIT {

    /** How one server is configured. */
    enum Kind {
        SINGLE((config, url) -> config.useSingleServer().setAddress(url)),
        MASTER_SLAVE((config, url) ->
                config.useMasterSlaveServers().setMasterAddress(url).setReadMode(ReadMode.MASTER)),
        REPLICATED((config, url) ->
                config.useReplicatedServers().addNodeAddress(url).setReadMode(ReadMode.MASTER));

        private final BiConsumer<Config, String> servers;

        Kind(BiConsumer<Config, String> servers) {
            this.servers = servers;
        }

        RedissonClient client(String url) {
            Config config = new Config().setLazyInitialization(true);
            servers.accept(config, url);
            return Redisson.create(config);
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneServerIsTheMaster(Kind kind) {
        try (OwnRedis redis = OwnRedis.start()) {
            RedissonClient client = kind.client(redis.url());
            try {
                assertThat(Masters.of(client)).hasSize(1);
            } finally {
                client.shutdown();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theFirstConnectionIsNotMadeWhereThereIsNoServer(Kind kind) {
        RedissonClient client = kind.client("redis://127.0.0.1:1");
        try {
            FirstConnection connection = new FirstConnection(client);
            assertThat(connection.await()).failsWithin(Duration.ofMinutes(2));
            assertThat(connection.isMade()).isFalse();
        } finally {
            client.shutdown();
        }
    }
}
