package io.delayjob.demo.redis;

import io.delayjob.embedded.EmbeddedRedis;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Tells people where Redis is. */
@Component
public class RedisLocation {

    private final ObjectProvider<EmbeddedRedis> embedded;
    private final DataRedisConnectionDetails configured;
    private final Environment environment;

    RedisLocation(
            ObjectProvider<EmbeddedRedis> embedded, DataRedisConnectionDetails configured, Environment environment) {
        this.embedded = embedded;
        this.configured = configured;
        this.environment = environment;
    }

    /**
     * Where Redis is, without user and password.
     *
     * @return one line
     */
    public String description() {
        EmbeddedRedis own = embedded.getIfAvailable();
        if (own != null) {
            return "the demo's own; " + own.description();
        }
        return NoRedisConfigured.isSet(environment, NoRedisConfigured.REDISSON)
                ? "as spring.redis.redisson says"
                : address();
    }

    private String address() {
        if (configured.getSentinel() != null) {
            return "master '%s' of the sentinels %s"
                    .formatted(
                            configured.getSentinel().getMaster(),
                            nodes(configured.getSentinel().getNodes()));
        }
        if (configured.getCluster() != null) {
            return "cluster " + nodes(configured.getCluster().getNodes());
        }
        DataRedisConnectionDetails.Standalone single = configured.getStandalone();
        return single == null ? "unknown" : single.getHost() + ":" + single.getPort();
    }

    private static List<String> nodes(List<Node> nodes) {
        return nodes.stream().map(node -> node.host() + ":" + node.port()).toList();
    }
}
