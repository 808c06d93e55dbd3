package io.delayjob.embedded.autoconfigure;

import io.delayjob.embedded.EmbeddedRedis;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Starts a Redis of the application's own if {@code embedded-redis.folder} is set and nothing says where another one is. The
 * Redisson client asks for the connection details while it is made; the server is therefore made before it, and closed after it.
 */
@AutoConfiguration(
        beforeName = {
            "io.delayjob.redisson.autoconfigure.DelayJobRedisAutoConfiguration",
            "org.redisson.spring.starter.RedissonAutoConfigurationV4",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@ConditionalOnClass(DataRedisConnectionDetails.class)
@Conditional(FolderGiven.class)
@EnableConfigurationProperties(EmbeddedRedisProperties.class)
public final class EmbeddedRedisAutoConfiguration {

    private EmbeddedRedisAutoConfiguration() {}

    /** The server, where nothing says that there is another one. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty("embedded-redis.folder")
    @Conditional(NoRedisConfigured.class)
    static class Server {

        @Bean(destroyMethod = "close")
        EmbeddedRedis embeddedRedis(EmbeddedRedisProperties properties) {
            return EmbeddedRedis.startOrReuse(properties.folder());
        }

        @Bean
        DataRedisConnectionDetails embeddedRedisConnection(EmbeddedRedis redis) {
            return new EmbeddedConnection(redis.port(), redis.password());
        }
    }

    @Bean
    static RedisLocation redisLocation(
            ObjectProvider<EmbeddedRedis> embedded,
            ObjectProvider<DataRedisConnectionDetails> configured,
            Environment environment) {
        return new RedisLocation(embedded, configured, environment);
    }

    private record EmbeddedConnection(int port, @Nullable String password) implements DataRedisConnectionDetails {

        @Override
        public @Nullable String getPassword() {
            return password;
        }

        /** Without the password. */
        @Override
        public String toString() {
            return "EmbeddedConnection[port=" + port + "]";
        }

        @Override
        public Standalone getStandalone() {
            return Standalone.of("127.0.0.1", port);
        }
    }
}
