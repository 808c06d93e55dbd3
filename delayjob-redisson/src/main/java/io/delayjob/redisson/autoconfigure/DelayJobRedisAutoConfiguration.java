package io.delayjob.redisson.autoconfigure;

import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.redisson.internal.redis.RedisBackend;
import io.delayjob.spring.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.spring.autoconfigure.DelayJobProperties;
import org.redisson.api.RedissonClient;
import org.redisson.spring.starter.RedissonAutoConfigurationCustomizer;
import org.redisson.spring.starter.RedissonProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
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
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/**
 * Keeps the jobs in Redis: with the {@link RedissonClient} of the application, or without one with a client of delayjob's own, which is
 * no bean. Gives way to a {@link Backend} of the application.
 */
@AutoConfiguration(
        before = DelayJobAutoConfiguration.class,
        afterName = {
            "org.redisson.spring.starter.RedissonAutoConfigurationV4",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@ConditionalOnProperty(name = "delayjob.enabled", matchIfMissing = true)
@ImportRuntimeHints(ScriptHints.class)
public final class DelayJobRedisAutoConfiguration {

    private DelayJobRedisAutoConfiguration() {}

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
    static RedisClient delayJobRedis(
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
    static Backend delayJobBackend(
            RedisClient redis, DelayJobProperties properties, ObjectProvider<LoggingSystem> logging) {
        return new RedisBackend(redis.redisson(), properties.keyPrefix(), new QuietRedisson(logging.getIfAvailable()));
    }

    @Bean
    @ConditionalOnProperty(name = "delayjob.consume", matchIfMissing = true)
    static RedisWarnings delayJobRedisWarnings(Backend backend, DelayJobProperties properties) {
        return new RedisWarnings(backend, properties.defaultQueue());
    }
}
