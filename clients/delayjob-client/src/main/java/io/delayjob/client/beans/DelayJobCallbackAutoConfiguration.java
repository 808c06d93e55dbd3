package io.delayjob.client.beans;

import io.delayjob.DelayJobException;
import io.delayjob.client.HttpDelayJobSettings;
import io.delayjob.client.autoconfigure.DelayJobClientAutoConfiguration;
import io.delayjob.engine.extension.Interceptors;
import io.delayjob.engine.handler.HandlerRegistry;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.spi.JobInterceptor;
import io.delayjob.spring.handler.ApplicationHandlers;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cloud.client.discovery.event.InstancePreRegisteredEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs the {@code DelayJob} beans and listeners of an application when a server calls for their jobs, if {@code delayjob.callback.enabled} is
 * true: a route for the calls, on Spring MVC or WebFlux, and the registration at the server. Needs delayjob-spring-boot, and no Redis.
 */
@AutoConfiguration(
        after = DelayJobClientAutoConfiguration.class,
        afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnProperty("delayjob.callback.enabled")
@ConditionalOnClass(ApplicationHandlers.class)
@ConditionalOnWebApplication
@EnableConfigurationProperties(CallbackProperties.class)
public final class DelayJobCallbackAutoConfiguration {

    private static final int MOST_PARAM_BYTES = 16 * 1024 * 1024;

    private DelayJobCallbackAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    static CalledJobs delayJobCalledJobs(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<JsonMapper> mapper,
            ObjectProvider<JobInterceptor> interceptors,
            CallbackProperties properties) {
        ParamCodec params = new ParamCodec(mapper.getIfAvailable(JsonMapper::shared), MOST_PARAM_BYTES);
        return new CalledJobs(
                new HandlerRegistry(() -> ApplicationHandlers.find(beans, params)),
                params,
                new Interceptors(() -> interceptors.orderedStream().toList()),
                signature(properties));
    }

    private static CallSignature signature(CallbackProperties properties) {
        try {
            return new CallSignature(properties.secrets());
        } catch (IllegalArgumentException e) {
            throw new DelayJobException("delayjob.callback.secrets: " + e.getMessage(), e);
        }
    }

    @Bean
    @ConditionalOnProperty("delayjob.callback.url")
    static Registration delayJobRegistration(
            ObjectProvider<HttpDelayJobSettings> server,
            CalledJobs jobs,
            CallbackProperties properties,
            @Value("${spring.application.name:}") String name) {
        HttpDelayJobSettings settings = server.getIfAvailable();
        String application = properties.application() == null ? name : properties.application();
        if (settings == null || application.isEmpty() || properties.url() == null) {
            throw new DelayJobException(
                    "delayjob.callback.url is set, so this process registers at a server; set delayjob.client.url and"
                            + " delayjob.client.token, and delayjob.callback.application or spring.application.name",
                    null);
        }
        return new Registration(settings, application, properties.url(), properties.path(), jobs::types);
    }

    /** In an application that registers at a registry: its metadata, unless the process registers at the server. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(InstancePreRegisteredEvent.class)
    static class OnRegistries {

        @Bean
        RegistryMetadata delayJobRegistryMetadata(CalledJobs jobs, CallbackProperties properties) {
            return new RegistryMetadata(() -> properties.url() == null ? jobs.types() : List.of(), properties.path());
        }
    }

    /** In an application on Spring MVC: a job runs on the thread of its request. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(org.springframework.web.servlet.function.RouterFunction.class)
    static class OnServlets {

        @Bean
        org.springframework.web.servlet.function.RouterFunction<org.springframework.web.servlet.function.ServerResponse>
                delayJobCallbackRoute(CalledJobs jobs, CallbackProperties properties) {
            return org.springframework.web.servlet.function.RouterFunctions.route()
                    .POST(properties.path(), request -> {
                        CalledJobs.Answer answer = jobs.call(
                                request.headers().asHttpHeaders().toSingleValueMap(), request.body(byte[].class));
                        return org.springframework.web.servlet.function.ServerResponse.status(answer.status())
                                .contentType(MediaType.APPLICATION_JSON)
                                .body(answer.body());
                    })
                    .build();
        }
    }

    /** In an application on WebFlux: a job runs on a thread that may wait. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnClass(org.springframework.web.reactive.function.server.RouterFunction.class)
    static class OnWebFlux {

        @Bean
        org.springframework.web.reactive.function.server.RouterFunction<
                        org.springframework.web.reactive.function.server.ServerResponse>
                delayJobCallbackRoute(CalledJobs jobs, CallbackProperties properties) {
            return org.springframework.web.reactive.function.server.RouterFunctions.route()
                    .POST(
                            properties.path(),
                            request -> request.bodyToMono(byte[].class)
                                    .defaultIfEmpty(new byte[0])
                                    .flatMap(body -> Mono.fromCallable(() -> jobs.call(
                                                    request.headers()
                                                            .asHttpHeaders()
                                                            .toSingleValueMap(),
                                                    body))
                                            .subscribeOn(Schedulers.boundedElastic()))
                                    .flatMap(answer ->
                                            org.springframework.web.reactive.function.server.ServerResponse.status(
                                                            answer.status())
                                                    .contentType(MediaType.APPLICATION_JSON)
                                                    .bodyValue(answer.body())))
                    .build();
        }
    }
}
