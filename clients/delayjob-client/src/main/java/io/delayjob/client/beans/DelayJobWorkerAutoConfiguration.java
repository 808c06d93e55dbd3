package io.delayjob.client.beans;

import io.delayjob.client.HttpDelayJobSettings;
import io.delayjob.client.HttpDelayJobWorker;
import io.delayjob.client.WorkerSettings;
import io.delayjob.client.autoconfigure.DelayJobClientAutoConfiguration;
import io.delayjob.engine.extension.Interceptors;
import io.delayjob.engine.handler.HandlerRegistry;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.spi.JobInterceptor;
import io.delayjob.spring.InvalidConfigurationException;
import io.delayjob.spring.handler.ApplicationHandlers;
import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.system.JavaVersion;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import tools.jackson.databind.json.JsonMapper;

/**
 * Claims the jobs of an application's {@code DelayJob} beans and listeners from a server and runs them, if {@code delayjob.worker.enabled} is true. Needs
 * {@code delayjob.client.url}, delayjob-spring-boot, and no Redis.
 */
@AutoConfiguration(
        after = DelayJobClientAutoConfiguration.class,
        afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnProperty("delayjob.worker.enabled")
@ConditionalOnClass(ApplicationHandlers.class)
@EnableConfigurationProperties(WorkerProperties.class)
public final class DelayJobWorkerAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(DelayJobWorkerAutoConfiguration.class);

    private DelayJobWorkerAutoConfiguration() {}

    @Bean
    static WorkerLifecycle delayJobWorker(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<HttpDelayJobSettings> server,
            ObjectProvider<JsonMapper> mapper,
            ObjectProvider<JobInterceptor> interceptors,
            WorkerProperties properties,
            Environment environment) {
        HttpDelayJobSettings settings = server.getIfAvailable();
        if (settings == null) {
            throw new InvalidConfigurationException(
                    "delayjob.worker.enabled is true, so jobs are claimed from a server; set delayjob.client.url and"
                            + " delayjob.client.token",
                    null);
        }
        ParamCodec params = new ParamCodec(mapper.getIfAvailable(JsonMapper::shared), Integer.MAX_VALUE);
        WorkedJobs jobs = new WorkedJobs(
                new HandlerRegistry(() -> ApplicationHandlers.find(beans, params)),
                params,
                new Interceptors(() -> interceptors.orderedStream().toList()));
        return new WorkerLifecycle(() -> {
            WorkerSettings its = settings(jobs, properties, settings, environment);
            log.info("jobs of {} are claimed at {} from queues {}", jobs.names(), settings.url(), its.queues());
            return new HttpDelayJobWorker(settings, its, jobs);
        });
    }

    private static Set<String> queues(WorkedJobs jobs, WorkerProperties properties, HttpDelayJobSettings server) {
        Set<String> queues = new LinkedHashSet<>(properties.queues().isEmpty() ? jobs.queues() : properties.queues());
        if (properties.queues().isEmpty() && server.queue() != null) {
            queues.add(server.queue());
        }
        if (jobs.names().isEmpty()) {
            throw new InvalidConfigurationException(
                    "delayjob.worker.enabled is true, but no bean or listener of this application runs jobs; add a"
                            + " DelayJob bean or a @DelayJobListener, or remove the property",
                    null);
        } else if (queues.isEmpty()) {
            throw new InvalidConfigurationException(
                    "delayjob.worker.enabled is true, but no queue is known; set delayjob.worker.queues, or"
                            + " delayjob.client.queue",
                    null);
        }
        return queues;
    }

    private static WorkerSettings settings(
            WorkedJobs jobs, WorkerProperties properties, HttpDelayJobSettings server, Environment environment) {
        try {
            WorkerSettings settings = WorkerSettings.of(
                            queues(jobs, properties, server).toArray(String[]::new))
                    .withConcurrency(properties.concurrency())
                    .withGrace(properties.grace())
                    .withProblems(log::warn);
            if (properties.lease() != null) {
                settings = settings.withLease(properties.lease());
            }
            if (properties.name() != null) {
                settings = settings.withName(properties.name());
            }
            return isVirtual(environment)
                    ? settings.withThreads(new VirtualThreadTaskExecutor("delayjob-worker-").getVirtualThreadFactory())
                    : settings;
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException("delayjob.worker: " + e.getMessage(), e);
        }
    }

    /** Whether jobs run on virtual threads, by the rule of Boot's Threading, which Boot 3 has in another package. */
    private static boolean isVirtual(Environment environment) {
        return environment.getProperty("spring.threads.virtual.enabled", Boolean.class, false)
                && JavaVersion.getJavaVersion().isEqualOrNewerThan(JavaVersion.TWENTY_ONE);
    }
}
