package io.delayjob.redisson.internal.redis;

import org.redisson.api.RedissonClient;
import org.redisson.api.redisnode.RedisNodes;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;
import org.redisson.config.SingleServerConfig;

/** The numbers of connections and channels that a client's settings allow. */
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

    /** The configuration of the other server modes, of which Redisson does not say which one is set. */
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

    /** The connections to one master. */
    int connections() {
        return connections;
    }

    /** The number of masters that the client currently knows. */
    int masters() {
        return cluster ? redisson.getRedisNodes(RedisNodes.CLUSTER).getMasters().size() : 1;
    }

    int channels() {
        return channelsPerConnection * channelConnections;
    }

    /** The size of the subscription pool that is needed for this many channels. */
    int channelConnectionsFor(int channels) {
        return (channels + channelsPerConnection - 1) / channelsPerConnection;
    }
}
