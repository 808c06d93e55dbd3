package io.delayjob.redisson.autoconfigure;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The Redis that stores the jobs, if it is another one than that of {@code spring.data.redis.*}. The properties have the same names
 * and meanings; if one of these is set, all of {@code spring.data.redis.*} is ignored.
 *
 * @param url Address as a URL, such as rediss://host:6379/0, with user and password before the host; takes precedence over host,
 *     port, username, password and database. If not set, those apply.
 * @param host Host of the server.
 * @param port Port of the server.
 * @param username User to log in as. If not set, the default user.
 * @param password Password to log in with. If not set, there is no log-in.
 * @param database Number of the database; 0 on a cluster.
 * @param clientName Name of the connections, as CLIENT LIST shows it. If not set, they have none.
 * @param timeout How long to wait for the answer to a command. If not set, Redisson's 3 s.
 * @param connectTimeout How long a connection may take. If not set, Redisson's 10 s.
 * @param ssl Encryption.
 * @param sentinel Sentinels that know the master, in place of host and port.
 * @param cluster Cluster, in place of host and port.
 */
@ConfigurationProperties(DelayJobRedisProperties.PREFIX)
record DelayJobRedisProperties(
        @Nullable String url,
        @DefaultValue("localhost") String host,
        @DefaultValue("6379") int port,
        @Nullable String username,
        @Nullable String password,
        @DefaultValue("0") int database,
        @Nullable String clientName,
        @Nullable Duration timeout,
        @Nullable Duration connectTimeout,
        @DefaultValue Ssl ssl,
        @Nullable Sentinel sentinel,
        @Nullable Cluster cluster) {

    static final String PREFIX = "delayjob.redis";

    /**
     * Encryption.
     *
     * @param enabled Whether to use TLS. If not set, TLS is used if there is a bundle or the url says so.
     * @param bundle Name of the SSL bundle with the certificates to trust. If not set, those that the JVM trusts.
     */
    record Ssl(@Nullable Boolean enabled, @Nullable String bundle) {

        boolean asked() {
            return enabled == null ? bundle != null : enabled;
        }
    }

    /**
     * Sentinels that know the master.
     *
     * @param master Name of the master. If not set, there are no sentinels.
     * @param nodes The sentinels, host:port. If not set, there are no sentinels.
     * @param username User to log in to the sentinels as. If not set, the default user.
     * @param password Password to log in to the sentinels with. If not set, there is no log-in.
     */
    record Sentinel(
            @Nullable String master,
            @DefaultValue List<String> nodes,
            @Nullable String username,
            @Nullable String password) {

        @Override
        public String toString() {
            return "Sentinel[" + master + ", " + nodes + "]";
        }
    }

    /**
     * A cluster.
     *
     * @param nodes Some of its nodes, host:port. If not set, there is no cluster.
     */
    record Cluster(@DefaultValue List<String> nodes) {}

    /** Without the user, the password, and the url that may hold both. */
    @Override
    public String toString() {
        return "DelayJobRedisProperties[" + host + ":" + port + "]";
    }
}
