package io.delayjob.demo.redis;

import io.delayjob.embedded.EmbeddedRedis;
import java.nio.file.Path;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * A Redis of the demo's own, for those who have configured none. The Redisson client asks for the connection details while it
 * is made; the server is therefore made before it, and closed after it.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(NoRedisConfigured.class)
class EmbeddedRedisConfiguration {

    @Bean(destroyMethod = "close")
    EmbeddedRedis embeddedRedis(@Value("${demo.redis.folder}") String folder) {
        return EmbeddedRedis.startOrReuse(Path.of(folder));
    }

    @Bean
    DataRedisConnectionDetails embeddedRedisConnection(EmbeddedRedis redis) {
        return new EmbeddedConnection(redis.port());
    }

    private record EmbeddedConnection(int port) implements DataRedisConnectionDetails {

        @Override
        public Standalone getStandalone() {
            return Standalone.of("127.0.0.1", port);
        }
    }
}
