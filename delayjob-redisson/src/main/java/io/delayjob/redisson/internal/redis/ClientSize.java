package io.delayjob.redisson.internal.redis;

import org.redisson.api.RedissonClient;
import org.redisson.api.redisnode.RedisNodes;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;
import org.redisson.config.SingleServerConfig;

/** How many connections and channels a client may have, by its settings. */
final class ClientSize {

    private final RedissonClient redisson;
    private final boolean cluster;
    private final int connections;
    private final int channelsPerConnection;
    private final int channelConnections;

    ClientSize(RedissonClient redisson) {
        this.redisson = redisson;
        Config config = redisson.getConfig();
        this.cluster = config.isClusterConfig();
        if (config.isSingleConfig()) {
            SingleServerConfig server = config.useSingleServer();
            this.connections = server.getConnectionPoolSize();
            this.channelsPerConnection = server.getSubscriptionsPerConnection();
            this.channelConnections = server.getSubscriptionConnectionPoolSize();
        } else {
            BaseMasterSlaveServersConfig<?> servers = servers(config);
            this.connections = servers.getMasterConnectionPoolSize();
            this.channelsPerConnection = servers.getSubscriptionsPerConnection();
            this.channelConnections = servers.getSubscriptionConnectionPoolSize();
        }
    }

    private static BaseMasterSlaveServersConfig<?> servers(Config config) {
        if (config.isClusterConfig()) {
            return config.useClusterServers();
        }
        return config.isSentinelConfig() ? config.useSentinelServers() : others(config);
    }

    /** Redisson does not say which of the two it is. */
    private static BaseMasterSlaveServersConfig<?> others(Config config) {
        try {
            return config.useMasterSlaveServers();
        } catch (IllegalStateException e) {
            return config.useReplicatedServers();
        }
    }

    boolean isCluster() {
        return cluster;
    }

    /** To one master. */
    int connections() {
        return connections;
    }

    /** As the client sees it now. */
    int masters() {
        return cluster ? redisson.getRedisNodes(RedisNodes.CLUSTER).getMasters().size() : 1;
    }

    int channels() {
        return channelsPerConnection * channelConnections;
    }

    /** What the subscription pool has to be for so many channels. */
    int channelConnectionsFor(int channels) {
        return (channels + channelsPerConnection - 1) / channelsPerConnection;
    }
}
