package io.delayjob.redisson.autoconfigure;

import io.delayjob.redisson.internal.ledger.Backend;
import io.delayjob.redisson.internal.redis.RedisBackend;
import org.redisson.api.RedissonClient;
import org.redisson.spring.starter.RedissonAutoConfigurationCustomizer;
import org.redisson.spring.starter.RedissonProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Where jobs are kept: Redis, in an application that has one {@link RedissonClient}. */
@Configuration(proxyBeanMethods = false)
class RedisConfiguration {

    /** Lets Redisson start without Redis. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "delayjob.fail-fast", havingValue = "false")
    static class KeepTrying {

        @Bean
        RedissonAutoConfigurationCustomizer delayJobLazyRedisson() {
            return config -> config.setLazyInitialization(true);
        }
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

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(RedissonClient.class)
    Backend delayJobBackend(
            RedissonClient redisson, DelayJobProperties properties, ObjectProvider<LoggingSystem> logging) {
        return new RedisBackend(redisson, properties.keyPrefix(), new QuietRedisson(logging.getIfAvailable()));
    }

    @Bean
    @ConditionalOnProperty(name = "delayjob.consume", matchIfMissing = true)
    @ConditionalOnBean(Backend.class)
    EvictionWarning delayJobEvictionWarning(Backend backend, DelayJobProperties properties) {
        return new EvictionWarning(backend, properties.defaultQueue());
    }
}
