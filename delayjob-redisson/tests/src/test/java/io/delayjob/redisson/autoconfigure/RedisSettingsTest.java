package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.spring.InvalidConfigurationException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.config.Config;
import org.redisson.config.SentinelServersConfig;
import org.redisson.config.SingleServerConfig;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.mock.env.MockEnvironment;

/** How the client of delayjob's own is told where Redis is. */
class RedisSettingsTest {

    private final MockEnvironment environment = new MockEnvironment();
    private final SslBundle bundle = SslBundle.systemDefault();

    private RedisSettings settings(String... properties) {
        for (String property : properties) {
            int equals = property.indexOf('=');
            environment.setProperty(property.substring(0, equals), property.substring(equals + 1));
        }
        return RedisSettings.of(environment);
    }

    private Config config(String... properties) {
        RedisSettings settings = settings(properties);
        return settings.place(new DefaultSslBundleRegistry("mine", bundle)).config(settings.values());
    }

    @Test
    void goesWhereBootsClientsGoWithoutASetting() {
        SingleServerConfig server = config().useSingleServer();
        assertThat(server.getAddress()).isEqualTo("redis://localhost:6379");
        assertThat(server.getDatabase()).isZero();
        assertThat(server.getTimeout()).isEqualTo(3000);
        assertThat(server.getClientName()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"spring.data.redis", "delayjob.redis"})
    void honoursEverySettingOfASingleServer(String prefix) {
        Config config = config(
                prefix + ".host=there",
                prefix + ".port=7",
                prefix + ".username=user",
                prefix + ".password=secret",
                prefix + ".database=3",
                prefix + ".client-name=me",
                prefix + ".timeout=4s",
                prefix + ".connect-timeout=5s");
        SingleServerConfig server = config.useSingleServer();
        assertThat(server.getAddress()).isEqualTo("redis://there:7");
        assertThat(config.getUsername()).isEqualTo("user");
        assertThat(config.getPassword()).isEqualTo("secret");
        assertThat(server.getDatabase()).isEqualTo(3);
        assertThat(server.getClientName()).isEqualTo("me");
        assertThat(server.getTimeout()).isEqualTo(4000);
        assertThat(server.getConnectTimeout()).isEqualTo(5000);
    }

    @ParameterizedTest
    @CsvSource({
        "redis://there,                    redis://there:6379,  ,     ,       0",
        "redis://:secret@there:7/2,        redis://there:7,     ,     secret, 2",
        "rediss://user:s:t@there:7,        rediss://there:7,    user, s:t,    0",
        "redis://token@[::1]:7/,           redis://[::1]:7,     ,     token,  0"
    })
    void readsAUrl(String url, String address, @Nullable String user, @Nullable String password, int database) {
        Config config = config("spring.data.redis.url=" + url, "spring.data.redis.database=9");
        assertThat(config.useSingleServer().getAddress()).isEqualTo(address);
        assertThat(config.getUsername()).isEqualTo(user);
        assertThat(config.getPassword()).isEqualTo(password);
        assertThat(config.useSingleServer().getDatabase()).isEqualTo(database);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://user:secret@there", "redis:secret", "redis://us er:secret@there", "there:6379"})
    void refusesAnotherUrlWithoutRepeatingIt(String url) {
        assertThatThrownBy(() -> config("spring.data.redis.url=" + url))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageStartingWith("spring.data.redis.url must be redis://")
                .hasMessageNotContaining("secret")
                .hasNoCause();
        assertThatThrownBy(() -> config("spring.data.redis.url=redis://there/orders"))
                .hasMessage("spring.data.redis.url must end in the number of a database: /orders");
    }

    @Test
    void goesToSentinels() {
        Config config = config(
                "spring.data.redis.sentinel.master=main",
                "spring.data.redis.sentinel.nodes=a:1,b:2",
                "spring.data.redis.sentinel.password=watch",
                "spring.data.redis.password=secret",
                "spring.data.redis.database=1");
        SentinelServersConfig servers = config.useSentinelServers();
        assertThat(servers.getMasterName()).isEqualTo("main");
        assertThat(servers.getSentinelAddresses()).containsExactly("redis://a:1", "redis://b:2");
        assertThat(servers.getSentinelPassword()).isEqualTo("watch");
        assertThat(servers.getDatabase()).isEqualTo(1);
        assertThat(config.getPassword()).isEqualTo("secret");
    }

    @Test
    void needsTheMasterOfSentinels() {
        assertThatThrownBy(() -> config("spring.data.redis.sentinel.nodes=a:1"))
                .hasMessage("spring.data.redis.sentinel.* needs spring.data.redis.sentinel.master");
    }

    @Test
    void goesToACluster() {
        assertThat(config("delayjob.redis.cluster.nodes=a:1,b:2", "delayjob.redis.ssl.enabled=true")
                        .useClusterServers()
                        .getNodeAddresses())
                .containsExactly("rediss://a:1", "rediss://b:2");
    }

    @Test
    void trustsWhomTheBundleTrusts() {
        Config config = config("spring.data.redis.ssl.bundle=mine");
        assertThat(config.useSingleServer().getAddress()).isEqualTo("rediss://localhost:6379");
        assertThat(config.getSslTrustManagerFactory()).isNotNull();
    }

    @Test
    void speaksNoTlsWhereThatIsSwitchedOff() {
        Config config = config("spring.data.redis.ssl.bundle=mine", "spring.data.redis.ssl.enabled=false");
        assertThat(config.useSingleServer().getAddress()).isEqualTo("redis://localhost:6379");
        assertThat(config.getSslTrustManagerFactory()).isNull();
    }

    @Test
    void asksNothingOfBootsClientsWhereDelayjobHasSettingsOfItsOwn() {
        Config config = config(
                "spring.data.redis.url=rediss://user:secret@there:7",
                "spring.data.redis.masterreplica.nodes=a:1",
                "delayjob.redis.port=8");
        assertThat(config.useSingleServer().getAddress()).isEqualTo("redis://localhost:8");
        assertThat(config.getPassword()).isNull();
    }

    /** Kubernetes sets such variables for a service with the name {@code delayjob-redis}. */
    @Test
    void isNotDisturbedByVariablesThatMeanNothing() {
        Config config = config("delayjob.redis.service.host=10.0.0.1", "spring.data.redis.host=there");
        assertThat(config.useSingleServer().getAddress()).isEqualTo("redis://there:6379");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"spring.data.redis.masterreplica.nodes=a:1,b:2", "spring.data.redis.masterreplica.nodes[0]=a:1"})
    void refusesAMasterWithItsReplicasBecauseItWouldGoToLocalhost(String nodes) {
        RedisSettings settings = settings(nodes);
        assertThatThrownBy(() -> settings.place(new DefaultSslBundleRegistry()))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContainingAll("spring.data.redis.masterreplica.*", "delayjob.redis.*", "RedissonClient");
    }

