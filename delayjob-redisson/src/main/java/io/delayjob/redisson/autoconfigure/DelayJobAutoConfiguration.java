package io.delayjob.redisson.autoconfigure;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.redisson.internal.engine.DelayJobEngine;
import io.delayjob.redisson.internal.engine.EngineSettings;
import io.delayjob.redisson.internal.engine.Extensions;
import io.delayjob.redisson.internal.engine.JobRegistry;
import io.delayjob.redisson.internal.engine.ParamCodec;
import io.delayjob.redisson.internal.engine.WorkerThreads;
import io.delayjob.redisson.internal.ledger.Backend;
import io.delayjob.redisson.internal.redis.RedisBackend;
import java.time.Duration;
import org.redisson.api.RedissonClient;
import org.redisson.spring.starter.RedissonAutoConfigurationCustomizer;
import org.redisson.spring.starter.RedissonAutoConfigurationV4;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sets up delayjob in an application that has a {@link RedissonClient}: a {@link DelayJobProducer}, a {@link DelayJobAdmin}, and
 * what runs the jobs. Every bean gives way to one of the application's own. Switched off by {@code delayjob.enabled=false}.
 */
@AutoConfiguration(after = {RedissonAutoConfigurationV4.class, JacksonAutoConfiguration.class})
@ConditionalOnProperty(name = "delayjob.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DelayJobProperties.class)
public final class DelayJobAutoConfiguration {

    private DelayJobAutoConfiguration() {}

    /** Lets Redisson start without Redis. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "delayjob.fail-fast", havingValue = "false")
    static class KeepTrying {

        @Bean
        RedissonAutoConfigurationCustomizer delayJobLazyRedisson() {
            return config -> config.setLazyInitialization(true);
        }
    }

    /** Where the beans run. */
    @Configuration(proxyBeanMethods = false)
    static class Threads {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnThreading(Threading.VIRTUAL)
        WorkerThreads delayJobVirtualThreads() {
            return (queue, concurrency) -> new VirtualThreadTaskExecutor(WorkerThreads.namePrefix(queue));
        }

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnThreading(Threading.PLATFORM)
        WorkerThreads delayJobPlatformThreads() {
            return WorkerThreads.PLATFORM;
        }
    }

    /** The engine and what an application uses of it. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSingleCandidate(RedissonClient.class)
    static class Engine {

        /** Spring Boot's default. */
        private static final Duration SHUTDOWN_PHASE = Duration.ofSeconds(30);

        @Bean
        @ConditionalOnMissingBean
        EngineSettings delayJobSettings(DelayJobProperties properties, Environment environment) {
            Duration shutdownPhase = Binder.get(environment)
                    .bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
                    .orElse(SHUTDOWN_PHASE);
            return new SettingsFactory(properties, shutdownPhase).settings();
        }

        @Bean
        @ConditionalOnMissingBean
        ParamCodec delayJobParamCodec(JsonMapper json, EngineSettings settings) {
            return new ParamCodec(json, settings.maxParamBytes());
        }

        @Bean
        @ConditionalOnMissingBean
        JobRegistry delayJobRegistry(ConfigurableListableBeanFactory beans, ParamCodec params) {
            return new JobRegistry(new DelayJobBeans(beans, params)::find);
        }

        @Bean
        @ConditionalOnMissingBean
        Backend delayJobBackend(
                RedissonClient redisson, DelayJobProperties properties, ObjectProvider<LoggingSystem> logging) {
            return new RedisBackend(redisson, properties.keyPrefix(), new QuietRedisson(logging.getIfAvailable()));
        }

        @Bean
        @ConditionalOnMissingBean
        DelayJobEngine delayJobEngine(
                EngineSettings settings,
                Backend backend,
                JobRegistry registry,
                ParamCodec params,
                WorkerThreads threads) {
            return new DelayJobEngine(settings, backend, registry, params, threads, Extensions.NONE);
        }

        @Bean
        DelayJobLifecycle delayJobLifecycle(DelayJobEngine engine, JobRegistry registry) {
            return new DelayJobLifecycle(engine, registry);
        }

        @Bean
        @ConditionalOnMissingBean
        DelayJobProducer delayJobProducer(DelayJobEngine engine) {
            return engine.producer();
        }

        @Bean
        @ConditionalOnMissingBean
        DelayJobAdmin delayJobAdmin(DelayJobEngine engine) {
            return engine.admin();
        }
    }
}
