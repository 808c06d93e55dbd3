package io.delayjob.redisson.autoconfigure;

import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.redisson.config.BaseConfig;
import org.redisson.config.Config;
import org.springframework.boot.ssl.SslBundle;

/**
 * Where a Redis is and how to log in.
 *
 * @param servers its servers
 * @param login the user and password
 * @param encrypted whether to use TLS; a bundle implies it
 * @param bundle the certificates to trust; null for those that the JVM trusts
 */
record RedisPlace(
        Servers servers,
        Login login,
        boolean encrypted,
        @Nullable SslBundle bundle) {

    /** A user and its password. */
    record Login(@Nullable String username, @Nullable String password) {

        /** Turns empty values into null. */
        Login {
            username = username == null || username.isEmpty() ? null : username;
            password = password == null || password.isEmpty() ? null : password;
        }

        @Override
        public String toString() {
            return "Login[]";
        }
    }

    /** The servers of a Redis. */
    @FunctionalInterface
    interface Servers {

        /**
         * Adds the servers to a configuration of Redisson.
         *
         * @param address converts {@code host:port} into an address
         */
        BaseConfig<?> addTo(Config config, UnaryOperator<String> address);
    }

    static Servers single(String node, int database) {
        return (config, address) ->
                config.useSingleServer().setAddress(address.apply(node)).setDatabase(database);
    }

    static Servers sentinel(String master, List<String> nodes, int database, Login login) {
        return (config, address) -> config.useSentinelServers()
                // Else Redisson refuses a master that one sentinel names while the others are away.
                .setCheckSentinelsList(false)
                .setMasterName(master)
                .addSentinelAddress(addresses(nodes, address))
                .setSentinelUsername(login.username())
                .setSentinelPassword(login.password())
                .setDatabase(database);
    }

    static Servers cluster(List<String> nodes) {
        return (config, address) -> config.useClusterServers().addNodeAddress(addresses(nodes, address));
    }

    private static String[] addresses(List<String> nodes, UnaryOperator<String> address) {
        return nodes.stream().map(address).toArray(String[]::new);
    }

    /** The configuration with which Redisson connects to it. */
    Config config(DelayJobRedisProperties settings) {
        Config config = new Config().setUsername(login.username()).setPassword(login.password());
        String scheme = encrypted || bundle != null ? "rediss://" : "redis://";
        BaseConfig<?> base = servers.addTo(config, node -> scheme + node);
        base.setClientName(settings.clientName());
        if (settings.timeout() != null) {
            base.setTimeout(Math.toIntExact(settings.timeout().toMillis()));
        }
        if (settings.connectTimeout() != null) {
            base.setConnectTimeout(Math.toIntExact(settings.connectTimeout().toMillis()));
        }
        if (bundle != null) {
            RedisTls.trust(config, bundle);
        }
        return config;
    }
}
