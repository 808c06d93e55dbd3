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
 * Makes Redisson use TLS where Boot's own clients do, and nowhere else. Redisson's starter considers only {@code spring.data.redis.ssl.*}:
 * to a {@code rediss://} address, or a service connection with an SSL bundle, it would send the password in clear text, and a service
 * connection without one would not understand it.
 */
final class RedisTls implements RedissonAutoConfigurationCustomizer {

    private final boolean byUrl;
    private final @Nullable SslBundle bundle;

    RedisTls(DataRedisProperties properties, DataRedisConnectionDetails details) {
        String url = properties.getUrl();
        this.byUrl = url != null && url.startsWith("rediss://");
        this.bundle = details.getSslBundle();
    }

    @Override
    public void customize(Config config) {
        setScheme(config, byUrl || bundle != null ? "rediss://" : "redis://");
        if (bundle != null) {
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

    private static void setScheme(Config config, String scheme) {
        if (config.isSingleConfig()) {
            SingleServerConfig server = config.useSingleServer();
            server.setAddress(with(scheme, server.getAddress()));
        } else if (config.isSentinelConfig()) {
            SentinelServersConfig servers = config.useSentinelServers();
            servers.setSentinelAddresses(with(scheme, servers.getSentinelAddresses()));
        } else if (config.isClusterConfig()) {
            ClusterServersConfig servers = config.useClusterServers();
            servers.setNodeAddresses(with(scheme, servers.getNodeAddresses()));
        }
    }

    private static List<String> with(String scheme, List<String> addresses) {
        return addresses.stream().map(address -> with(scheme, address)).toList();
    }

    private static String with(String scheme, String address) {
        return address.replaceFirst("^rediss?://", scheme);
    }
}
