package io.delayjob.redisson.autoconfigure;

import io.delayjob.redisson.internal.engine.EngineSettings;
import io.delayjob.redisson.internal.ledger.Backend;
import io.delayjob.redisson.internal.redis.RedisBackend;
import org.redisson.api.RedissonClient;
import org.redisson.spring.starter.RedissonAutoConfigurationCustomizer;
import org.redisson.spring.starter.RedissonProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Where jobs are kept: in Redis, with a {@link RedissonClient} of the application or of delayjob's own. */
@Configuration(proxyBeanMethods = false)
class RedisConfiguration {

    /** The bean that holds the client. */
    static final String CLIENT = "delayJobRedis";

    /** Tells the client of Redisson's starter, in an application that has it, what it is not told by the starter. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RedissonAutoConfigurationCustomizer.class, DataRedisProperties.class})
    static class Starter {

        /** Lets it start without Redis. */
        @Bean
        @ConditionalOnProperty(name = "delayjob.fail-fast", havingValue = "false")
        RedissonAutoConfigurationCustomizer delayJobLazyRedisson() {
            return config -> config.setLazyInitialization(true);
        }

        /** Not where Redisson has a configuration of its own, which says itself how to connect. */
        @Bean
        @ConditionalOnBean({RedissonProperties.class, DataRedisProperties.class})
        RedissonAutoConfigurationCustomizer delayJobRedisTls(
                RedissonProperties own,
                DataRedisProperties properties,
                ObjectProvider<DataRedisConnectionDetails> details) {
            return own.getConfig() == null && own.getFile() == null
                    ? new RedisTls(properties, details.getIfAvailable())
                    : config -> {};
        }
    }

    /** Knows service connections, in an application that has Spring Boot's Data Redis. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DataRedisConnectionDetails.class)
    static class ServiceConnections {

        @Bean
        ServicePlace delayJobServicePlace(ObjectProvider<DataRedisConnectionDetails> details) {
            return new ConnectionDetailsPlace(details);
        }
    }

    /**
     * The client.
     *
     * @param checked created first, so that a misspelt property stops the start by its name, before the client looks for Redis in the
     *     wrong place
     */
    @Bean(CLIENT)
    @ConditionalOnMissingBean(Backend.class)
    RedisClient delayJobRedis(
            EngineSettings checked,
            DelayJobProperties properties,
            Environment environment,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<RedissonClient> candidates,
            ObjectProvider<ServicePlace> services,
            ObjectProvider<SslBundles> bundles) {
        return new RedisClients(properties, environment, beans, candidates, services, bundles).choose();
    }

    @Bean
    @ConditionalOnMissingBean
    Backend delayJobBackend(RedisClient redis, DelayJobProperties properties, ObjectProvider<LoggingSystem> logging) {
        return new RedisBackend(redis.redisson(), properties.keyPrefix(), new QuietRedisson(logging.getIfAvailable()));
    }

    @Bean
    @ConditionalOnProperty(name = "delayjob.consume", matchIfMissing = true)
    RedisWarnings delayJobRedisWarnings(Backend backend, DelayJobProperties properties) {
        return new RedisWarnings(backend, properties.defaultQueue());
    }
}
