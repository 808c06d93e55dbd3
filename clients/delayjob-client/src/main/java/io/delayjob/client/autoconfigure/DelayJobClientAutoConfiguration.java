package io.delayjob.client.autoconfigure;

import io.delayjob.DelayJobClaims;
import io.delayjob.DelayJobException;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobSchedules;
import io.delayjob.client.HttpDelayJobClaims;
import io.delayjob.client.HttpDelayJobProducer;
import io.delayjob.client.HttpDelayJobSchedules;
import io.delayjob.client.HttpDelayJobSettings;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sets up a {@link DelayJobProducer}, a {@link DelayJobClaims} and a {@link DelayJobSchedules} that ask a server over HTTP, if {@code delayjob.client.url} is set. Every
 * bean gives way to one of the application's own. An application that also has an engine of delayjob does not start, because it would not
 * be clear where its jobs go.
 */
@AutoConfiguration(
        afterName = {
            "io.delayjob.spring.autoconfigure.DelayJobAutoConfiguration",
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration"
        })
@ConditionalOnProperty("delayjob.client.url")
@EnableConfigurationProperties(DelayJobClientProperties.class)
public final class DelayJobClientAutoConfiguration {

    private DelayJobClientAutoConfiguration() {}

    /** A type of its own, because an application may have suppliers of anything. */
    interface SubmitHeaders extends Supplier<Map<String, String>> {}

    /** Refuses an application with an engine. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(type = "io.delayjob.engine.ledger.Backend")
    static class LocalEngine {

        LocalEngine() {
            throw new DelayJobException(
                    "delayjob.client.url is set, but this application also has an engine of delayjob, so it is not"
                            + " clear where its jobs go; remove delayjob.client.url to use the engine, or set"
                            + " delayjob.enabled=false to use the server",
                    null);
        }
    }

    /** In an application that traces. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Tracer.class)
    @ConditionalOnBean({Tracer.class, Propagator.class})
    static class Traces {

        @Bean
        SubmitHeaders delayJobClientTraceHeaders(Tracer tracer, Propagator propagator) {
            return new TraceHeaders(tracer, propagator);
        }
    }

    @Bean
    @ConditionalOnMissingBean
    static HttpDelayJobSettings delayJobClientSettings(
            DelayJobClientProperties properties,
            ObjectProvider<JsonMapper> mapper,
            ObjectProvider<SubmitHeaders> submitHeaders) {
        if (properties.url() == null || properties.token() == null) {
            throw new DelayJobException(
                    "delayjob.client.token is not set; it is a token of the server, made by POST /api/v1/tokens", null);
        }
        try {
            HttpDelayJobSettings settings = HttpDelayJobSettings.of(properties.url(), properties.token())
                    .withTimeout(properties.timeout())
                    .withMapper(mapper.getIfAvailable(JsonMapper::shared))
                    .withSubmitHeaders(submitHeaders.getIfAvailable(() -> Map::of));
            return properties.queue() == null ? settings : settings.withQueue(properties.queue());
        } catch (IllegalArgumentException e) {
            throw new DelayJobException("delayjob.client." + e.getMessage(), e);
        }
    }

    @Bean
    @ConditionalOnMissingBean
    static DelayJobProducer delayJobClientProducer(HttpDelayJobSettings settings) {
        return new HttpDelayJobProducer(settings);
    }

    @Bean
    @ConditionalOnMissingBean
    static DelayJobClaims delayJobClientClaims(HttpDelayJobSettings settings) {
        return new HttpDelayJobClaims(settings);
    }

    @Bean
    @ConditionalOnMissingBean
    static DelayJobSchedules delayJobClientSchedules(HttpDelayJobSettings settings) {
        return new HttpDelayJobSchedules(settings);
    }
}