    @Test
    void tellsNeitherUserNorPassword() {
        RedisSettings settings = settings(
                "spring.data.redis.url=redis://hidden:hidden@there",
                "spring.data.redis.username=hidden",
                "spring.data.redis.password=hidden",
                "spring.data.redis.sentinel.master=main",
                "spring.data.redis.sentinel.password=hidden");
        assertThat(settings + " " + settings.values().sentinel() + " " + settings.place(new DefaultSslBundleRegistry())
                        + RedisUrl.of("", "redis://hidden:hidden@there"))
                .doesNotContain("hidden");
    }

    private static @Nullable RedisPlace place(DataRedisConnectionDetails details, boolean encrypted) {
        StaticListableBeanFactory beans = new StaticListableBeanFactory();
        beans.addBean("details", details);
        return new ConnectionDetailsPlace(beans.getBeanProvider(DataRedisConnectionDetails.class)).find(encrypted);
    }

    private Config config(DataRedisConnectionDetails details, boolean encrypted) {
        RedisPlace place = place(details, encrypted);
        return Objects.requireNonNull(place).config(settings().values());
    }

    /** A service connection to one server, or to what a subclass says. */
    private static class Details implements DataRedisConnectionDetails {

        @Override
        public String getPassword() {
            return "secret";
        }

        @Override
        public @Nullable Standalone getStandalone() {
            return Standalone.of("there", 7, 2);
        }
    }

    @Test
    void goesWhereAServiceConnectionSays() {
        Config config = config(new Details(), false);
        assertThat(config.useSingleServer().getAddress()).isEqualTo("redis://there:7");
        assertThat(config.useSingleServer().getDatabase()).isEqualTo(2);
        assertThat(config.getPassword()).isEqualTo("secret");
        assertThat(config(new Details(), true).useSingleServer().getAddress()).isEqualTo("rediss://there:7");
    }

    @Test
    void leavesItToTheServiceConnectionWhetherToSpeakTls() {
        RedisSettings settings = settings("spring.data.redis.ssl.enabled=true");
        assertThat(config(new Details(), settings.encryptedUrl())
                        .useSingleServer()
                        .getAddress())
                .isEqualTo("redis://there:7");
    }

    @Test
    void speaksTlsWhereTheUrlSaysSoLikeBootsClients() {
        RedisSettings settings = settings("spring.data.redis.url=rediss://here");
        assertThat(config(new Details(), settings.encryptedUrl())
                        .useSingleServer()
                        .getAddress())
                .isEqualTo("rediss://there:7");
    }

    @Test
    void speaksTlsWhereTheServiceConnectionHasABundle() {
        Config config = config(
                new Details() {
                    @Override
                    public SslBundle getSslBundle() {
                        return bundle;
                    }
                },
                false);
        assertThat(config.useSingleServer().getAddress()).isEqualTo("rediss://there:7");
        assertThat(config.getSslTrustManagerFactory()).isNotNull();
    }

    @Test
    void goesToTheClusterOfAServiceConnection() {
        DataRedisConnectionDetails cluster = new Details() {
            @Override
            public Cluster getCluster() {
                return () -> List.of(new Node("a", 1), new Node("b", 2));
            }
        };
        assertThat(config(cluster, false).useClusterServers().getNodeAddresses())
                .containsExactly("redis://a:1", "redis://b:2");
    }

    @Test
    void refusesAServiceConnectionThatNamesNoServer() {
        assertThatThrownBy(() -> place(
                        new Details() {
                            @Override
                            public @Nullable Standalone getStandalone() {
                                return null;
                            }
                        },
                        false))
                .hasMessageContaining("name no server");
        assertThatThrownBy(() -> place(
                        new Details() {
                            @Override
                            public MasterReplica getMasterReplica() {
                                return () -> List.of(new Node("a", 1));
                            }
                        },
                        false))
                .hasMessageContaining("masterreplica");
    }
}
