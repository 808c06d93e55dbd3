package io.delayjob.spring.autoconfigure;

import io.delayjob.engine.DelayJobEngine;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.telemetry.Telemetry;
import io.delayjob.spring.internal.metrics.EventMeters;
import io.delayjob.spring.internal.metrics.MicrometerTelemetry;
import io.delayjob.spring.internal.metrics.QueueGauges;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** Meters of delayjob in an application that has a {@link MeterRegistry}, as Boot's Actuator brings one. */
@AutoConfiguration(
        after = DelayJobAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnSingleCandidate(MeterRegistry.class)
@ConditionalOnBean(DelayJobEngine.class)
public final class DelayJobMetricsAutoConfiguration {

    private DelayJobMetricsAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    static Telemetry delayJobTelemetry(MeterRegistry registry) {
        return new MicrometerTelemetry(registry);
    }

    @Bean
    @ConditionalOnMissingBean
    static QueueGauges delayJobQueueGauges(DelayJobEngine engine) {
        return new QueueGauges(engine);
    }

    @Bean
    @ConditionalOnMissingBean
    static EventMeters delayJobEventMeters(JobEvents events) {
        return new EventMeters(events);
    }
}
