package io.delayjob.spring.autoconfigure;

import io.delayjob.engine.DelayJobEngine;
import io.delayjob.engine.settings.EngineSettings;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Tells Boot's health endpoint of delayjob, in an application that has it. Switched off by
 * {@code management.health.delayjob.enabled=false}.
 */
@AutoConfiguration(after = DelayJobAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean({DelayJobEngine.class, EngineSettings.class})
@EnableConfigurationProperties(DelayJobHealthProperties.class)
public final class DelayJobHealthAutoConfiguration {

    private DelayJobHealthAutoConfiguration() {}

    /** Named so that it is {@code delayjob} among the health components. */
    @Bean
    @ConditionalOnEnabledHealthIndicator("delayjob")
    @ConditionalOnMissingBean(name = {"delayjobHealthIndicator", "delayjobHealthContributor"})
    static DelayJobHealthIndicator delayjobHealthIndicator(
            DelayJobEngine engine, EngineSettings settings, DelayJobHealthProperties properties) {
        return new DelayJobHealthIndicator(engine, settings, properties.checked());
    }
}
