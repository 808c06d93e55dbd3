package io.delayjob.spring.autoconfigure;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobClaims;
import io.delayjob.DelayJobListenerRegistry;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobSchedules;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.extension.WorkerThreads;
import io.delayjob.engine.handler.HandlerRegistry;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.engine.settings.QueueFamily;
import io.delayjob.spring.internal.listener.BackoffBeans;
import io.delayjob.spring.internal.listener.JobFinder;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import tools.jackson.databind.json.JsonMapper;

/** The engine and what an application uses of it, wherever its jobs are kept. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(Backend.class)
class EngineConfiguration {

    /** Spring Boot's default. */
    private static final Duration SHUTDOWN_PHASE = Duration.ofSeconds(30);

    @Bean
    @ConditionalOnMissingBean
    EngineSettings delayJobSettings(
            DelayJobProperties properties,
            Environment environment,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<QueueFamily> families) {
        PropertyKeys.refuseUnknown(environment, beans.getBeanClassLoader());
        QueueKeys.refuseUnknown(environment);
        Duration shutdownPhase = Binder.get(environment)
                .bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
                .orElse(SHUTDOWN_PHASE);
        return new SettingsFactory(
                        properties,
                        shutdownPhase,
                        new BackoffBeans(beans),
                        families.orderedStream().toList())
                .settings();
    }

    @Bean
    @ConditionalOnMissingBean
    ParamCodec delayJobParamCodec(JsonMapper json, EngineSettings settings) {
        return new ParamCodec(json, settings.submitting().maxParamBytes());
    }

    @Bean
    @ConditionalOnMissingBean
    HandlerRegistry delayJobRegistry(
            ConfigurableListableBeanFactory beans, ParamCodec params, EngineSettings settings) {
        return new HandlerRegistry(new JobFinder(beans, params, settings.queues())::find);
    }

    @Bean
    static EagerUnknownBeans delayJobEagerUnknownBeans() {
        return new EagerUnknownBeans();
    }

    @Bean
    @ConditionalOnMissingBean
    DelayJobEngine delayJobEngine(
            EngineSettings settings,
            Backend backend,
            HandlerRegistry registry,
            ParamCodec params,
            WorkerThreads threads,
            Extensions extensions) {
        return new DelayJobEngine(settings, backend, registry, params, threads, extensions);
    }

    @Bean
    DelayJobLifecycle delayJobLifecycle(
            DelayJobEngine engine, HandlerRegistry registry, EngineSettings settings, Backend backend) {
        return new DelayJobLifecycle(engine, registry, () -> new NodeSeat(backend.place(), settings.node()));
    }

    @Bean
    @ConditionalOnMissingBean
    DelayJobProducer delayJobProducer(DelayJobEngine engine, ObjectProvider<ObservedSubmits> observed) {
        return ObservedSubmits.producer(engine, observed);
    }

    @Bean
    @ConditionalOnMissingBean
    DelayJobAdmin delayJobAdmin(DelayJobEngine engine) {
        return engine.admin();
    }

    @Bean
    @ConditionalOnMissingBean
    AsyncDelayJobAdmin delayJobAsyncAdmin(DelayJobEngine engine) {
        return engine.asyncAdmin();
    }

    @Bean
    @ConditionalOnMissingBean
    DelayJobClaims delayJobClaims(DelayJobEngine engine) {
        return engine.claims();
    }

    @Bean
    @ConditionalOnMissingBean
    DelayJobSchedules delayJobSchedules(DelayJobEngine engine) {
        return engine.schedules();
    }

    @Bean
    @ConditionalOnMissingBean
    DelayJobListenerRegistry delayJobListenerRegistry(DelayJobEngine engine) {
        return engine.listeners();
    }
}
