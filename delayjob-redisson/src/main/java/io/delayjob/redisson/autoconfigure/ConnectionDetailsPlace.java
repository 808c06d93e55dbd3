package io.delayjob.redisson.autoconfigure;

import io.delayjob.redisson.autoconfigure.RedisPlace.Login;
import io.delayjob.redisson.autoconfigure.RedisPlace.Servers;
import io.delayjob.spring.InvalidConfigurationException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Cluster;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Sentinel;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;

/** Finds Redis by the connection details of Spring Boot's Data Redis support. */
record ConnectionDetailsPlace(ObjectProvider<DataRedisConnectionDetails> details) implements ServicePlace {

    @Override
    public @Nullable RedisPlace find(boolean encrypted) {
        DataRedisConnectionDetails found = details.getIfAvailable();
        return found == null
                ? null
                : new RedisPlace(
                        servers(found),
                        new Login(found.getUsername(), found.getPassword()),
                        encrypted,
                        found.getSslBundle());
    }

    private static Servers servers(DataRedisConnectionDetails details) {
        Sentinel sentinel = details.getSentinel();
        if (sentinel != null) {
            return RedisPlace.sentinel(
                    sentinel.getMaster(),
                    nodes(sentinel.getNodes()),
                    sentinel.getDatabase(),
                    new Login(sentinel.getUsername(), sentinel.getPassword()));
        }
        Cluster cluster = details.getCluster();
        if (cluster != null) {
            return RedisPlace.cluster(nodes(cluster.getNodes()));
        }
        RedisSettings.refuseMasterReplica(details.getMasterReplica() != null);
        return single(details.getStandalone());
    }

    private static Servers single(@Nullable Standalone server) {
        if (server == null) {
            throw new InvalidConfigurationException("the connection details of Redis name no server", null);
        }
        return RedisPlace.single(server.getHost() + ":" + server.getPort(), server.getDatabase());
    }

    private static List<String> nodes(List<Node> nodes) {
        return nodes.stream().map(node -> node.host() + ":" + node.port()).toList();
    }
}
