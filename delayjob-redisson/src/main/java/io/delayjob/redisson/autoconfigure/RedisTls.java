package io.delayjob.redisson.autoconfigure;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.redisson.config.ClusterServersConfig;
import org.redisson.config.Config;
import org.redisson.config.SentinelServersConfig;
import org.redisson.config.SingleServerConfig;
import org.redisson.spring.starter.RedissonAutoConfigurationCustomizer;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.boot.ssl.SslBundle;

/**
 * Makes Redisson use TLS where Boot's own clients do. Redisson's starter considers only {@code spring.data.redis.ssl.*}: to a
 * {@code rediss://} address, or a service connection with an SSL bundle, it would send the password in clear text.
 */
final class RedisTls implements RedissonAutoConfigurationCustomizer {

    private final boolean byUrl;
    private final @Nullable SslBundle bundle;

    RedisTls(DataRedisProperties properties, @Nullable DataRedisConnectionDetails details) {
        String url = properties.getUrl();
        this.byUrl = url != null && url.startsWith("rediss://");
        this.bundle = details == null ? null : details.getSslBundle();
    }

    @Override
    public void customize(Config config) {
        if (byUrl || bundle != null) {
            encrypt(config);
        }
        if (bundle != null && config.getSslTrustManagerFactory() == null) {
            trust(config, bundle);
        }
    }

    /** Makes Redisson trust the certificates that a bundle trusts. */
    static void trust(Config config, SslBundle bundle) {
        config.setSslCiphers(bundle.getOptions().getCiphers());
        config.setSslProtocols(bundle.getOptions().getEnabledProtocols());
        config.setSslTrustManagerFactory(bundle.getManagers().getTrustManagerFactory());
        config.setSslKeyManagerFactory(bundle.getManagers().getKeyManagerFactory());
    }

    private static void encrypt(Config config) {
        if (config.isSingleConfig()) {
            SingleServerConfig server = config.useSingleServer();
            server.setAddress(encrypted(server.getAddress()));
        } else if (config.isSentinelConfig()) {
            SentinelServersConfig servers = config.useSentinelServers();
            servers.setSentinelAddresses(encrypted(servers.getSentinelAddresses()));
        } else if (config.isClusterConfig()) {
            ClusterServersConfig servers = config.useClusterServers();
            servers.setNodeAddresses(encrypted(servers.getNodeAddresses()));
        }
    }

    private static List<String> encrypted(List<String> addresses) {
        return addresses.stream().map(RedisTls::encrypted).toList();
    }

    private static String encrypted(String address) {
        return address.replaceFirst("^redis://", "rediss://");
    }
}
