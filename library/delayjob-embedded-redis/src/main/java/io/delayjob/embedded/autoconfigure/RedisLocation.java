package io.delayjob.embedded.autoconfigure;

import io.delayjob.embedded.EmbeddedRedis;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.core.env.Environment;

/** Tells people where Redis is. */
public final class RedisLocation {

    private final ObjectProvider<EmbeddedRedis> embedded;
    private final ObjectProvider<DataRedisConnectionDetails> configured;
    private final Environment environment;

    RedisLocation(
            ObjectProvider<EmbeddedRedis> embedded,
            ObjectProvider<DataRedisConnectionDetails> configured,
            Environment environment) {
        this.embedded = embedded;
        this.configured = configured;
        this.environment = environment;
    }

    /**
     * Whether an application of these settings starts a Redis of its own.
     *
     * @return false if it has no folder for one, or a setting says where another one is
     */
    public static boolean isOwn(Environment environment) {
        return !environment.getProperty("embedded-redis.folder", "false").equals("false") && isNowhere(environment);
    }

    /**
     * Whether no setting says where Redis is.
     *
     * @return true if nothing is set of {@code spring.redis.redisson} and {@code delayjob.redis}, nor, of {@code spring.data.redis}, an
     *     address, a database or a log-in
     */
    public static boolean isNowhere(Environment environment) {
        return NoRedisConfigured.in(environment);
    }

    /**
     * Where Redis is, without user and password.
     *
     * @return one line
     */
    public String description() {
        EmbeddedRedis own = embedded.getIfAvailable();
        if (own != null) {
            return "the application's own; " + own.description();
        }
        DataRedisConnectionDetails details = configured.getIfAvailable();
        if (NoRedisConfigured.isSet(environment, NoRedisConfigured.DELAYJOB)) {
            return "as delayjob.redis says";
        }
        if (NoRedisConfigured.isSet(environment, NoRedisConfigured.REDISSON)) {
            return "as spring.redis.redisson says";
        }
        return details == null ? "as spring.data.redis says" : address(details);
    }

    private static String address(DataRedisConnectionDetails configured) {
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
