package io.delayjob.spring.autoconfigure;

import io.delayjob.spring.internal.observation.LinkingTracingHandler;
import io.delayjob.spring.internal.observation.ObservedExecutions;
import io.delayjob.spring.observation.JobExecutionConvention;
import io.delayjob.spring.observation.JobSubmitConvention;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Observes submits and attempts in an application that traces, or asks for it by {@code delayjob.observation-enabled=true}. Without
 * a tracer an observation costs more than many a job, and its timers say less than delayjob's own.
 */
@AutoConfiguration(
        before = DelayJobAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration"
        })
@ConditionalOnBooleanProperty(name = "delayjob.enabled", matchIfMissing = true)
@ConditionalOnBean(ObservationRegistry.class)
@Conditional(DelayJobObservationAutoConfiguration.Wanted.class)
public final class DelayJobObservationAutoConfiguration {

    /** Before Boot's handler for all that is received, which makes children. */
    private static final int BEFORE_RECEIVERS = 900;

    private DelayJobObservationAutoConfiguration() {}

    static final class Wanted extends AnyNestedCondition {

        Wanted() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBooleanProperty("delayjob.observation-enabled")
        static final class Asked {}

        @ConditionalOnBooleanProperty(name = "delayjob.observation-enabled", matchIfMissing = true)
        @ConditionalOnBean(type = "io.micrometer.tracing.propagation.Propagator")
        static final class Traced {}
    }

    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    static ObservedExecutions delayJobObservedExecutions(
            ObservationRegistry registry, ObjectProvider<JobExecutionConvention> convention) {
        return new ObservedExecutions(registry, convention.getIfAvailable());
    }

    @Bean
    static ObservedSubmits delayJobObservedSubmits(
            ObservationRegistry registry, ObjectProvider<JobSubmitConvention> convention) {
        return new ObservedSubmits(registry, convention.getIfAvailable());
    }

    /** In an application that traces. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Tracer.class)
    @ConditionalOnBean({Tracer.class, Propagator.class})
    static class Traces {

        @Bean
        @Order(BEFORE_RECEIVERS)
        LinkingTracingHandler delayJobLinkingTracingHandler(Tracer tracer, Propagator propagator) {
            return new LinkingTracingHandler(tracer, propagator);
        }
    }
}
