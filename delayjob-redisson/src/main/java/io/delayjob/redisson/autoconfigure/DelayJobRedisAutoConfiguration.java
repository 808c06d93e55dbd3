package io.delayjob.redisson.autoconfigure;

import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.redisson.events.EventStream;
import io.delayjob.redisson.history.HistoryStore;
import io.delayjob.redisson.internal.events.EventSender;
import io.delayjob.redisson.internal.history.HistoryCounter;
import io.delayjob.redisson.internal.redis.RedisBackend;
import io.delayjob.spring.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.spring.autoconfigure.DelayJobProperties;
import java.time.Duration;
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
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Stores the jobs in Redis, with the {@link RedissonClient} of the application, or, if it has none, with a client that delayjob
 * creates and that is not a bean. Backs off if the application has a {@link Backend}.
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

    /** The name of the bean that holds the client. */
    static final String CLIENT = "delayJobRedis";

    /** Completes the configuration of the client that Redisson's starter creates, in an application that has the starter. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RedissonAutoConfigurationCustomizer.class, DataRedisProperties.class})
    static class Starter {

        /** Lets the client start without Redis. */
        @Bean
        @ConditionalOnProperty(name = "delayjob.fail-fast", havingValue = "false")
        RedissonAutoConfigurationCustomizer delayJobLazyRedisson() {
            return config -> config.setLazyInitialization(true);
        }

        /** Not applied if Redisson has a configuration of its own, which states how to connect. The application's own customizers have the last word. */
        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        @ConditionalOnBean({RedissonProperties.class, DataRedisProperties.class, DataRedisConnectionDetails.class})
        RedissonAutoConfigurationCustomizer delayJobRedisTls(
                RedissonProperties own, DataRedisProperties properties, DataRedisConnectionDetails details) {
            return own.getConfig() == null && own.getFile() == null ? new RedisTls(properties, details) : config -> {};
        }
    }

    /** Finds service connections, in an application that has Spring Boot's Data Redis support. */
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
     * @param checked created first, so that a misspelt property is reported by its name before the client looks for Redis in the
     *     wrong place
     */
    @Bean(CLIENT)
    @ConditionalOnMissingBean(Backend.class)
    static DelayJobRedis delayJobRedis(
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
    @ConditionalOnMissingBean(Backend.class)
    static RedisBackend delayJobBackend(
            DelayJobRedis redis, DelayJobProperties properties, ObjectProvider<LoggingSystem> logging) {
        RedisBackend backend =
                new RedisBackend(redis.redisson(), redis.keyPrefix(), new QuietRedisson(logging.getIfAvailable()));
        // One that only submits may not have the right to ask.
        if (properties.consume() && properties.failFast()) {
            RedisVersion.require(backend);
        }
        return backend;
    }

    @Bean
    @ConditionalOnBean(RedisBackend.class)
    static EventStream delayJobEventStream(RedisBackend backend) {
        return backend.events();
    }

    @Bean
    @ConditionalOnBean(RedisBackend.class)
    static EventSender delayJobEventSender(EventStream stream, EngineSettings settings) {
        return new EventSender(stream, settings.node());
    }

    @Bean
    @ConditionalOnBean(RedisBackend.class)
    static HistoryStore delayJobHistoryStore(RedisBackend backend) {
        return backend.history();
    }

    /** Counts beside the application's telemetry, whatever that is: so it is found by its name alone. */
    @Bean(defaultCandidate = false)
    @ConditionalOnBean(RedisBackend.class)
    static HistoryCounter delayJobHistory(HistoryStore store) {
        return new HistoryCounter(store);
    }

    @Bean
    @ConditionalOnProperty(name = "delayjob.consume", matchIfMissing = true)
    static RedisWarnings delayJobRedisWarnings(Backend backend, DelayJobProperties properties) {
        return new RedisWarnings(backend, properties.defaultQueue(), Duration.ofMinutes(1));
    }
}
