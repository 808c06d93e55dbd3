package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.redisson.config.Config;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.boot.ssl.SslBundle;

/** Where Redisson is made to speak TLS; the wire itself is in {@link TlsIT}. */
class RedisTlsTest {

    private final DataRedisProperties properties = new DataRedisProperties();
    private final Config config = new Config();

    private void customize(@Nullable SslBundle bundle) {
        customize(config, bundle);
    }

    private void customize(Config some, @Nullable SslBundle bundle) {
        new RedisTls(properties, new DataRedisConnectionDetails() {
                    @Override
                    public @Nullable SslBundle getSslBundle() {
                        return bundle;
                    }
                })
                .customize(some);
    }

    @Test
    void leavesAPlainAddressAsItIs() {
        properties.setUrl("redis://there:1");
        config.useSingleServer().setAddress("redis://there:1");
        customize(null);
        assertThat(config.useSingleServer().getAddress()).isEqualTo("redis://there:1");
        assertThat(config.getSslTrustManagerFactory()).isNull();
    }

    @Test
    void encryptsWhereTheUrlSaysSo() {
        properties.setUrl("rediss://there:1");
        config.useSingleServer().setAddress("redis://there:1");
        customize(null);
        assertThat(config.useSingleServer().getAddress()).isEqualTo("rediss://there:1");
    }

    @Test
    void encryptsWhereTheServiceConnectionHasABundle() {
        SslBundle bundle = SslBundle.systemDefault();
        config.useSingleServer().setAddress("redis://there:1");
        customize(bundle);
        assertThat(config.useSingleServer().getAddress()).isEqualTo("rediss://there:1");
        assertThat(config.getSslTrustManagerFactory()).isNotNull();
    }

    @Test
    void speaksNoTlsToAServiceConnectionWithoutABundle() {
        properties.getSsl().setEnabled(true);
        config.useSingleServer().setAddress("rediss://there:1");
        customize(null);
        assertThat(config.useSingleServer().getAddress()).isEqualTo("redis://there:1");
    }

    @Test
    void trustsWhomTheServiceConnectionTrusts() {
        SslBundle bundle = SslBundle.systemDefault();
        TrustManagerFactory ofAnother = mock(TrustManagerFactory.class);
        config.setSslTrustManagerFactory(ofAnother).useSingleServer().setAddress("rediss://there:1");
        customize(bundle);
        assertThat(config.getSslTrustManagerFactory()).isNotNull().isNotSameAs(ofAnother);
    }

    @Test
    void encryptsToEverySentinelAndEveryNodeOfACluster() {
        config.useSentinelServers().addSentinelAddress("redis://a:1", "rediss://b:2");
        customize(SslBundle.systemDefault());
        assertThat(config.useSentinelServers().getSentinelAddresses()).containsExactly("rediss://a:1", "rediss://b:2");

        Config cluster = new Config();
        cluster.useClusterServers().addNodeAddress("redis://a:1", "redis://b:2");
        properties.setUrl("rediss://there:1");
        customize(cluster, null);
        assertThat(cluster.useClusterServers().getNodeAddresses()).containsExactly("rediss://a:1", "rediss://b:2");
    }
}
