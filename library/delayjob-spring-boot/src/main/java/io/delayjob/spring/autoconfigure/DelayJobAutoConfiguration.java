package io.delayjob.spring.autoconfigure;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobClaims;
import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobProducer;
import io.delayjob.engine.ledger.Backend;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Sets up delayjob: a {@link DelayJobProducer}, a {@link DelayJobAdmin}, {@link DelayJobClaims}, and what runs the jobs of beans and of
 * methods marked {@link DelayJobListener}, wherever a {@link Backend} bean keeps the jobs. Every bean gives way to one of the application's own.
 * Switched off by {@code delayjob.enabled=false}, and on Spring Boot 3, where delayjob-client runs beans and listeners without an engine.
 */
@AutoConfiguration(afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnClass(name = "org.springframework.boot.thread.Threading")
@ConditionalOnProperty(name = "delayjob.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DelayJobProperties.class)
@ImportRuntimeHints(PropertyHints.class)
@Import({ThreadsConfiguration.class, ExtensionsConfiguration.class, EngineConfiguration.class})
public final class DelayJobAutoConfiguration {

    private DelayJobAutoConfiguration() {}
}
